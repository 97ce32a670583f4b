import type { Diagnostic, Suppressed } from "../model/diagnostic.ts";
import { VmlintError } from "../model/errors.ts";
import { folderOf, pathFrom } from "../model/files.ts";
import { addTo } from "../model/maps.ts";
import { LineIndex, pointedAt } from "../model/source.ts";
import type { FileResult } from "../report/result.ts";

/** A finding in the baseline. VM, rule and value identify it, not its line, because lines move. A changed value makes a new finding. */
export interface BaselineEntry {
  /** Relative to the baseline, with forward slashes. */
  readonly path: string;
  readonly vm: string | null;
  /** The other VMs at the same place, such as VMs of a loop. The entry covers them too. */
  readonly others?: readonly string[];
  readonly rule: string;
  /** The text that the finding points at, without irrelevant details. */
  readonly value: string;
  /** The number of VMs in a cross-VM finding. With more VMs it is a new finding, with fewer it is not. */
  readonly vms?: number;
  readonly count: number;
}

/** The known findings of some files. */
export interface Baseline {
  readonly entries: readonly BaselineEntry[];
  /** Returns the path of a file in the notation of the baseline. */
  readonly nameOf: (path: string) => string;
}

export interface BaselineOptions {
  readonly entries: readonly BaselineEntry[];
  /** Returns the path of a file in the notation of the baseline. */
  readonly pathOf: (file: FileResult) => string;
  /** Whether a rule ran on a file. If it did not, the entry may still be valid. */
  readonly ran: (path: string, rule: string) => boolean;
}

export interface BaselineResult {
  readonly files: readonly FileResult[];
  /** Entries whose rule ran and did not report them. */
  readonly stale: readonly BaselineEntry[];
}

type EntrySubject = Omit<BaselineEntry, "vms" | "count">;

const keyOf = ({ path, vm, rule, value }: EntrySubject): string => JSON.stringify([path, rule, vm, value]);

/** Returns a key for each VM of an entry. */
const keysOf = (subject: EntrySubject): readonly string[] => [subject.vm, ...(subject.others ?? [])].map((vm) => keyOf({ ...subject, vm }));

const aboutOf = (path: string, text: string, { vm, vms = [], ruleId, range, cell }: Diagnostic): EntrySubject => ({
  path,
  vm,
  ...(vms.length > 1 && { others: vms.slice(1) }),
  rule: ruleId,
  value: cell ? pointedAt(cell.value, [0, cell.value.length]) : pointedAt(text, range),
});

const vmsOf = ({ vms = 1 }: Pick<BaselineEntry, "vms">): number => vms;

const keyOfEntry = (entry: BaselineEntry): string => `${keysOf(entry)} ${vmsOf(entry)}`;

/** Entries by their keys, with the number of findings each may still hide; the entries with the fewest VMs first. */
type RemainingEntries = ReadonlyMap<string, readonly { readonly entry: BaselineEntry; count: number }[]>;

export function leftOf(entries: readonly BaselineEntry[]): RemainingEntries {
  const remaining = new Map<string, { readonly entry: BaselineEntry; count: number }[]>();
  for (const entry of merged(entries)) {
    const counted = { entry, count: entry.count };
    for (const key of keysOf(entry)) addTo(remaining, key, counted);
  }
  return remaining;
}

/** Splits the findings of a file into new and hidden, and uses up the entries that hide them. */
export function hideBaselineFindings(path: string, text: string, diagnostics: readonly Diagnostic[], budget: RemainingEntries) {
  const hidden = new Set<Diagnostic>();
  const hide = (diagnostic: Diagnostic, keys: readonly string[], fits: (entry: BaselineEntry) => boolean): void => {
    const { among = 1 } = diagnostic;
    const entries = keys.flatMap((key) => budget.get(key) ?? []);
    const hides = entries.find(({ entry, count }) => count > 0 && vmsOf(entry) >= among && fits(entry));
    if (!hides) return;
    hides.count--;
    hidden.add(diagnostic);
  };
  const ignorable = diagnostics.filter((diagnostic) => diagnostic.ignorable !== false);
  const all = ignorable.map((diagnostic) => ({ diagnostic, keys: keysOf(aboutOf(path, text, diagnostic)) }));
  // Exact matches come first: a finding that shares only one VM must not use up the entry of another.
  for (const { diagnostic, keys } of all) hide(diagnostic, keys, (entry) => `${keysOf(entry)}` === `${keys}`);
  for (const { diagnostic, keys } of all) if (!hidden.has(diagnostic)) hide(diagnostic, keys, () => true);
  return {
    diagnostics: diagnostics.filter((diagnostic) => !hidden.has(diagnostic)),
    suppressed: [...hidden].map((diagnostic): Suppressed => ({ diagnostic, by: "baseline", reason: null })),
  };
}

/** Hides the known findings of a run. Pure. */
export function applyBaseline(files: readonly FileResult[], { entries, pathOf, ran }: BaselineOptions): BaselineResult {
  const budget = leftOf(entries);
  const results = files.map((file) => {
    const { diagnostics, suppressed } = hideBaselineFindings(pathOf(file), file.text, file.diagnostics, budget);
    return suppressed.length === 0 ? file : { ...file, diagnostics, suppressed: [...(file.suppressed ?? []), ...suppressed] };
  });
  return { files: results, stale: remaining(budget).filter(({ path, rule }) => ran(path, rule)) };
}

const remaining = (remaining: RemainingEntries): readonly BaselineEntry[] =>
  [...new Set([...remaining.values()].flat())].flatMap(({ entry, count }) => (count > 0 ? { ...entry, count } : []));

/** Returns the baseline for the findings of a run. Entries whose rule did not run stay, unless the run reports the same finding. */
export function updatedBaseline(files: readonly FileResult[], { entries, pathOf, ran }: BaselineOptions): readonly BaselineEntry[] {
  const unsure = entries.filter(({ path, rule }) => !ran(path, rule));
  const budget = leftOf(unsure);
  const current = files.flatMap((file) => {
    const path = pathOf(file);
    const { diagnostics: more } = hideBaselineFindings(path, file.text, file.diagnostics, budget);
    const ofAnyNumber = more.map((diagnostic) => ({ ...diagnostic, ...(diagnostic.among !== undefined && { among: 0 }) }));
    hideBaselineFindings(path, file.text, ofAnyNumber, budget);
    const ignorable = file.diagnostics.filter((diagnostic) => diagnostic.ignorable !== false);
    return ignorable.map(
      (diagnostic): BaselineEntry => ({ ...aboutOf(path, file.text, diagnostic), vms: diagnostic.among ?? 1, count: 1 }),
    );
  });
  return merged([...current, ...remaining(budget)]);
}

/** A baseline without its stale entries. */
export function prunedBaseline(entries: readonly BaselineEntry[], stale: readonly BaselineEntry[]): readonly BaselineEntry[] {
  return merged([...entries, ...stale.map((entry) => ({ ...entry, count: -entry.count }))]).filter(({ count }) => count > 0);
}

/** Each entry once, in order. */
function merged(entries: readonly BaselineEntry[]): readonly BaselineEntry[] {
  const byKey = new Map<string, BaselineEntry>();
  for (const entry of entries) {
    const key = keyOfEntry(entry);
    byKey.set(key, { ...entry, count: entry.count + (byKey.get(key)?.count ?? 0) });
  }
  return [...byKey.values()]
    .map((entry) => ({ one: entry, key: `${keysOf(entry)}` }))
    .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : vmsOf(a.one) - vmsOf(b.one)))
    .map(({ one: entry }) => entry);
}

/** The text of a baseline: sorted, an entry a line, so that git merges it and a change shows as its lines. */
export function formatBaseline(entries: readonly BaselineEntry[]): string {
  const lines = merged(entries).map(({ path, vm, others, rule, value, vms, count }) => {
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

/** Returns the baseline at a path. Throws like `parseBaseline`, which gets the `name`. */
export const openBaseline = (text: string, path: string, name = path): Baseline => ({
  entries: parseBaseline(text, name),
  nameOf: (file) => pathFrom(folderOf(path), file),
});

/** Returns the part of a baseline that is about some files. */
export function partOfBaseline({ entries, nameOf }: Baseline, paths: Iterable<string>): Baseline {
  const names = new Set(Array.from(paths, nameOf));
  return { entries: entries.filter(({ path }) => names.has(path)), nameOf };
}

/** Text of a baseline -> its entries. Throws CONFIG_INVALID with the place and what to do. */
export function parseBaseline(text: string, path: string): readonly BaselineEntry[] {
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
    return fail(line, "This is not JSON. Remove the file, and vmlint --update-baseline writes a new one.");
  }
  const { schemaVersion, findings } = (plain ?? {}) as { schemaVersion?: unknown; findings?: unknown };
  if (schemaVersion !== 1) return fail(1, 'A baseline needs "schemaVersion": 1; another version of vmlint wrote this one.');
  if (!Array.isArray(findings)) return fail(1, 'A baseline needs a list of "findings".');
  const entries = findings.map((entry: unknown, i): BaselineEntry => {
    if (!isEntry(entry)) return fail(lineOfEntry(text, i), `Entry ${i + 1} of "findings" must have path, rule and value as text.`);
    const { path: file, vm, others, rule, value, vms, count = 1 } = entry;
    return { path: file, vm, ...(others && { others }), rule, value, ...(vms !== undefined && { vms }), count };
  });
  // A merge can leave an entry of both sides twice.
  const byKey = new Map<string, BaselineEntry>();
  for (const entry of entries.toSorted((a, b) => a.count - b.count)) byKey.set(keyOfEntry(entry), entry);
  return [...byKey.values()];
}

/** Whether every JSON parser can read the baseline; vmlint also tolerates commas that a merge left wrong. */
export const isWholeJson = (text: string): boolean => withCommas(text) === text;

/** Merging two lists leaves a comma missing or one too many at the joint. */
const withCommas = (text: string): string => text.replace(/\}(?=[^\S\n]*\n\s*\{)/g, "},").replace(/,(?=[^\S\n]*\n\s*\])/g, "");

function isEntry(entry: unknown): entry is Omit<BaselineEntry, "count"> & { readonly count?: number } {
  const { path, vm, others = [], rule, value, vms = 1, count = 1 } = (entry ?? {}) as Record<string, unknown>;
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
