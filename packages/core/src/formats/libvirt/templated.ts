import { isTemplate } from "../../syntax/template-marker.ts";
import type { Element } from "../../syntax/xml/xml.ts";

/** The elements that decide a machine. */
const DECIDING: ReadonlySet<string> = new Set(["cpu", "numa", "numatune", "cputune", "vcpus"]);

/** Comments, and the closing tag. */
const NO_TEXT = /<!--[\s\S]*?-->|<\/[^>]*>\s*$/g;

/** Whether a template may add or remove elements that decide the machine: `{{ cpu }}` or `{% if big %}` between two elements. */
export const isTemplated = (element: Element, text: string): boolean =>
  gapsOf(element, text).some((gap) => isTemplate(gap.replace(NO_TEXT, "").trim())) ||
  element.children.some((child) => DECIDING.has(child.name) && isTemplated(child, text));

/** Returns the texts between the tags of the children. */
function gapsOf({ children, tag, end }: Element, text: string): readonly string[] {
  const starts = [tag[1], ...children.map((child) => child.end)];
  return starts.map((start, i) => text.slice(start, children[i]?.tag[0] ?? end));
}
