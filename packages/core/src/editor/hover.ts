import type { EvaluatedPlace, EvaluatedValue } from "../formats/project.ts";
import type { LintedVm } from "../lint/target.ts";
import type { Cell } from "../model/cell.ts";
import { type Range, valueIfKnown } from "../model/source.ts";
import type { Waypoint } from "../model/spec.ts";
import { possibleTopologies } from "../platforms/esxi/possible.ts";
import { certaintyWords, headline, possibleHeadline } from "../report/headline.ts";
import { nodeNeedWords } from "../report/node-need.ts";
import { guestLines, NO_HOST } from "../report/topology-text.ts";
import type { Hover } from "../syntax/language.ts";
import { type OpenDocument, type Place, placeIn, placesOf, type Row, rowOf, type SettingAt, settingsAt, vmsAround } from "./document.ts";

/** Returns the link to a place; none if it has no target. */
export type LinkTo = (place: Place) => string | undefined;

/** Returns the hover at an offset: the meaning of a key, its value with its origin, and the layouts of its VMs. */
export function hoverAt(document: OpenDocument, offset: number, linkTo: LinkTo = () => undefined): Hover | undefined {
  if (document.result.foreign !== undefined) return undefined;
  const row = rowOf(document);
  const meaning = document.language?.hover(document.text, offset);
  const settings = settingsAt(document, offset);
  const evaluated = row.valueAt(offset + row.start);
  const [first] = settings;
  const found = document.result.diagnostics.filter(({ range: [start, end] }) => start <= offset && offset <= end);
  const shown =
    evaluated?.range ?? (first && placeAt(row, offset, first)) ?? found.find(({ cell }) => cell)?.range ?? nameAt(document, offset);
  const range = meaning?.range ?? (shown && placeIn(document, shown));
  if (!range) return undefined;
  const way =
    evaluated?.values.length === 1 ? evaluated.values[0]?.trace : evaluated ? undefined : first?.vm.spec.traceTo?.(first.setting.range);
  const vms = settings.length > 0 ? settings.map(({ vm }) => vm) : vmsAround(document, offset);
  return {
    range,
    markdown: paragraphs(
      meaning?.markdown,
      evaluated && evaluatedMarkdown(evaluated),
      ...(meaning ? [] : settingsMarkdown(settings, evaluated && singleValueText(evaluated))),
      ...(evaluated ? [] : reasonsMarkdown(settings)),
      way && wayMarkdown(way, row, linkTo),
      ...shortened(distinct(vms.slice(0, MOST_LAID_OUT).map(layoutMarkdown))),
      ...(vms[0] ? rowsMarkdown(vms[0], [vms[0].spec.cellAt?.(range), ...found.map(({ cell }) => cell)]) : []),
    ),
  };
}

/** Returns the rows of some cells, each with the titles of its columns. */
function rowsMarkdown({ spec }: LintedVm, cells: readonly (Cell | undefined)[]): readonly string[] {
  const known = cells.filter((cell) => cell !== undefined);
  const rows = new Map(
    known.map(({ path, sheet, row }) => [`${path} ${sheet} ${row}`, known.filter((one) => one.sheet === sheet && one.row === row)]),
  );
  return [...rows.values()].flatMap((marked) => {
    const [first] = marked;
    if (!first || !spec.rowOf) return [];
    const lines = spec.rowOf(first).map(({ column, title, value }) => {
      const [shownTitle, shownValue] = [title, value].map(escapeMarkdown);
      return marked.some((cell) => cell.column === column)
        ? `| **${shownTitle}** | **${shownValue}** |`
        : `| ${shownTitle} | ${shownValue} |`;
    });
    return [`| ${escapeMarkdown(first.sheet)} | row ${first.row} |`, "|---|---|", ...lines].join("\n");
  });
}

const paragraphs = (...parts: readonly (string | undefined)[]): string => parts.filter((part) => part !== undefined).join("\n\n");

const reasonsMarkdown = (settings: readonly SettingAt[]): readonly string[] =>
  distinct(settings.flatMap(({ setting }) => (setting.state === "unknown" ? `Not known: ${escapeMarkdown(setting.reason)}.` : [])));

/** The most layouts to compute for a hover; few of them differ. */
const MOST_LAID_OUT = 200;

/** The most listed VMs and values; further ones are counted. */
const MOST_SHOWN = 4;

/** Returns the step of a setting's trace at an offset. */
const placeAt = (row: Row, offset: number, { vm, setting }: SettingAt): Range | undefined =>
  placesOf(vm, setting.range).find(([start, end]) => start <= offset + row.start && offset + row.start <= end);

/** Returns the range of a VM's name at an offset, in the joined files. */
function nameAt(document: OpenDocument, offset: number): Range | undefined {
  const { start: from, partsOf } = rowOf(document);
  const at = offset + from;
  const names = document.result.vms.flatMap(({ spec }) => partsOf(spec)).map(({ name }) => name);
  return names.find(([start, end]) => start <= at && at <= end);
}

function evaluatedMarkdown({ values }: EvaluatedPlace): string {
  const [first, second] = values;
  if (first && !second) return worthOf(first);
  return shortened(
    values.map((value) => `- ${worthOf(value)}${value.of.length > 0 ? ` in ${shortened(value.of.map(code)).join(", ")}` : ""}`),
  ).join("\n");
}

const worthOf = ({ text, reason = "" }: EvaluatedValue): string =>
  text === undefined ? `Not known: ${escapeMarkdown(reason)}.` : `= ${code(text)}`;

/** Returns the value of an expression if it has only one. */
function singleValueText({ values: [first, second] }: EvaluatedPlace): string | undefined {
  if (!first || second) return undefined;
  return first.text === undefined ? NOT_KNOWN : code(first.text);
}

const NOT_KNOWN = "not known";

/** Returns the settings and VMs of a value, with the values that the hover does not show yet. */
function settingsMarkdown(settings: readonly SettingAt[], evaluatedText: string | undefined): readonly string[] {
  const names = distinct(settings.map(({ name }) => name));
  return names.map((name) => {
    const ownSettings = settings.filter((setting) => setting.name === name);
    const values = distinct(ownSettings.map(({ setting }) => (setting.state === "known" ? valueText(valueIfKnown(setting)) : NOT_KNOWN)));
    const vms = shortened(distinct(ownSettings.map(({ vm }) => code(vm.spec.name))));
    const isInText = values.length === 1 && values[0] === evaluatedText;
    return `**${name}**${isInText ? "" : ` = ${shortened(values).join(", ")}`} of ${vms.join(", ")}`;
  });
}

function wayMarkdown(way: readonly Waypoint[], row: Row, linkTo: LinkTo): string | undefined {
  const lines = way.map(({ message, range }) => {
    const link = linkTo(row.placeOf(range));
    return `- ${link === undefined ? escapeMarkdown(message) : `[${escapeMarkdown(message)}](${link})`}`;
  });
  return lines.length > 0 ? lines.join("\n") : undefined;
}

function shortened(texts: readonly string[]): readonly string[] {
  return texts.length > MOST_SHOWN ? [...texts.slice(0, MOST_SHOWN), `and ${texts.length - MOST_SHOWN} more`] : texts;
}

const distinct = <T>(items: readonly T[]): readonly T[] => [...new Set(items)];

/** Returns the layout in one line, or why there is none. */
function layoutMarkdown(vm: LintedVm): string {
  const guest = guestLines(vm);
  if (guest) return [code(guest[0]), ...guest.slice(1).map(escapeMarkdown)].join(" ");
  const { host } = vm.target;
  const result = host && possibleTopologies(vm.spec, host, vm.target.workload);
  if (!host || !result) return `_${[nodeNeedWords(vm.spec), NO_HOST].filter(Boolean).join(" ")}_`;
  if (result.ok) return `${code(possibleHeadline(result, host))} _(${certaintyWords(result)})_`;
  return `${code(headline(vm.spec.name, undefined, host))}: ${result.reasons.map(({ text }) => escapeMarkdown(text)).join("; ")}`;
}

const valueText = (value: unknown): string => code(Array.isArray(value) ? value.join(",") : String(value));

const code = (text: string): string => `\`${text.replaceAll("`", "").replace(/\s+/g, " ")}\``;

/** Escapes the texts of a file, so that they never become markup or a link. GFM makes links of `a@b.c`, `http://` and `www.`, too. */
const escapeMarkdown = (text: string): string => text.replace(/[\\`*_[\]<>|~&@]|:(?=\/\/)|(?<=www)\./gi, "\\$&");
