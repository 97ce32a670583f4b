import type { OutlinePart } from "../syntax/language.ts";
import { namesIn, type OpenDocument } from "./document.ts";

/** The outline of a document: by its language, or by its VMs. */
export function outlineOf(document: OpenDocument): readonly OutlinePart[] {
  const { text, language, result } = document;
  if (result.foreign !== undefined) return [];
  if (language?.outline) return language.outline(text);
  return result.vms.flatMap((vm) => {
    const { name, format } = vm.spec;
    return namesIn(document, vm).map((range) => ({ name: name || "VM", detail: format, range, nameRange: range, parts: [] }));
  });
}
