import type { Diagnostic, Suppressed } from "../model/diagnostic.ts";
import { VmlintError } from "../model/errors.ts";
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
  readonly rule: string;
  /** The text that the finding points at, without what does not matter about it; of one about several VMs, how many they are, too. */
  readonly value: string;
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

type Key = Omit<Known, "count">;

const keyOf = ({ path, vm, rule, value }: Key): string => JSON.stringify([path, rule, vm, value]);

const keyFor = (path: string, text: string, { vm, ruleId, range, among }: Diagnostic): Key => ({
  path,
  vm,
  rule: ruleId,
  value: `${pointedAt(text, range)}${among === undefined ? "" : ` (${among} VMs)`}`,
});

/** The entry that a finding is known by: one about several VMs is no new one where they were more; of such entries, that of the fewest. */
function entryFor(finding: Key, among: number | undefined, left: ReadonlyMap<string, number>): string | undefined {
  const key = keyOf(finding);
  if (left.get(key)) return key;
  if (among === undefined) return undefined;
  const start = key.slice(0, -`${among} VMs)"]`.length);
  const [fewest] = [...left]
    .filter(([entry, count]) => count > 0 && entry.startsWith(start))
    .map(([entry]) => ({ entry, vms: Number(/^(\d+) VMs\)"\]$/.exec(entry.slice(start.length))?.[1]) }))
    .filter(({ vms }) => vms >= among)
    .sort((a, b) => a.vms - b.vms);
  return fewest?.entry;
}

/** The findings of one file that are not in what is left of a baseline; those that are get struck off. */
export function hideKnown(path: string, text: string, diagnostics: readonly Diagnostic[], left: Map<string, number>) {
  const shown: Diagnostic[] = [];
  const hidden: Suppressed[] = [];
  for (const diagnostic of diagnostics) {
    const key = entryFor(keyFor(path, text, diagnostic), diagnostic.among, left);
    if (key === undefined) shown.push(diagnostic);
    else {
      hidden.push({ diagnostic, by: "baseline", reason: null });
      left.set(key, (left.get(key) ?? 0) - 1);
    }
  }
  return { diagnostics: shown, suppressed: hidden };
}

/** How often each entry may still hide a finding. */
export const countsOf = (known: readonly Known[]): Map<string, number> => {
  const counts = new Map<string, number>();
  for (const one of known) counts.set(keyOf(one), (counts.get(keyOf(one)) ?? 0) + one.count);
  return counts;
};

/** Hides the known findings of a run. Pure. */
export function applyBaseline(files: readonly FileResult[], { known, pathOf, ran }: BaselineOptions): Hidden {
  const left = countsOf(known);
  const results = files.map((file) => {
    const { diagnostics, suppressed } = hideKnown(pathOf(file), file.text, file.diagnostics, left);
    return suppressed.length === 0 ? file : { ...file, diagnostics, suppressed: [...(file.suppressed ?? []), ...suppressed] };
  });
  return { files: results, stale: remaining(known, left).filter(({ path, rule }) => ran(path, rule)) };
}

/** What is left of the entries of a baseline. */
const remaining = (known: readonly Known[], left: ReadonlyMap<string, number>): readonly Known[] =>
  merged(known).flatMap((one) => {
    const count = left.get(keyOf(one)) ?? 0;
    return count > 0 ? [{ ...one, count }] : [];
  });

/** The baseline of what a run found; entries that nothing looked for stay as they are, unless the same was found, of however many VMs. */
export function updatedBaseline(files: readonly FileResult[], { known, pathOf, ran }: BaselineOptions): readonly Known[] {
  const unsure = known.filter(({ path, rule }) => !ran(path, rule));
  const left = countsOf(unsure);
  const found = files.flatMap((file) => {
    const path = pathOf(file);
    const { diagnostics: more } = hideKnown(path, file.text, file.diagnostics, left);
    const ofAnyNumber = more.map((one) => ({ ...one, ...(one.among !== undefined && { among: 0 }) }));
    hideKnown(path, file.text, ofAnyNumber, left);
    return file.diagnostics.map((one) => ({ ...keyFor(path, file.text, one), count: 1 }));
  });
  return merged([...found, ...remaining(unsure, left)]);
}

/** A baseline without its stale entries. */
export function prunedBaseline(known: readonly Known[], stale: readonly Known[]): readonly Known[] {
  return merged([...known, ...stale.map((one) => ({ ...one, count: -one.count }))]).filter(({ count }) => count > 0);
}

/** Each entry once, in order. */
function merged(known: readonly Known[]): readonly Known[] {
  const byKey = new Map<string, Known>();
  for (const one of known) byKey.set(keyOf(one), { ...one, count: one.count + (byKey.get(keyOf(one))?.count ?? 0) });
  return [...byKey].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one);
}

/** The text of a baseline: sorted, an entry a line, so that git merges it and a change shows as its lines. */
export function formatBaseline(known: readonly Known[]): string {
  const lines = merged(known).map(({ path, vm, rule, value, count }) => {
    const fields = { path, vm, rule, value, ...(count > 1 && { count }) };
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
  if (conflict >= 0) return fail(conflict + 1, "This is a merge conflict: keep the lines of both sides, or run vmlint --update-baseline.");
  let plain: unknown;
  try {
    plain = JSON.parse(text.replace(/^\ufeff/, ""));
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    const position = /position (\d+)/.exec(message)?.[1];
    const line = new LineIndex(text).at(position === undefined ? text.length : Number(position)).line + 1;
    return fail(line, "This is no JSON. vmlint --update-baseline writes the file anew once it is removed.");
  }
  const { schemaVersion, findings } = (plain ?? {}) as { schemaVersion?: unknown; findings?: unknown };
  if (schemaVersion !== 1) return fail(1, 'A baseline says "schemaVersion": 1; this one was written for another vmlint.');
  if (!Array.isArray(findings)) return fail(1, 'A baseline has a list of "findings".');
  return findings.map((one: unknown, i): Known => {
    if (!isKnown(one)) return fail(lineOfEntry(text, i), `Entry ${i + 1} of "findings" must have path, rule and value as text.`);
    const { path: file, vm, rule, value, count = 1 } = one;
    return { path: file, vm, rule, value, count };
  });
}

function isKnown(one: unknown): one is Omit<Known, "count"> & { readonly count?: number } {
  const { path, vm, rule, value, count } = (one ?? {}) as Record<string, unknown>;
  const isCount = count === undefined || (typeof count === "number" && Number.isInteger(count) && count > 0);
  return [path, rule, value].every((field) => typeof field === "string") && (vm === null || typeof vm === "string") && isCount;
}

/** The line of an entry in a file as vmlint writes it, an entry a line. */
const lineOfEntry = (text: string, index: number): number => {
  const lines = text.split("\n");
  const first = lines.findIndex((line) => line.includes('"findings"'));
  return Math.min(first + 2 + index, lines.length);
};
