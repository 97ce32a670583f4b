import { lastAnswer, onceEach } from "../model/memoize.ts";
import type { Format, FormatEntry } from "./format.ts";
import { mayHoldStatistics } from "./host-statistics/recognise.ts";
import { mayHoldProxmox } from "./proxmox/recognise.ts";
import { mayHoldTerraform } from "./terraform/recognise.ts";
import { GOVC_WORDS } from "./vi-json/recognise.ts";
import { vmx } from "./vmx/vmx.ts";
import { mayHoldYaml } from "./yaml/recognise.ts";

/** Every plan and state contains this. */
const DERIVED_WORDS = /"(?:planned_values|terraform_version)"/;
/** Readable versions: of `terraform show`, or of a raw state. */
const DERIVED_VERSION = /"format_version"\s*:\s*"[01]\.|"version"\s*:\s*4\b/;
/** Every log of a VM contains this. */
const VM_SETTINGS = /\bDICT --- CONFIGURATION\b/;
/** Every Packer template in JSON contains this, and no output of a program. */
const BUILDERS = /"builders"/;
/** A VM in a stack that Pulumi exports. */
const STACK_VM = /"urn:pulumi:[^"]*vsphere:index\/virtualMachine/;
/** A VM in a Pulumi YAML program. */
const PROGRAM_VM = /\bvsphere:(?:index[:/])?[vV]irtualMachine\b/;
const DEPLOYMENT = /"deployment"\s*:/;
const PLAN_WORDS = new RegExp(`${DERIVED_WORDS.source}|${BUILDERS.source}|${STACK_VM.source}`);

/** Whether a JSON text has properties of PowerCLI and no object of the API, which has more. */
const isFlat = (text: string): boolean =>
  /"NumCpu"\s*:/.test(text) && /"Memory(?:Total)?[GM]B"\s*:/.test(text) && !/"(?:NumCPU|CpuInfo)"/.test(text);

/** Folders have many other JSON files. The last text is remembered, so one search decides for both formats. */
const EITHER = new RegExp(`${PLAN_WORDS.source}|${GOVC_WORDS.source}`);
const JSON_WORDS = lastAnswer((text) => EITHER.test(text));

/** The namespaces of the envelope: OVF 1.x and 2.x, and 0.9. */
const OVF_NAMESPACES = ["http://schemas.dmtf.org/ovf/envelope/", "http://www.vmware.com/schema/ovf/1/envelope"];

/** Every domain of libvirt has its hypervisor. */
const DOMAIN = /<domain\b[^>]*\stype\s*=/;

export const formats: readonly FormatEntry[] = [
  {
    name: "vmx",
    extensions: [".vmx", ".vmtx"],
    templates: [".vmtx"],
    load: () => vmx,
    language: async () => (await import("./vmx/language.ts")).vmxLanguage,
  },
  {
    name: "vmware-log",
    extensions: [".log"],
    mayHold: (text) => VM_SETTINGS.test(text),
    mustBeNamed: true,
    load: async () => (await import("./vmware-log/vmware-log.ts")).vmwareLog,
  },
  // Before YAML: a plan may contain any text, such as an apiVersion, but no YAML document looks like a plan.
  {
    name: "plans",
    extensions: [".json", ".tfstate"],
    project: "file",
    mayHold: (text) =>
      JSON_WORDS(text) &&
      (BUILDERS.test(text) || (DERIVED_WORDS.test(text) && DERIVED_VERSION.test(text)) || (STACK_VM.test(text) && DEPLOYMENT.test(text))),
    isDerived: (text, { hasProject, read }) =>
      (hasProject && DERIVED_WORDS.test(text)) ||
      (STACK_VM.test(text) && ["Pulumi.yaml", "Pulumi.yml"].some((name) => PROGRAM_VM.test(read(name) ?? ""))),
    load: async () => (await import("./plans/plans.ts")).plans,
  },
  {
    name: "yaml",
    extensions: [".yaml", ".yml", ".json"],
    mayHold: mayHoldYaml,
    load: async () => (await import("./yaml/yaml.ts")).yaml,
    language: async () => (await import("./yaml/language.ts")).yamlLanguage,
  },
  {
    name: "terraform",
    extensions: [".tf", ".tf.json", ".tofu", ".tofu.json"],
    mayHold: mayHoldTerraform,
    values: [".tfvars", ".tfvars.json"],
    project: "folders",
    load: async () => (await import("./terraform/terraform.ts")).terraform,
  },
  {
    name: "packer",
    extensions: [".pkr.hcl", ".pkr.json"],
    mayHold: (text) => /vsphere-(?:iso|clone|supervisor)|vmware-(?:iso|vmx)/.test(text),
    values: [".pkrvars.hcl", ".pkrvars.json"],
    project: "folders",
    load: async () => (await import("./packer/packer.ts")).packer,
  },
  {
    name: "powercli",
    extensions: [".csv", ".json"],
    mayHold: (text) => (/^\s*[[{]/.test(text) ? isFlat(text) : /^\ufeff?(?:#TYPE [^\n]*\n)?"?(?:[^\r\n]*[",;])?NumCpu\b/.test(text)),
    listsHosts: true,
    load: async () => (await import("./table/table.ts")).table,
  },
  {
    name: "govc",
    extensions: [".json"],
    mayHold: (text) => JSON_WORDS(text) && GOVC_WORDS.test(text),
    listsHosts: true,
    load: async () => (await import("./vi-json/govc.ts")).govc,
  },
  {
    name: "ovf",
    extensions: [".ovf", ".xml"],
    mayHold: (text) => OVF_NAMESPACES.some((namespace) => text.includes(namespace)),
    load: async () => (await import("./ovf/ovf.ts")).ovf,
  },
  {
    name: "proxmox",
    extensions: [".conf"],
    mayHold: mayHoldProxmox,
    load: async () => (await import("./proxmox/proxmox.ts")).proxmox,
  },
  {
    name: "libvirt",
    extensions: [".xml"],
    mayHold: (text) => DOMAIN.test(text),
    load: async () => (await import("./libvirt/libvirt.ts")).libvirt,
  },
  {
    name: "rvtools",
    extensions: [".xlsx"],
    isPacked: true,
    listsHosts: true,
    load: async () => (await import("./rvtools/rvtools.ts")).rvtools,
  },
  {
    name: "rvtools-csv",
    extensions: [".csv"],
    mayHold: (text) => /^\ufeff?"?(?:(?:VM|vInfoVMName)"?[,;\t].*Powerstate\b|(?:Host|vHostName)"?[,;\t].*Cores ?per ?CPU\b)/i.test(text),
    listsHosts: true,
    load: async () => (await import("./rvtools/rvtools.ts")).rvtools,
  },
  {
    name: "rvtools-zip",
    extensions: [".zip"],
    isPacked: true,
    mustBeNamed: true,
    listsHosts: true,
    load: async () => (await import("./rvtools/rvtools.ts")).rvtools,
  },
  // Before tables: both have rows.
  {
    name: "host-statistics",
    extensions: [".csv", ".log"],
    mayHold: mayHoldStatistics,
    mustBeNamed: true,
    listsHosts: true,
    load: async () => (await import("./host-statistics/host-statistics.ts")).hostStatistics,
  },
  {
    name: "table",
    extensions: [".csv", ".jsonl", ".ndjson"],
    mustBeNamed: true,
    load: async () => (await import("./table/table.ts")).table,
  },
  { name: "ova", extensions: [".ova"], isPacked: true, load: async () => (await import("./ovf/ovf.ts")).ova },
];

export const entryNamed = (name: string): FormatEntry => formats.find((entry) => entry.name === name) as FormatEntry;

/** The format of a text without a file name. */
export const defaultFormat: Format = vmx;

/** The last two parts of a file name, or the last one: no extension of a format has more. */
const ENDING = /(?:\.[^./\\]{1,9})?\.[^./\\]{1,9}$/;

/** Returns the formats that fit a file name. The content selects among them, and their parsers check it. */
export function formatsOf(path: string): readonly FormatEntry[] {
  return withEnding(ENDING.exec(path)?.[0] ?? "");
}

/** Returns the formats that fit the name of a file in a folder. */
export const searchedFormatsOf = (path: string): readonly FormatEntry[] => formatsOf(path).filter(({ mustBeNamed }) => !mustBeNamed);

/** A folder has many files, but few extensions. */
const withEnding = onceEach((ending) => nearestTo(ending.toLowerCase(), formats, ({ extensions }) => extensions));

/** Returns the project formats that a file name fits, for files with VMs or with values. */
export function projectsOf(path: string): readonly FormatEntry[] {
  return nearestTo(
    path.toLowerCase(),
    formats.filter((entry) => !isAlone(entry)),
    ({ extensions, values = [] }) => [...extensions, ...values],
  );
}

/** Whether each file of a format is independent. */
export const isAlone = ({ project }: FormatEntry): boolean => project === undefined;

/** Whether a format has projects. */
export const isJoint = (entry: FormatEntry | undefined): entry is FormatEntry => entry !== undefined && !isAlone(entry);

/** Returns the first format that any part of a text may be of; `undefined` if none. A format without a test accepts any text. */
export function firstHolding(candidates: readonly FormatEntry[], parts: Iterable<string>): FormatEntry | undefined {
  let open = candidates;
  let held: FormatEntry | undefined;
  for (const part of parts) {
    const found = open.findIndex(({ mayHold }) => !mayHold || mayHold(part));
    if (found >= 0) [held, open] = [open[found], open.slice(0, found)];
    if (open.length === 0) break;
  }
  return held;
}

/** Returns the single-file format of a text; `undefined` if no format accepts it. */
export const formatHolding = (path: string, text: string): FormatEntry | undefined => firstHolding(formatsOf(path).filter(isAlone), [text]);

/** Returns the project format of a text, by its file name and content. */
export const projectHolding = (path: string, text: string): FormatEntry | undefined =>
  projectsOf(path).find(({ project, mayHold }) => project === "folders" || mayHold?.(text));

/** Whether any format accepts a text. */
export const isClaimed = (path: string, text: string): boolean =>
  projectHolding(path, text) !== undefined || formatHolding(path, text) !== undefined;

/** Whether the file name marks templates, which never run. */
export function isTemplate(path: string): boolean {
  const name = path.toLowerCase();
  return formats.some(({ templates = [] }) => endsIn(name, templates));
}

/** Returns the entries with the longest matching extension: .tf.json is more specific than .json. */
function nearestTo<E extends FormatEntry>(name: string, entries: readonly E[], endingsOf: (entry: E) => readonly string[]): readonly E[] {
  const lengths = entries.map((entry) => Math.max(0, ...endingsOf(entry).map((ending) => (name.endsWith(ending) ? ending.length : 0))));
  const longest = Math.max(...lengths);
  return longest === 0 ? [] : entries.filter((_, i) => lengths[i] === longest);
}

const endsIn = (name: string, extensions: readonly string[]): boolean => extensions.some((extension) => name.endsWith(extension));
