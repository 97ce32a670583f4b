import type { Part } from "../parse/language.ts";
import type { OpenDocument } from "./document.ts";

/** The parts of a document: its language's own, or its VMs. */
export function outlineOf({ text, language, result }: OpenDocument): readonly Part[] {
  if (result.foreign !== undefined) return [];
  if (language?.outline) return language.outline(text);
  return result.vms.map(({ spec: { name, format, range } }) => ({
    name: name || "VM",
    detail: format,
    range,
    nameRange: range,
    parts: [],
  }));
}
