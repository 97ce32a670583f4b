import type { Format, FormatEntry } from "./format.ts";
import { vmx } from "./vmx/vmx.ts";

export const formats: readonly FormatEntry[] = [
  { name: "vmx", extensions: [".vmx", ".vmtx"], templates: [".vmtx"], load: () => vmx },
  {
    name: "yaml",
    extensions: [".yaml", ".yml"],
    mayHold: (text) => text.includes("vmlint.dev/"),
    load: async () => (await import("@vmlint/core/yaml")).yaml,
  },
];

/** What a text without a file name is taken for. */
export const defaultFormat: Format = vmx;

/** The format a file's name promises; its content has the last word inside the format's own parser. */
export function formatOf(path: string): FormatEntry | undefined {
  return formats.find(({ extensions }) => endsIn(path, extensions));
}

/** Whether a file's name says that its VMs are templates, which never run. */
export const isTemplate = (path: string): boolean => formats.some(({ templates = [] }) => endsIn(path, templates));

function endsIn(path: string, extensions: readonly string[]): boolean {
  const name = path.toLowerCase();
  return extensions.some((extension) => name.endsWith(extension));
}
