import { applyEdits, lint, requireHost, type Setting, type VmSpec } from "@vmlint/core";
import { formats } from "@vmlint/core/program";
import { yaml } from "@vmlint/core/yaml";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { said, vmsOf } from "../support/yaml-vm.ts";

/** A text of each kind. */
const KINDS: Readonly<Record<string, string>> = {
  vmlint: "apiVersion: vmlint.dev/v1\nkind: VirtualMachine\nspec:\n  vcpus: 4\n  advanced:\n    numa.vcpu.min: 4\n",
  capv: "apiVersion: infrastructure.cluster.x-k8s.io/v1beta1\nkind: VSphereMachineTemplate\nspec:\n  template:\n    spec:\n      template: t\n      numCPUs: 4\n      customVMXKeys:\n        a: b\n",
  "vm-operator":
    "apiVersion: vmoperator.vmware.com/v1alpha6\nkind: VirtualMachine\nspec:\n  resources:\n    size: { cpu: 4, memory: 8Gi }\n  hardware:\n    scsiControllers: [{ busNumber: 0 }]\n",
  "vm-class":
    "apiVersion: vmoperator.vmware.com/v1alpha3\nkind: VirtualMachineClass\nspec:\n  hardware:\n    cpus: 4\n  configSpec:\n    deviceChange:\n    - operation: add\n      device: { _typeName: VirtualDisk }\n",
  openshift:
    "apiVersion: machine.openshift.io/v1beta1\nkind: MachineSet\nspec:\n  template:\n    spec:\n      providerSpec:\n        value:\n          kind: VSphereMachineProviderSpec\n          numCPUs: 4\n",
  "install-config": "apiVersion: v1\nbaseDomain: a.b\ncontrolPlane:\n  name: m\n  platform:\n    vsphere:\n      cpus: 4\n",
  hive: "apiVersion: hive.openshift.io/v1\nkind: MachinePool\nspec:\n  platform:\n    vsphere:\n      cpus: 4\n",
  "eks-anywhere": "apiVersion: anywhere.eks.amazonaws.com/v1alpha1\nkind: VSphereMachineConfig\nspec:\n  numCPUs: 4\n",
  "machine-controller":
    "apiVersion: cluster.k8s.io/v1alpha1\nkind: Machine\nspec:\n  providerSpec:\n    value:\n      cloudProvider: vsphere\n      cloudProviderSpec:\n        cpus: 4\n",
  rancher: 'apiVersion: rke-machine-config.cattle.io/v1\nkind: VmwarevsphereConfig\ncpuCount: "4"\ncfgparam:\n- numa.vcpu.min=4\n',
  ansible:
    '- hosts: all\n  vars:\n    n: 4\n  tasks:\n  - block:\n    - vmware_guest:\n        name: "{{ item }}"\n        hardware:\n          num_cpus: "{{ n }}"\n        disk:\n        - size_gb: 1\n      loop: [a, b]\n',
  kubevirt:
    "apiVersion: kubevirt.io/v1\nkind: VirtualMachine\nspec:\n  template:\n    spec:\n      domain:\n        cpu: { cores: 4 }\n        memory: { guest: 8Gi }\n",
  pulumi:
    "runtime: yaml\nresources:\n  a:\n    type: vsphere:VirtualMachine\n    properties:\n      numCpus: 4\n      disks:\n      - unitNumber: 1\n",
};
const all = Object.entries(KINDS);
const vcpusOf = (vm: VmSpec) => said(vm).vcpus;

describe.each(all)("%s", (format, text) => {
  test("is recognized by its content under any name", () => {
    expect(vmsOf(text).map((vm) => [vm.format, vcpusOf(vm)])).toEqual(
      format === "ansible"
        ? [
            ["ansible", 4],
            ["ansible", 4],
          ]
        : [[format, 4]],
    );
    const entry = formats.find(({ name }) => name === "yaml");
    expect(entry?.mayHold?.(text)).toBe(true);
  });

  test("a syntax error is reported, and the text after it is checked or reported", () => {
    const { problems, foreign } = yaml.parse(`${text}x: [1, 2\ny: }\n`);
    expect([foreign, problems.map(({ ruleId }) => ruleId)]).toEqual([undefined, expect.arrayContaining(["spec/syntax"])]);
  });

  test("any change of a file is read without throwing, with ranges inside it and edits that apply", () => {
    const piece = fc.oneof(
      fc.string({ unit: "grapheme", maxLength: 6 }),
      fc.constantFrom(
        ..."{{ x }}|#@ x|\n#@ if a:\n|\n#@ end\n|{% if a %}|{% endif %}|{{- end }}|${A:=4}|<< B >>|- |: |&a |*a|<<: *a|null|[|]|{|}|\"|'|#|# vmlint: host=x|---|\t|\n|\n  |!!x |> |0|-1|1e9|8Gi|~".split(
          "|",
        ),
      ),
    );
    const change = fc.record({ at: fc.nat({ max: text.length }), gone: fc.nat({ max: 12 }), piece });
    fc.assert(
      fc.property(fc.array(change, { maxLength: 4 }), (changes) => {
        const changed = changes.reduce((old, { at, gone, piece: put }) => old.slice(0, at) + put + old.slice(at + gone), text);
        const { diagnostics, vms } = lint(changed, { format: yaml, target: { host: requireHost("dl580g7") } });
        const ranges = [...diagnostics.map(({ range }) => range), ...vms.flatMap(({ spec }) => rangesOf(spec))];
        for (const [start, end] of ranges) expect(start >= 0 && start <= end && end <= changed.length, `${start}-${end}`).toBe(true);
        for (const { spec } of vms) {
          for (const setting of ["vcpus", "coresPerSocket", "hardwareVersion"] as const) {
            const edits = spec.edit?.([{ setting, value: 6 }]);
            if (edits) applyEdits(changed, edits);
          }
        }
      }),
      { numRuns: 300 },
    );
  });
});

test("an edit of a known setting is read back as it was meant", () => {
  for (const [format, text] of all) {
    const [vm] = vmsOf(text);
    const edits = vm?.edit?.([{ setting: "vcpus", value: 6 }]);
    // The playbook's is a variable of its play.
    if (format === "ansible") expect(edits).toBeUndefined();
    else expect([format, ...vmsOf(applyEdits(text, edits ?? [])).map(vcpusOf)]).toEqual([format, 6]);
  }
});

describe("other people's files", () => {
  test.each([
    ["a pod", "apiVersion: v1\nkind: Pod\nmetadata: { name: vsphere-csi-controller }\n"],
    ["a vSphere cluster", "apiVersion: infrastructure.cluster.x-k8s.io/v1beta1\nkind: VSphereCluster\nspec: { server: x }\n"],
    [
      "a cluster's custom resource",
      "kind: CustomResourceDefinition\nspec: { names: { kind: VirtualMachineClass }, group: vmoperator.vmware.com }\n",
    ],
    ["a playbook without VMs", "- hosts: all\n  tasks:\n  - community.vmware.vmware_guest_info: { name: a }\n"],
    ["broken, and nobody's", "a: [\n  vmware: }\n"],
    ["an install-config for another platform", "apiVersion: v1\nbaseDomain: a.b\ncontrolPlane: { platform: { aws: {} } }\n# vsphere\n"],
    ["nothing", ""],
  ])("%s", (_, text) => {
    expect(yaml.parse(text)).toEqual({ vms: [], problems: [], foreign: expect.any(String) });
  });
});

describe("hostile files end", () => {
  const bomb = (top: string) =>
    `${top}\n${[..."abcdefghij"]
      .map(
        (c, i) =>
          `  ${c}: &${c} [${Array(9)
            .fill(i === 0 ? "x" : `*${"abcdefghij"[i - 1]}`)
            .join(", ")}]`,
      )
      .join("\n")}\n`;
  test("an alias bomb among a play's tasks", () => {
    const blocks = [..."abcdefghij"].map(
      (c, i) =>
        `  - &${c} { block: [${Array(9)
          .fill(i === 0 ? "{ vmware_guest: { name: a, hardware: { num_cpus: 4 } } }" : `*${"abcdefghij"[i - 1]}`)
          .join(", ")}] }`,
    );
    expect(vmsOf(`- hosts: all\n  tasks:\n${blocks.join("\n")}\n`).length).toBeLessThanOrEqual(20_000);
  });
  test("an alias bomb in a loop and as options", () => {
    const play = `- hosts: all\n  vars:\n${bomb("").replace(/^ {2}/gm, "    ")}  tasks:\n  - vmware_guest: { name: a, hardware: { num_cpus: 4 }, disk: "{{ j }}", advanced_settings: "{{ i }}" }\n    loop: "{{ j }}"\n`;
    expect(vmsOf(play)).toEqual([]);
    expect(yaml.parse(play).problems.map(({ data }) => data)).toEqual([
      { message: expect.stringMatching(/^the aliases .* more than 400000 values/) },
    ]);
  });
  // Written out, they are lists of a billion entries: the command would end for want of memory, or never.
  test.each([
    ["merged mappings", (at: string) => `{ <<: [${Array(1000).fill(at).join(", ")}] }`],
    ["lists", (at: string) => `[${Array(1000).fill(at).join(", ")}]`],
    ["mappings", (at: string) => `{ ${Array.from({ length: 1000 }, (_, i) => `k${i}: ${at}`).join(", ")} }`],
  ])("a thousand aliases of %s, three levels deep, are refused in every kind", (_, level) => {
    const bombs = `x: [&a { vcpus: 4 }, &b ${level("*a")}, &c ${level("*b")}, &d ${level("*c")}]\n`;
    for (const text of Object.values(KINDS)) {
      const { vms, problems } = yaml.parse(text.trimStart().startsWith("-") ? `${text}- ${bombs}` : `${text}${bombs}`);
      expect([vms, problems.length]).toEqual([[], 1]);
    }
  });
  test("variables that lead to each other", () => {
    const path = "a".repeat(1).concat(".b".repeat(40));
    const vars = Array.from({ length: 20 }, (_, i) => `    v${i}: "{{ v${(i + 1) % 20}.${path} }}"`).join("\n");
    expect(
      vmsOf(`- hosts: all\n  vars:\n${vars}\n  tasks:\n  - vmware_guest: { name: a, hardware: { num_cpus: "{{ v0 }}" } }\n`).map(vcpusOf),
    ).toEqual(["? a template fills it in"]);
  });
  test("20,000 keys, and 20,000 levels", () => {
    const keys = Array.from({ length: 20_000 }, (_, i) => `      numa.k${i}: "${i}"`).join("\n");
    const text = `${KINDS.capv?.replace("        a: b\n", "")}${keys.replace(/^ {6}/gm, "        ")}\n`;
    expect(vmsOf(text)[0]?.advanced().size).toBe(20_000);
    for (const [open, close] of ["[]", "{}"].map((pair) => [...pair])) {
      const deep = `${KINDS.capv}x: ${open?.repeat(20_000)}${close?.repeat(20_000)}\n`;
      expect(() => yaml.parse(deep)).not.toThrow();
    }
  });
  // The library's own composer lets V8 end the whole process on some of these: no matcher would see it, the run would just stop.
  test.each(["- ", "[", "{a: ", "? ", "&a [*a,", "a: [", "{", "!!x [", "? - "])("%j 60,000 times over is reported as too deep", (open) => {
    for (const tail of ["", "\nx: 1\n", "]", "\n---\na: 1\n"]) {
      const { vms, problems } = yaml.parse(`${KINDS.capv}x:\n ${open.repeat(60_000)}${tail}`);
      expect(vms.map(vcpusOf)).toEqual([4]);
      const message = expect.stringMatching(/^Too deep; the rest is not read.*200 levels/);
      expect(problems.map(({ data }) => data)).toContainEqual({ message });
    }
  });
  test("aliases in a document nested deeper than the stack, and thousands of them", () => {
    const deep = `${KINDS.capv?.replace("numCPUs: 4", "<<: *a\n      numCPUs: 4").replace("spec:\n", "spec:\n  x: &a { memoryMiB: 64 }\n")}y: ${"[".repeat(9000)}${"]".repeat(9000)}\n`;
    expect(vmsOf(deep).map(said)).toEqual([expect.objectContaining({ vcpus: 4, memoryMiB: 64 })]);
    const machine = "{ apiVersion: infrastructure.cluster.x-k8s.io/v1beta2, kind: VSphereVM, spec: { <<: *base, numCPUs: 4 } }";
    const many = `kind: List\nbase: &base { template: t, memoryMiB: 64 }\nitems:\n${`- ${machine}\n`.repeat(5000)}`;
    expect(vmsOf(many).filter((vm) => said(vm).memoryMiB === 64).length).toBe(5000);
  });
  test("any pile of punctuation", () => {
    const marks = fc.array(fc.constantFrom(...'{}%<>#- :\n"ab'.split("")), { maxLength: 40 }).map((all) => all.join(""));
    fc.assert(
      fc.property(marks, (heap) => {
        const { vms, problems } = yaml.parse(`${KINDS.capv}      x: ${heap}\n`);
        for (const { range } of [...vms, ...problems]) expect(range[0]).toBeLessThanOrEqual(range[1]);
      }),
      { numRuns: 2000 },
    );
  });
  test("template marks without end", () => {
    for (const mark of ["{%}", "{{}", "{{", "{% if", "<<", "{{ }}", "{%}{{%}}", "<<a >>", "%{", "%{if", "%{ if x }", "#@ ", "#@ if x\n"]) {
      for (const count of [1, 50_000]) expect(() => yaml.parse(`${KINDS.capv}x: "${mark.repeat(count)}"\n`)).not.toThrow();
    }
  });
});

const rangesOf = (vm: VmSpec) => [
  vm.range,
  ...Object.values<Setting<unknown>>(vm.settings).flatMap((setting) => (setting.state === "absent" ? [] : [setting.range])),
  ...vm.scsiControllers.map(({ range }) => range),
  ...vm.devices().disks.map(({ range }) => range),
  ...vm.devices().otherControllers.map(({ range }) => range),
  ...[...vm.advanced().values()].flatMap((setting) => (setting.state === "absent" ? [] : [setting.range])),
];
