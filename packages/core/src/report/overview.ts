import { plural } from "../model/words.ts";
import type { PageById } from "../rules/page-of.ts";
import { checkedVms, subjectsFound } from "./counts.ts";
import type { FindingInFile } from "./entries.ts";
import { countWords, type FindingGroup, groupedByRule, type RuleGroup } from "./finding-groups.ts";
import type { Palette } from "./palette.ts";
import { padded, printable, widthOf } from "./printable.ts";
import type { FileResult } from "./result.ts";
import { wrapped } from "./wrap.ts";

/** The context of an overview. */
interface Overview {
  readonly palette: Palette;
  readonly page: PageById;
  /** Returns the severity and the rule of a finding, with its place and its VM. */
  readonly head: (finding: FindingInFile) => readonly string[];
  /** The most lines. */
  readonly most: number;
}

/** Infos and hints are notes. */
const isNote = ({ counts }: FindingGroup): boolean => counts.error + counts.warning === 0;

/** Returns what is wrong, on how many VMs and hosts, and what to do first: errors and warnings with one finding of each rule, and one line for each note. */
export function overview(results: readonly FileResult[], findings: readonly FindingInFile[], about: Overview): readonly string[] {
  const groups = groupedByRule(findings);
  const [problems, notes] = [groups.filter((group) => !isNote(group)), groups.filter(isNote)];
  const rows = noteLines(notes, about);
  const start = startWords(results, problems[0], about.page);
  const lines = start === undefined ? [] : wrapped(start, about.palette.width).map(about.palette.bold);
  let shown = 0;
  for (const group of problems) {
    const block = problemBlock(group, about);
    // Notes need at most a half of the lines.
    if (shown > 0 && lines.length + block.length + Math.min(rows.length, about.most / 2) + 1 > about.most) break;
    lines.push(...block);
    shown++;
  }
  const left = Math.max(about.most - lines.length - 1, Math.min(rows.length, 2));
  const fits = rows.length <= left;
  const rest = [...problems.slice(shown), ...(fits ? [] : notes.slice(left - 2))];
  lines.push(...(fits ? rows : rows.slice(0, left - 1)));
  const others = rest.map(({ name }) => name).join(", ");
  return [
    ...lines,
    ...(rest.length > 0 ? wrapped(printable(`${plural(rest.length, "more rule")}: ${others}.`), about.palette.width, 2) : []),
  ];
}

/** Returns how many VMs and hosts have an error or a warning, and where to start; `undefined` if there is none. `first`: the worst rule. */
export function startWords(results: readonly FileResult[], first: FindingGroup | undefined, page: PageById): string | undefined {
  if (!first || isNote(first)) return undefined;
  const grave = results.map((file) => {
    return { ...file, diagnostics: file.diagnostics.filter(({ severity }) => severity === "error" || severity === "warning") };
  });
  const { vmsWithFindings, hostsWithFindings } = subjectsFound(grave);
  const hosts = hostsWithFindings > 0 ? ` and ${plural(hostsWithFindings, "host")}` : "";
  const who = `${vmsWithFindings} of ${plural(checkedVms(results), "VM")}${hosts}`;
  const summary = page(first.name)?.summary;
  const what = summary === undefined ? first.name : `"${summary}" (${first.name})`;
  return `Errors or warnings on ${who}. Start with ${what}: ${countWords(first)}.`;
}

/** Returns the number of VMs and hosts of a group, by their clusters. */
function subjectWords({ vms, hosts, clusters }: FindingGroup): string {
  const counted = [...(hosts > 0 ? [plural(hosts, "host")] : []), ...(vms > 0 ? [plural(vms, "VM")] : [])].join(" and ");
  const all = [...clusters].sort(([, a], [, b]) => b - a);
  const shown = all.slice(0, MOST_CLUSTERS).map(([name, count]) => `${name} ${count}`);
  const more = all.length > shown.length ? ` and ${all.length - shown.length} more` : "";
  return printable(shown.length > 0 ? `${counted} (${shown.join(", ")}${more})` : counted);
}

const MOST_CLUSTERS = 3;

function problemBlock(group: RuleGroup, { palette, head }: Overview): readonly string[] {
  const who = subjectWords(group);
  const [line = "", ...rest] = head(group.first);
  const also = group.others === "" ? "" : ` Also ${group.others}.`;
  return [line, ...rest, ...wrapped(`  ${who ? `${who}: ` : ""}${printable(group.first.diagnostic.message)}${also}`, palette.width)];
}

/** How to make notes quiet. */
const TURN_OFF = "rules: { RULE: off } in vmlint.yaml turns one off";

/** Returns a line about notes, if an inventory has some. */
export function noteHint(results: readonly FileResult[]): readonly string[] {
  const isNoted = results.some(
    ({ inventoryVms, diagnostics }) => inventoryVms && diagnostics.some(({ severity }) => severity === "info" || severity === "hint"),
  );
  return isNoted ? [`Notes (infos and hints): ${TURN_OFF}.`] : [];
}

/** Returns a line for each note, below the setting that turns one off. */
function noteLines(notes: readonly FindingGroup[], { palette, page }: Overview): readonly string[] {
  if (notes.length === 0) return [];
  const cells = notes.map((group) => {
    const { first, name } = group;
    return [subjectWords(group), page(name)?.summary ?? printable(first.diagnostic.message), name] as const;
  });
  const widths = [0, 1].map((at) => Math.max(...cells.map((row) => widthOf(row[at] ?? ""))));
  const row = (texts: readonly string[]): string =>
    `  ${texts.map((text, at) => (widths[at] === undefined ? text : padded(text, widths[at]))).join("  ")}`;
  const fits = palette.width === undefined || widthOf(row(cells[0] ?? [])) + 30 <= palette.width;
  const isShort = (line: string): boolean => palette.width === undefined || widthOf(line) <= palette.width;
  // One line is one note: without room for its summary, it has only the rule.
  const lines = cells.map(([who, summary, name]) =>
    fits ? row([who, summary, name]) : ([`  ${who}, ${summary}, ${name}`].find(isShort) ?? `  ${who}, ${name}`),
  );
  return [palette.dim(`Notes; ${TURN_OFF}:`), ...lines];
}
