import {
  applyEdits,
  type Diagnostic,
  type HostModel,
  lint,
  openWorkspace,
  type Rule,
  requireHost,
  rules,
  type Workload,
} from "@vmlint/core";
import { pageOf, type RulePage } from "@vmlint/core/docs";
import { EMPTY_CONFIG } from "@vmlint/core/program";
import { describe, expect, test } from "vitest";
import { libvirt } from "../../packages/core/src/formats/libvirt/libvirt.ts";
import { proxmox } from "../../packages/core/src/formats/proxmox/proxmox.ts";
import { vmx } from "../../packages/core/src/formats/vmx/vmx.ts";
import { valueIfKnown } from "../../packages/core/src/model/source.ts";

interface Shape {
  readonly vcpus: number;
  readonly cores: number;
  readonly memoryMiB: number;
  readonly windows: string | undefined;
}

interface Written {
  readonly path: string;
  readonly text: string;
}

/** Has no topology, so that fewer rules have a fix. */
const BEFORE = "Terraform, libvirt_domain before 0.9";

/** Each notation of a shape, with texts around the values that an edit must keep. */
const WRITERS: Readonly<Record<string, (shape: Shape) => readonly Written[]>> = {
  "libvirt XML": ({ vcpus, cores, memoryMiB, windows }) => {
    const os = windows
      ? `  <metadata><l:libosinfo xmlns:l="x"><l:os id="http://microsoft.com/win/${windows}"/></l:libosinfo></metadata>\n`
      : "";
    const topology = `<topology sockets='${vcpus / cores}' cores='${cores}' threads='1'/>`;
    const cpus =
      cores === 1
        ? ["", "  <cpu mode='host-model'/>\n", `  <cpu>\n    ${topology} <!-- kept -->\n  </cpu>\n`]
        : [`  <cpu>${topology}</cpu>\n`];
    return cpus.map((cpu) => ({
      path: "vm.xml",
      text: `<domain type='kvm'>\n  <!-- a comment -->\n  <name>vm</name>\n${os}  <memory unit='MiB'>${memoryMiB}</memory>\n  <vcpu placement='static'>${vcpus}</vcpu>\n${cpu}</domain>\n`,
    }));
  },
  "Proxmox .conf": ({ vcpus, cores, memoryMiB, windows }) =>
    windows
      ? []
      : [
          `cores: ${cores}\nmemory: ${memoryMiB}\nname: vm\nsockets: ${vcpus / cores}\n`,
          ...(cores === 1 ? [`memory: ${memoryMiB}\nname: vm\nsockets: ${vcpus}\n`] : []),
        ].map((keys) => ({
          path: "100.conf",
          text: `# a note\n${keys}ostype: l26\n\n[before]\n# kept\ncores: 2\nsockets: 8\n`,
        })),
  "Terraform, bpg/proxmox": ({ vcpus, cores, memoryMiB, windows }) =>
    windows
      ? []
      : [
          {
            path: "main.tf",
            text: `resource "proxmox_virtual_environment_vm" "vm" {\n  name = "vm" # kept\n  cpu {\n    cores   = ${cores}\n    sockets = ${vcpus / cores}\n  }\n  memory {\n    dedicated = ${memoryMiB}\n  }\n}\n`,
          },
        ],
  "Terraform, telmate/proxmox": ({ vcpus, cores, memoryMiB, windows }) =>
    windows
      ? []
      : ["", "cpu"].map((block) => {
          const counts = [`cores = ${cores}`, `sockets = ${vcpus / cores}`];
          const cpu = block ? `  cpu {\n    ${counts.join("\n    ")}\n  }\n` : `  ${counts.join("\n  ")}\n`;
          return { path: "main.tf", text: `resource "proxmox_vm_qemu" "vm" {\n  name = "vm" # kept\n${cpu}  memory = ${memoryMiB}\n}\n` };
        }),
  "Terraform, libvirt_domain since 0.9": ({ vcpus, cores, memoryMiB, windows }) =>
    windows
      ? []
      : [
          {
            path: "main.tf",
            text: `resource "libvirt_domain" "vm" {\n  name        = "vm" # kept\n  memory      = ${memoryMiB}\n  memory_unit = "MiB"\n  vcpu        = ${vcpus}\n  cpu = {\n    topology = { sockets = ${vcpus / cores}, cores = ${cores}, threads = 1 }\n  }\n}\n`,
          },
        ],
  [BEFORE]: ({ vcpus, cores, memoryMiB, windows }) =>
    windows || cores !== 1
      ? []
      : [
          {
            path: "main.tf",
            text: `resource "libvirt_domain" "vm" {\n  name   = "vm" # kept\n  memory = ${memoryMiB}\n  vcpu   = ${vcpus}\n  disk {\n    volume_id = "v"\n  }\n}\n`,
          },
        ],
  "Ansible, community.libvirt": (shape) =>
    (WRITERS["libvirt XML"]?.(shape) ?? []).map(({ text }) => ({
      path: "play.yml",
      text: `- hosts: kvm\n  tasks:\n    - name: define # kept\n      community.libvirt.virt:\n        command: define\n        xml: |\n${text.replace(/^(?=.)/gm, "          ")}    - debug:\n        msg: kept\n`,
    })),
};

/** The texts that an edit may remove and write: counts, and a topology or a line for one. */
const REMOVED = /^\d*$|^\/>$/;
const WRITTEN = [
  /^\d+$/,
  /^ \w+='\d+'$/,
  /^>?(?:\r?\n *)?(?:<cpu>)?(?:\r?\n *)?<topology sockets='\d+' cores='\d+' threads='\d+'\/>(?:\r?\n *<\/cpu>)?$/,
  /^(?:\r?\n(?:cores|sockets|memory): \d+)+$/,
];

const WINDOWS: Readonly<Record<string, string>> = {
  windows2019srv_64Guest: "2k19",
  "windows2019srvNext-64": "2k22",
  windows9_64Guest: "10",
};

function shapeOf(example: RulePage["bad"][number]): Shape | undefined {
  const { vmx: asVmx, xml, conf } = example;
  const [text, format] = xml ? [xml, libvirt] : conf ? [conf, proxmox] : [[asVmx].flat()[0], vmx];
  const [vm] = text ? lint(text, { format: format as typeof vmx, rules: [] }).vms : [];
  if (!vm) return undefined;
  const { vcpus, coresPerSocket, memoryMiB, guestOs } = vm.spec.settings;
  const [count = 1, cores = 1] = [valueIfKnown(vcpus), valueIfKnown(coresPerSocket)].map((value) =>
    typeof value === "number" ? value : undefined,
  );
  if (count % cores !== 0) return undefined;
  return { vcpus: count, cores, memoryMiB: valueIfKnown(memoryMiB) ?? 4096, windows: WINDOWS[valueIfKnown(guestOs) ?? ""] };
}

async function findingsOf(rule: Rule, { path, text }: Written, host: HostModel | undefined, workload: Workload | undefined) {
  const workspace = openWorkspace({
    files: { [path]: text },
    config: { ...EMPTY_CONFIG, ...(workload && { workload }), selects: (other) => other === rule },
    host,
    rules: [rule],
    today: "2026-01-01",
  });
  const { findings } = await workspace.check([path]);
  return findings.filter(({ ruleId }) => ruleId === rule.id);
}

const runsOnKvm = (rule: Rule): boolean => rule.for === "any" || (Array.isArray(rule.for) && rule.for.includes("kvm"));
const examples = rules
  .filter((rule) => runsOnKvm(rule) && !rule.optIn)
  .flatMap((rule) =>
    pageOf(rule).bad.flatMap((example) => {
      const shape = shapeOf(example);
      return shape ? [{ rule, example, shape }] : [];
    }),
  );

const key = ({ messageId, message }: Diagnostic): string => `${messageId} ${message}`;

describe.each(Object.entries(WRITERS))("%s", (format, write) => {
  test("each fix of a rule's example ends its finding, and changes counts only", async () => {
    let fixes = 0;
    for (const { rule, example, shape } of examples) {
      const host = typeof example.host === "string" ? requireHost(example.host) : example.host;
      for (const { path, text: plain } of write(shape)) {
        for (const text of [plain, plain.replaceAll("\n", "\r\n")]) {
          for (const finding of await findingsOf(rule, { path, text }, host, example.workload)) {
            for (const { edits, changes } of finding.fixes) {
              if (!changes) continue;
              fixes++;
              for (const { range, newText } of edits) {
                expect(text.slice(...range)).toMatch(REMOVED);
                expect(
                  WRITTEN.some((form) => form.test(newText)),
                  JSON.stringify(newText),
                ).toBe(true);
              }
              const fixed = applyEdits(text, edits);
              const after = await findingsOf(rule, { path, text: fixed }, host, example.workload);
              expect(after.map(key), `${rule.id}\n${fixed}`).not.toContain(key(finding));
              // The text after the last change is that before it.
              const end = Math.max(...edits.map(({ range }) => range[1]));
              expect(fixed.endsWith(text.slice(end))).toBe(true);
            }
          }
        }
      }
    }
    expect(fixes, format).toBeGreaterThan(format === BEFORE ? 10 : 30);
  });
});
