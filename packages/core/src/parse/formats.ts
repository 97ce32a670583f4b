import type { Format, FormatEntry, ProjectEntry } from "./format.ts";
import { vmx } from "./vmx/vmx.ts";

export const formats: readonly (FormatEntry | ProjectEntry)[] = [
  {
    name: "vmx",
    extensions: [".vmx", ".vmtx"],
    templates: [".vmtx"],
    load: () => vmx,
    language: async () => (await import("@vmlint/core/vmx-language")).vmxLanguage,
  },
  {
    name: "yaml",
    extensions: [".yaml", ".yml"],
    mayHold: (text) => text.includes("vmlint.dev/"),
    load: async () => (await import("@vmlint/core/yaml")).yaml,
  },
  {
    name: "terraform",
    extensions: [".tf", ".tf.json", ".tofu", ".tofu.json"],
    mayHold: (text) => /vsphere_virtual_machine|esxi_guest|vcd_v(?:app_)?m|\bmodule\b/.test(text),
    loadProject: async () => (await import("@vmlint/core/terraform")).terraform,
  },
  {
    name: "packer",
    extensions: [".pkr.hcl", ".pkr.json"],
    mayHold: (text) => /vsphere-(?:iso|clone|supervisor)|vmware-(?:iso|vmx)/.test(text),
    loadProject: async () => (await import("@vmlint/core/packer")).packer,
  },
  {
    name: "plans",
    extensions: [".json", ".tfstate"],
    derived: true,
    mayHold: (text) => /"(?:planned_values|terraform_version|builders)"/.test(text),
    loadProject: async () => (await import("@vmlint/core/plans")).plans,
  },
];

/** What a text without a file name is taken for. */
export const defaultFormat: Format = vmx;

/** The format a file's name promises; its content has the last word inside the format's own parser. */
export function formatOf(path: string): FormatEntry | ProjectEntry | undefined {
  return formats.find(({ extensions }) => endsIn(path, extensions));
}

/** Whether a file's name says that its VMs are templates, which never run. */
export const isTemplate = (path: string): boolean => formats.some(({ templates = [] }) => endsIn(path, templates));

function endsIn(path: string, extensions: readonly string[]): boolean {
  const name = path.toLowerCase();
  return extensions.some((extension) => name.endsWith(extension));
}
