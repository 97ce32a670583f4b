import { lint } from "@vmlint/core";
import { yaml } from "@vmlint/core/yaml";
import { describe, expect, test } from "vitest";
import type { TextEdit } from "../../packages/core/src/model/source.ts";
import { vmlint } from "../support/cli.ts";
import { folder } from "../support/folder.ts";

const HEAD = "apiVersion: kubevirt.io/v1\nkind: VirtualMachine\nmetadata: { name: app01 }\nspec:\n";
const PREFERENCE = (cpu: string): string =>
  `${HEAD}  instancetype: { name: cx1.2xlarge }\n  preference: { name: flat }\n  template: { spec: { domain: {} } }\n---\napiVersion: instancetype.kubevirt.io/v1beta1\nkind: VirtualMachineClusterPreference\nmetadata: { name: flat }\nspec:\n  # Windows\n  cpu:\n${cpu}`;

/** Definitions of 8 vCPUs in sockets, each with the shapes that an edit can write: cores per socket. */
const TEXTS: readonly (readonly [string, string, readonly number[]])[] = [
  ["sockets", `${HEAD}  template:\n    spec:\n      domain:\n        cpu:\n          sockets: 8 # many\n`, [1, 2, 4, 8]],
  ["a flow mapping", `${HEAD}  template: { spec: { domain: { cpu: { sockets: 8, cores: 1 } } } }\n`, [1, 2, 4, 8]],
  ["a limit", `${HEAD}  template:\n    spec:\n      domain:\n        resources:\n          limits: { cpu: 8 }\n`, [1, 2, 4, 8]],
  [
    "an instancetype with a size",
    `${HEAD}  instancetype:\n    name: u1.2xlarge\n  template:\n    spec:\n      domain:\n        devices: {}\n`,
    [1, 2, 4, 8],
  ],
  ["a preference", PREFERENCE("    preferredCPUTopology: sockets\n"), [1, 2, 4, 8]],
  ["a preference with a ratio", PREFERENCE("    preferredCPUTopology: sockets\n    spreadOptions:\n      ratio: 4\n"), [1, 2, 4, 8]],
  ["a preference across threads", PREFERENCE("    preferredCPUTopology: sockets\n    spreadOptions: { across: CoresThreads }\n"), []],
  [
    "a preference of two VMs",
    `${PREFERENCE("    preferredCPUTopology: sockets\n")}---\n${HEAD.replace("app01", "app02")}  instancetype: { name: cx1.2xlarge }\n  preference: { name: flat }\n`,
    [],
  ],
  ["an instancetype with dedicated CPUs", `${HEAD}  instancetype: { name: cx1.2xlarge }\n  template: { spec: { domain: {} } }\n`, []],
];

const readIn = (text: string) => lint(text, { format: yaml }).vms[0]?.spec;

const applied = (text: string, edits: readonly TextEdit[]): string =>
  [...edits]
    .sort((a, b) => b.range[0] - a.range[0])
    .reduce((done, { range, newText }) => done.slice(0, range[0]) + newText + done.slice(range[1]), text);

describe("an edit writes the field behind the topology", () => {
  test.each(TEXTS)("%s", (_, text, writable) => {
    for (const value of [1, 2, 4, 8]) {
      const edits = readIn(text)?.edit?.([{ setting: "coresPerSocket", value }]);
      if (!writable.includes(value)) {
        expect(edits, `${value}`).toBeUndefined();
        continue;
      }
      const { vcpus, coresPerSocket } = readIn(applied(text, edits ?? []))?.settings ?? {};
      expect([vcpus, coresPerSocket], applied(text, edits ?? [])).toMatchObject([{ value: 8 }, { value }]);
    }
  });

  test("a comment stays", () => {
    const text = TEXTS.find(([name]) => name === "a preference")?.[1] ?? "";
    const edits = readIn(text)?.edit?.([{ setting: "coresPerSocket", value: 4 }]) ?? [];
    expect(
      applied(text, edits)
        .split("\n")
        .filter((line) => !text.includes(line)),
    ).toEqual(["    preferredCPUTopology: spread", "    spreadOptions: { ratio: 4 }"]);
  });
});

const MANIFEST = (spec: string): string =>
  `resource "kubernetes_manifest" "vm" {\n  manifest = {\n    apiVersion = "kubevirt.io/v1"\n    kind = "VirtualMachine"\n    metadata = { name = "app01" }\n    spec = {\n      preference = { name = "windows.2k22" }\n${spec}    }\n  }\n}\n`;

/** Fixed lines of configurations; none without a fix. */
const CONFIGURATIONS: readonly (readonly [string, string, readonly string[]])[] = [
  [
    "sockets and cores",
    MANIFEST("      template = { spec = { domain = { cpu = {\n        sockets = 8\n        cores   = 1\n      } } } }\n"),
    ["        sockets = 1", "        cores   = 8"],
  ],
  ["sockets alone", MANIFEST("      template = { spec = { domain = { cpu = { sockets = 8 } } } }\n"), []],
  ["an instancetype", MANIFEST('      instancetype = { name = "u1.2xlarge" }\n      template = { spec = { domain = {} } }\n'), []],
];

describe("a fix of a manifest in Terraform", () => {
  test.each(CONFIGURATIONS)("%s", (_, text, lines) => {
    const { out } = vmlint(folder({ "main.tf": text }), ["--fix-dry-run", "--fix-unsafe", "main.tf"]);
    expect(out.split("\n").flatMap((line) => (/^\+[^+]/.test(line) ? line.slice(1) : []))).toEqual(lines);
  });
});

test("a VM of Harvester has its CPUs as cores of one socket", () => {
  const text = 'resource "harvester_virtualmachine" "vm" {\n  name = "db01"\n  cpu = 8\n  memory = "16Gi"\n}\n';
  const { out } = vmlint(folder({ "main.tf": text }), ["topology", "--format", "json", "main.tf"]);
  const [{ name, platform, topology }] = JSON.parse(out).vms;
  expect([name, platform, topology.vcpus, topology.sockets]).toEqual(["harvester_virtualmachine.vm", "kvm", 8, 1]);
});
