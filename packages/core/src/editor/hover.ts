import type { Hover } from "../parse/language.ts";
import { headline, NO_HOST } from "../report/topology-text.ts";
import { layoutOf, type OpenDocument, settingAt, vmAt } from "./document.ts";

/** What stands at an offset: what it means, what its value comes to, and the layout of the VM it belongs to. */
export function hoverAt(document: OpenDocument, offset: number): Hover | undefined {
  const meaning = document.language?.hover(document.text, offset);
  const at = settingAt(document, offset);
  const range = meaning?.range ?? at?.setting.range;
  if (!range || document.result.foreign !== undefined) return undefined;
  const vm = at?.vm ?? vmAt(document, offset);
  const parts = [
    meaning?.markdown,
    at && !meaning ? `**${at.name}**${at.setting.state === "known" ? ` = ${valueText(at.setting.value)}` : ""}` : undefined,
    at?.setting.state === "unknown" ? `Not known: ${escapeMarkdown(at.setting.reason)}.` : undefined,
    vm && layoutMarkdown(vm),
  ];
  return { range, markdown: parts.filter((part) => part !== undefined).join("\n\n") };
}

/** The layout in a line, and why there is none. */
function layoutMarkdown(vm: Parameters<typeof layoutOf>[0]): string {
  const { host } = vm.target;
  const result = layoutOf(vm);
  if (!host || !result) return `_${NO_HOST}_`;
  if (result.ok) return `${escapeMarkdown(headline(vm.spec.name, result.topology, host))} _(${result.topology.certainty})_`;
  return `${escapeMarkdown(headline(vm.spec.name, undefined, host))}: ${result.reasons.map(({ text }) => escapeMarkdown(text)).join("; ")}`;
}

const valueText = (value: unknown): string => `\`${(Array.isArray(value) ? value.join(",") : String(value)).replaceAll("`", "")}\``;

/** A file's own words never become markup, nor a link. */
export const escapeMarkdown = (text: string): string => text.replace(/[\\`*_[\]<>|~&]/g, "\\$&");
