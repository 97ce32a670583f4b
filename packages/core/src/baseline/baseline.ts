import type { Diagnostic, Suppressed } from "../model/diagnostic.ts";
import { VmlintError } from "../model/errors.ts";
import { addTo } from "../model/maps.ts";
import { LineIndex, pointedAt } from "../model/source.ts";
import type { FileResult } from "../report/result.ts";

/**
 * A finding that is known and left for later. It is told by what it is about, never by its line: other lines come and go. A
 * setting whose value changes is another finding.
 */
export interface Known {
  /** Relative to the baseline, with forward slashes. */
  readonly path: string;
  readonly vm: string | null;
  /** The other VMs of one place, such as those of a loop: what is known of one of them is known of that place. */
  readonly others?: readonly string[];
  readonly rule: string;
  /** The text that the finding points at, without what does not matter about it. */
  readonly value: string;
  /** How many VMs it is about, where a rule looks at several: one about more is another finding, one about fewer is none. */
  readonly vms?: number;
  /** How many such findings there are. */
  readonly count: number;
}

export interface BaselineOptions {
  readonly known: readonly Known[];
  /** The path of a file as the baseline names it. */
  readonly pathOf: (file: FileResult) => string;
  /** Whether a rule looked at a file: of an entry that nothing looked for, it is not known whether it still holds. */
  readonly ran: (path: string, rule: string) => boolean;
}

export interface Hidden {
  readonly files: readonly FileResult[];
  /** What is in the baseline and was looked for, but not found. */
  readonly stale: readonly Known[];
}

type About = Omit<Known, "vms" | "count">;

const keyOf = ({ path, vm, rule, value }: About): string => JSON.stringify([path, rule, vm, value]);

/** A key for each VM that it is about. */
const keysOf = (about: About): readonly string[] => [about.vm, ...(about.others ?? [])].map((vm) => keyOf({ ...about, vm }));

const aboutOf = (path: string, text: string, { vm, vms = [], ruleId, range }: Diagnostic): About => ({
  path,
  vm,
  ...(vms.length > 1 && { others: vms.slice(1) }),
  rule: ruleId,
  value: pointedAt(text, range),
});

const vmsOf = ({ vms = 1 }: Pick<Known, "vms">): number => vms;

/** What tells an entry from every other. */
const keyOfEntry = (one: Known): string => `${keysOf(one)} ${vmsOf(one)}`;

/** Entries by what they are about, each with how many findings it may still hide; those of the fewest VMs first. */
export type Left = ReadonlyMap<string, readonly { readonly entry: Known; count: number }[]>;

export function leftOf(known: readonly Known[]): Left {
  const left = new Map<string, { readonly entry: Known; count: number }[]>();
  for (const entry of merged(known)) {
    const one = { entry, count: entry.count };
    for (const key of keysOf(entry)) addTo(left, key, one);
  }
  return left;
}

/** The findings of one file that are not in what is left of a baseline; those that are get struck off. */
export function hideKnown(path: string, text: string, diagnostics: readonly Diagnostic[], left: Left) {
  const hidden = new Set<Diagnostic>();
  const hide = (diagnostic: Diagnostic, keys: readonly string[], fits: (entry: Known) => boolean): void => {
    const { among = 1 } = diagnostic;
    const entries = keys.flatMap((key) => left.get(key) ?? []);
    const hides = entries.find(({ entry, count }) => count > 0 && vmsOf(entry) >= among && fits(entry));
    if (!hides) return;
    hides.count--;
    hidden.add(diagnostic);
  };
  const all = diagnostics.map((diagnostic) => ({ diagnostic, keys: keysOf(aboutOf(path, text, diagnostic)) }));
  // Entries of the same VMs first: a finding that shares one of them would take the entry away from its own.
  for (const { diagnostic, keys } of all) hide(diagnostic, keys, (entry) => `${keysOf(entry)}` === `${keys}`);
  for (const { diagnostic, keys } of all) if (!hidden.has(diagnostic)) hide(diagnostic, keys, () => true);
  return {
    diagnostics: diagnostics.filter((one) => !hidden.has(one)),
    suppressed: [...hidden].map((diagnostic): Suppressed => ({ diagnostic, by: "baseline", reason: null })),
  };
}

/** Hides the known findings of a run. Pure. */
export function applyBaseline(files: readonly FileResult[], { known, pathOf, ran }: BaselineOptions): Hidden {
  const left = leftOf(known);
  const results = files.map((file) => {
    const { diagnostics, suppressed } = hideKnown(pathOf(file), file.text, file.diagnostics, left);
    return suppressed.length === 0 ? file : { ...file, diagnostics, suppressed: [...(file.suppressed ?? []), ...suppressed] };
  });
  return { files: results, stale: remaining(left).filter(({ path, rule }) => ran(path, rule)) };
}

const remaining = (left: Left): readonly Known[] =>
  [...new Set([...left.values()].flat())].flatMap(({ entry, count }) => (count > 0 ? { ...entry, count } : []));

/** The baseline of what a run found; entries that nothing looked for stay as they are, unless the same was found, of however many VMs. */
export function updatedBaseline(files: readonly FileResult[], { known, pathOf, ran }: BaselineOptions): readonly Known[] {
  const unsure = known.filter(({ path, rule }) => !ran(path, rule));
  const left = leftOf(unsure);
  const found = files.flatMap((file) => {
    const path = pathOf(file);
    const { diagnostics: more } = hideKnown(path, file.text, file.diagnostics, left);
    const ofAnyNumber = more.map((one) => ({ ...one, ...(one.among !== undefined && { among: 0 }) }));
    hideKnown(path, file.text, ofAnyNumber, left);
    return file.diagnostics.map((one): Known => ({ ...aboutOf(path, file.text, one), vms: one.among ?? 1, count: 1 }));
  });
  return merged([...found, ...remaining(left)]);
}

/** A baseline without its stale entries. */
export function prunedBaseline(known: readonly Known[], stale: readonly Known[]): readonly Known[] {
  return merged([...known, ...stale.map((one) => ({ ...one, count: -one.count }))]).filter(({ count }) => count > 0);
}

/** Each entry once, in order. */
function merged(known: readonly Known[]): readonly Known[] {
  const byKey = new Map<string, Known>();
  for (const one of known) {
    const key = keyOfEntry(one);
    byKey.set(key, { ...one, count: one.count + (byKey.get(key)?.count ?? 0) });
  }
  return [...byKey.values()]
    .map((one) => ({ one, key: `${keysOf(one)}` }))
    .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : vmsOf(a.one) - vmsOf(b.one)))
    .map(({ one }) => one);
}

/** The text of a baseline: sorted, an entry a line, so that git merges it and a change shows as its lines. */
export function formatBaseline(known: readonly Known[]): string {
  const lines = merged(known).map(({ path, vm, others, rule, value, vms, count }) => {
    const fields = {
      path,
      vm,
      ...(others && { others }),
      rule,
      value,
      ...(vms !== undefined && vms > 1 && { vms }),
      ...(count > 1 && { count }),
    };
    return `    { ${Object.entries(fields)
      .map(([key, field]) => `${JSON.stringify(key)}: ${JSON.stringify(field)}`)
      .join(", ")} }`;
  });
  const findings = lines.length === 0 ? "[]" : `[\n${lines.join(",\n")}\n  ]`;
  return `{\n  "schemaVersion": 1,\n  "findings": ${findings}\n}\n`;
}

/** Text of a baseline -> its entries. Throws CONFIG_INVALID with the place and what to do. */
export function parseBaseline(text: string, path: string): readonly Known[] {
  const fail = (line: number, message: string): never => {
    throw new VmlintError("CONFIG_INVALID", `${path}:${line}: ${message}`);
  };
  const conflict = text.split(/\r\n|\n/).findIndex((line) => /^(<{7}|={7}|>{7})/.test(line));
  if (conflict >= 0)
    return fail(
      conflict + 1,
      "This is a merge conflict: keep the lines of both sides; then vmlint --prune-baseline removes stale entries.",
    );
  const json = withCommas(text.replace(/^\ufeff/, ""));
  let plain: unknown;
  try {
    plain = JSON.parse(json);
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    const position = /position (\d+)/.exec(message)?.[1];
    const line = new LineIndex(json).at(position === undefined ? json.length : Number(position)).line + 1;
    return fail(line, "This is no JSON. vmlint --update-baseline writes the file anew once it is removed.");
  }
  const { schemaVersion, findings } = (plain ?? {}) as { schemaVersion?: unknown; findings?: unknown };
  if (schemaVersion !== 1) return fail(1, 'A baseline says "schemaVersion": 1; this one was written for another vmlint.');
  if (!Array.isArray(findings)) return fail(1, 'A baseline has a list of "findings".');
  const known = findings.map((one: unknown, i): Known => {
    if (!isKnown(one)) return fail(lineOfEntry(text, i), `Entry ${i + 1} of "findings" must have path, rule and value as text.`);
    const { path: file, vm, others, rule, value, vms, count = 1 } = one;
    return { path: file, vm, ...(others && { others }), rule, value, ...(vms !== undefined && { vms }), count };
  });
  // What both sides of a merge had is there once.
  const byKey = new Map<string, Known>();
  for (const one of known.toSorted((a, b) => a.count - b.count)) byKey.set(keyOfEntry(one), one);
  return [...byKey.values()];
}

/** Whether a baseline that can be read is so to every other program: none has a comma put right that a merge has left. */
export const isWholeJson = (text: string): boolean => withCommas(text) === text;

/** As a list has them: of the last lines of two lists, one behind the other, one lacks its comma or has one too many. */
const withCommas = (text: string): string => text.replace(/\}(?=[^\S\n]*\n\s*\{)/g, "},").replace(/,(?=[^\S\n]*\n\s*\])/g, "");

function isKnown(one: unknown): one is Omit<Known, "count"> & { readonly count?: number } {
  const { path, vm, others = [], rule, value, vms = 1, count = 1 } = (one ?? {}) as Record<string, unknown>;
  const areCounts = [vms, count].every((field) => Number.isInteger(field) && (field as number) > 0);
  const areTexts = Array.isArray(others) && [path, rule, value, ...others].every((field) => typeof field === "string");
  return areTexts && (vm === null || typeof vm === "string") && areCounts;
}

/** The line of an entry in a file as vmlint writes it, an entry a line. */
const lineOfEntry = (text: string, index: number): number => {
  const lines = text.split("\n");
  const first = lines.findIndex((line) => line.includes('"findings"'));
  return Math.min(first + 2 + index, lines.length);
};
