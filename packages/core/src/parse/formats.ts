import type { Format } from "./format.ts";
import { vmx } from "./vmx/vmx.ts";

export const formats: readonly Format[] = [vmx];

/** What a text without a file name is taken for. */
export const defaultFormat: Format = vmx;

/** The format a file's name promises; its content has the last word inside the format's own parser. */
export function formatOf(path: string): Format | undefined {
  const name = path.toLowerCase();
  return formats.find((format) => format.extensions.some((extension) => name.endsWith(extension)));
}
