import type { Located } from "../../model/source.ts";
import type { SettingName, SettingTypes } from "../../model/spec.ts";
import { numberRuns, plural } from "../../model/words.ts";
import { builtinRule, type Description, type PageOf } from "../define.ts";

/** Formats of the actual state of a VM. */
const KEPT = new Set(["vmx", "govc"]);

/**
 * Formats that create VMs. Others are missing on purpose: a Terraform state describes, OVF packages and Packer templates are copied, and VM
 * classes and installers do not name a VM.
 */
const CODE = new Set(["terraform", "terraform-plan", "pulumi", "ansible", "vm-operator", "capv", "openshift", "vmlint"]);

const switched = (title: string) => (on: boolean) => `${title} ${on ? "on" : "off"}`;
const listed = (title: string) => (numbers: readonly number[] | "all") =>
  `${title} ${numbers === "all" ? "all" : numberRuns([...numbers].sort((a, b) => a - b)) || "none"}`;

/** The compared settings, with their names in messages. */
const WORDS: { readonly [K in SettingName]?: (value: SettingTypes[K]) => string } = {
  vcpus: (count) => plural(count, "vCPU"),
  // ESXi replaces an automatic value by a number at power-on.
  coresPerSocket: (cores) => (cores === "auto" ? "" : `${plural(cores, "core")} per socket`),
  coresPerNumaNode: (vcpus) => (vcpus === 0 ? "" : `NUMA nodes of ${plural(vcpus, "vCPU")}`),
  memoryMiB: (mebibytes) => `${mebibytes} MiB of memory`,
  hardwareVersion: (version) => `hardware version ${version}`,
  cpuHotAdd: switched("CPU hot add"),
  memoryHotAdd: switched("memory hot add"),
  latencySensitivity: (level) => `latency sensitivity ${level}`,
  cpuAffinity: listed("CPU affinity"),
  numaNodeAffinity: listed("NUMA node affinity"),
  maxVcpusPerVnumaNode: (vcpus) => `at most ${plural(vcpus, "vCPU")} a virtual NUMA node`,
};

const SETTINGS = [
  "vcpus",
  "coresPerSocket",
  "coresPerNumaNode",
  "memoryMiB",
  "hardwareVersion",
  "cpuHotAdd",
  "memoryHotAdd",
  "latencySensitivity",
  "cpuAffinity",
  "numaNodeAffinity",
  "maxVcpusPerVnumaNode",
] as const satisfies readonly (keyof typeof WORDS)[];

type Compared = (typeof SETTINGS)[number];

export const rule = builtinRule({
  id: "spec/contradiction",
  // Names need not be unique, and few descriptions have a UUID.
  severity: "info",
  over: "descriptions",
  reads: SETTINGS,
  messages: {
    differs: (d: { vm: string; setting: string; here: string; there: string; format: string }) =>
      `${d.vm} has ${d.here} here, and ${d.there} in its other description (${d.format}). vmlint does not know which is right: set the same value in both.`,
  },
  *check({ descriptions }) {
    for (const base of descriptions.filter(({ format }) => KEPT.has(format))) {
      for (const code of descriptions.filter(({ format }) => CODE.has(format))) {
        // The finding is only in the later file, to avoid duplicates.
        const [on, other] = descriptions.indexOf(base) < descriptions.indexOf(code) ? [code, base] : [base, code];
        for (const setting of SETTINGS) {
          const stated = settingValue(on, setting);
          const there = settingValue(other, setting);
          if (!stated || !there || stated.words === there.words) continue;
          yield {
            messageId: "differs",
            data: { vm: on.name, setting, here: stated.words, there: there.words, format: other.format },
            on,
            at: stated.range,
            related: [{ on: other, at: there.range, message: there.words }],
          };
        }
      }
    }
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "Two files describe the same VM differently",
  why: "The next run of the code changes the VM back, with a power cycle, or creates a VM that differs from the tested one. vmlint matches two descriptions by instance UUID or BIOS UUID, else by a unique display name. It compares only settings that both descriptions set, or that their format has a default for.",
  whenNot:
    "When the code only creates the VM and ignores later changes (`ignore_changes` of Terraform). Or when two different VMs share a name and one description has no UUID.",
  bad: [
    {
      title: "8 vCPUs in the VM's own file, 4 in Terraform",
      vmx: `displayName = "orders"\nnumvcpus = "8"\nmemSize = "16384"`,
      terraform: `resource "vsphere_virtual_machine" "orders" {\n  name     = "orders"\n  num_cpus = 4\n  memory   = 16384\n}`,
    },
  ],
  good: [
    {
      title: "Both have the same value",
      vmx: `displayName = "orders"\nnumvcpus = "8"\nmemSize = "16384"`,
      terraform: `resource "vsphere_virtual_machine" "orders" {\n  name     = "orders"\n  num_cpus = 8\n  memory   = 16384\n}`,
    },
    {
      title: "Two VMs with one name: the code may create either",
      vmx: [`displayName = "orders"\nnumvcpus = "8"\nmemSize = "16384"`, `displayName = "orders"\nnumvcpus = "8"\nmemSize = "16384"`],
      terraform: `resource "vsphere_virtual_machine" "orders" {\n  name     = "orders"\n  num_cpus = 4\n  memory   = 16384\n}`,
    },
    {
      title: "A variable without a value",
      vmx: `displayName = "orders"\nnumvcpus = "8"\nmemSize = "16384"`,
      terraform: `variable "cpus" {}\n\nresource "vsphere_virtual_machine" "orders" {\n  name     = "orders"\n  num_cpus = var.cpus\n  memory   = 16384\n}`,
    },
  ],
});

/** Returns the value of a setting in a description; nothing if it cannot be compared. */
function settingValue<K extends Compared>(description: Description<Compared>, setting: K) {
  const stated = description.valueOf(setting) as Located<SettingTypes[K]> | undefined;
  const words = stated && WORDS[setting]?.(stated.value);
  return words ? { words, range: stated.range } : undefined;
}
