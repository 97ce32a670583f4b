import type { OutlinePart } from "../syntax/language.ts";
import { namesIn, type OpenDocument } from "./document.ts";

/** The parts of a document: its language's own, or its VMs. */
export function outlineOf(document: OpenDocument): readonly OutlinePart[] {
  const { text, language, result } = document;
  if (result.foreign !== undefined) return [];
  if (language?.outline) return language.outline(text);
  return result.vms.flatMap((vm) => {
    const { name, format } = vm.spec;
    return namesIn(document, vm).map((range) => ({ name: name || "VM", detail: format, range, nameRange: range, parts: [] }));
  });
}
