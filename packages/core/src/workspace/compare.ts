import { type Baseline, partOfBaseline } from "../baseline/baseline.ts";
import { type FormatEntry, isProject } from "../formats/format.ts";
import { formats, isAlone, searchedFormatsOf } from "../formats/index.ts";
import type { Inventory } from "../inventory/index.ts";
import { checkAcrossVms, meetsOthers } from "../lint/check-across-vms.ts";
import { byPlace, isSilent } from "../lint/finding.ts";
import type { LintedVm } from "../lint/target.ts";
import { isEqual, type Memo } from "../memo/memo.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { folderOf } from "../model/files.ts";
import type { ListedHost } from "../model/inventory-host.ts";
import { addTo, getOrInsert, grouped } from "../model/maps.ts";
import { onceFor } from "../model/memoize.ts";
import type { FileResult } from "../report/result.ts";
import { isCrossVm } from "../rules/define.ts";
import { rules } from "../rules/index.ts";
import type { Callers } from "./callers.ts";
import { type CheckedPart, type CheckedUnit, type Hosts, type Units, unitKey } from "./editor-units.ts";
import { attempt, type Inputs } from "./inputs.ts";
import { reviewFiles } from "./review.ts";
import { withoutDerived } from "./select-files.ts";

/** A workspace with more files is not searched: the first search would take seconds, and searches of editors end at some number of files. */
const MOST_FILES = 5000;

/** The message about a larger workspace. */
const TOO_LARGE = `vmlint does not compare the files of this workspace: more than ${MOST_FILES} may describe VMs. Run vmlint in a terminal.`;

/** The files of the workspace that the command would check. */
interface Selected {
  readonly entries: ReadonlyMap<string, FormatEntry>;
  /** Whether the workspace has too many files to search them. */
  readonly isTooLarge: boolean;
}

export type Selection = ReturnType<typeof openSelection>;

/** Answers which files of the workspace the command would check, and which hosts they list. */
export function openSelection(memo: Memo, { search, openPaths, isSearched, entryOf, text, files, readHosts }: Inputs) {
  const searched = memo.query(
    "searched",
    (): readonly string[] => {
      const endings = new Set(formats.flatMap((entry) => (entry.mustBeNamed ? [] : entry.extensions)));
      const paths = new Set([...search([...endings].join(" ")), ...openPaths("").filter(isSearched)]);
      return [...paths].filter((path) => searchedFormatsOf(path).length > 0).sort();
    },
    isEqual,
  );
  /** Files of other programs, as most files of a workspace are. */
  let foreign: readonly string[] = [];
  const selected = memo.query(
    "selected",
    (): Selected => {
      const paths = searched("");
      if (paths.length > MOST_FILES) return { entries: new Map(), isTooLarge: true };
      const entries = memo.all(paths, entryOf);
      foreign = paths.filter((path, at) => !entries[at] && searchedFormatsOf(path).every((one) => one.project !== "folders"));
      const found = paths.flatMap((path, at) => (entries[at] ? [{ path, entry: entries[at] as FormatEntry, isNamed: false }] : []));
      const joint = found.filter(({ entry }) => !isAlone(entry)).map((file) => ({ ...file, text: files.read(file.path) ?? "" }));
      const kept = new Set(withoutDerived(joint, files).map(({ path }) => path));
      const left = found.filter(({ path, entry }) => isAlone(entry) || kept.has(path));
      return { entries: new Map(left.map(({ path, entry }) => [path, entry])), isTooLarge: false };
    },
    (a, b) => a.isTooLarge === b.isTooLarge && isSameMap(a.entries, b.entries),
  );
  const describes = memo.query("describes", () => new Set(selected("").entries.values()).size > 1);
  const inventory = memo.query(
    "inventory",
    (): Inventory | undefined => {
      const listing = [...selected("").entries].filter(([, entry]) => entry.listsHosts);
      if (listing.length === 0) return undefined;
      const texts = memo.all(
        listing.map(([path]) => path),
        text,
      );
      return readHosts("")(
        listing.map(([path], at) => ({ path, text: texts[at] ?? "" })),
        files,
      );
    },
    (a, b) => a?.key === b?.key,
  );
  // Answers about a few files, which stay the same when other files come and go.
  const isSelected = memo.query("isSelected", (path) => selected("").entries.has(path));
  const isTooLarge = memo.query("isTooLarge", () => selected("").isTooLarge);
  return {
    selected,
    isSelected,
    isTooLarge: () => isTooLarge(""),
    /** Frees the texts that no answer needs any more. */
    free(): void {
      for (const path of foreign) text.drop(path);
      foreign = [];
    },
    describes: () => describes(""),
    inventory: (hosts: Hosts): Inventory | undefined => (hosts === "workspace" ? inventory("") : undefined),
  };
}

const isSameMap = <K, V>(a: ReadonlyMap<K, V>, b: ReadonlyMap<K, V>): boolean =>
  a.size === b.size && [...a].every(([key, value]) => b.get(key) === value);

/** The files of the workspace with the findings of a comparison. */
interface Compared {
  readonly files: ReadonlyMap<string, { readonly file: FileResult; readonly part: CheckedPart }>;
  /** The findings of cross-VM rules, by path. */
  readonly findings: ReadonlyMap<string, readonly Diagnostic[]>;
}

/** The result of a unit, together with the files that its VMs are compared with. */
export interface Reviewed {
  /** The results of the unit's own files. */
  readonly results: readonly FileResult[];
  /** Findings in other files that lead to them, by path. */
  readonly otherFiles: ReadonlyMap<string, readonly Diagnostic[]>;
  /** The reason if VMs of other files may belong to the same machine, but were not compared. */
  readonly notCompared: string | undefined;
}

const TOGETHER: ReadonlySet<string> = new Set(rules.filter(isCrossVm).map(({ id }) => id));

/** A unit as the workspace sees it. */
interface PlacedUnit {
  readonly key: string;
  readonly unit: CheckedUnit;
  /** Whether files of the workspace may change its result. */
  readonly isAmongOthers: boolean;
}

/** Answers what several units have together. */
export function openComparison(memo: Memo, inputs: Inputs, callers: Callers, selection: Selection, units: Units) {
  const { isSearched, today, inTime } = inputs;
  const { isSelected, isTooLarge, describes, inventory } = selection;
  const { unit, unitOf } = units;
  /** The units of the workspace. */
  const unitKeys = memo.query("unitKeys", () => keysOf(memo, selection, callers, units), isEqual);
  const compared = memo.query("compared", (): Compared => {
    const parts = memo.all(unitKeys(""), (key) => attempt(() => unit(key))).filter((part) => part !== undefined);
    return inTime(() => comparedParts(parts, describes(), inventory("workspace")?.listed));
  });
  const isCompared = ({ files, vms }: CheckedUnit): boolean =>
    files.some(({ path }) => isSelected(path)) && vms.some((vm) => meetsOthers(vm) || (describes() && isDescribed(vm)));
  const reviewed = memo.query("reviewed", (key): Reviewed => {
    const [among, unitKey] = [key.slice(0, 1) === "+", key.slice(1)];
    const own = unit(unitKey);
    if (!own) throw new Error(`${unitKey} is no unit`);
    const others = among && isCompared(own) ? compared("") : undefined;
    const day = today("");
    const { results, otherFiles } = inTime(() => reviewedWith(own, others, day));
    const isLimited = among && isTooLarge() && own.vms.some(mayDependOnOthers);
    return { results, otherFiles, notCompared: isLimited ? TOO_LARGE : undefined };
  });

  /** Returns the unit of a file. The files of the workspace are searched as soon as they may change its result. */
  const placed = (path: string): PlacedUnit | undefined => {
    const [key, own] = unitOf(path, "own");
    if (!own) return undefined;
    const isByItself = inputs.asked(path).isNowhere || !isSearched(path) || !own.vms.some(mayDependOnOthers);
    if (isByItself) return { key, unit: own, isAmongOthers: false };
    const counts = inventory("workspace") !== undefined && (isProject(own.parsed) || isSelected(path));
    if (!counts) return { key, unit: own, isAmongOthers: true };
    const [otherKey, among] = unitOf(path, "workspace");
    return among && { key: otherKey, unit: among, isAmongOthers: true };
  };
  return {
    placed,
    reviewed: ({ key, isAmongOthers }: PlacedUnit): Reviewed => reviewed(`${isAmongOthers ? "+" : "-"}${key}`),
  };
}

/** The keys of all units of the workspace. */
function keysOf(memo: Memo, { selected, inventory }: Selection, callers: Callers, { unit }: Units): readonly string[] {
  const { entries } = selected("");
  const hosts = inventory("workspace") ? "workspace" : "own";
  const single = [...entries].flatMap(([path, entry]) => (isAlone(entry) ? unitKey(hosts, undefined, [path]) : []));
  const joint = [...entries].filter(([, entry]) => !isAlone(entry));
  const projects = [...grouped(joint, ([, entry]) => entry)].flatMap(([entry, files]) => {
    const paths = files.map(([path]) => path);
    const keyOf = (root: string): string => unitKey(hosts, entry, [root]);
    if (entry.project === "file") return paths.map(keyOf);
    const folders = [...new Set(paths.map(folderOf))];
    const roots = new Set(memo.all(folders, (folder) => callers.rootsOf(entry, folder)).flat());
    const read = memo.all([...roots].map(keyOf), (key) => attempt(() => unit(key)));
    const covered = new Set(read.flatMap((one) => one?.sources.map(({ path }) => path) ?? []));
    // The text search found calls of these folders that are none.
    const others = new Set(paths.filter((path) => !covered.has(path)).map(folderOf));
    return [...roots, ...[...others].filter((folder) => !roots.has(folder))].map(keyOf);
  });
  return [...single, ...projects];
}

function comparedParts(parts: readonly CheckedPart[], mayDescribe: boolean, hosts: readonly ListedHost[] | undefined): Compared {
  const files = new Map<string, { file: FileResult; part: CheckedPart }>();
  for (const part of parts) for (const file of part.files) if (!files.has(file.path)) files.set(file.path, { file, part });
  const compared = parts.map(comparedIn);
  const describes = mayDescribe && compared.some(({ isDescribed }) => isDescribed);
  const results = checkAcrossVms(
    compared.flatMap((part) => (describes ? part.described : part.hosted)),
    undefined,
    { hosts },
  );
  const findings = new Map<string, Diagnostic[]>();
  // A file that several projects call has the VMs of each.
  for (const { path, diagnostics } of results) for (const diagnostic of diagnostics) addTo(findings, path, diagnostic);
  return { files, findings };
}

/** Completes the result of a unit, together with the files of the workspace that its VMs are compared with. */
function reviewedWith(own: CheckedPart, compared: Compared | undefined, today: string): Omit<Reviewed, "notCompared"> {
  const paths = new Set(own.files.map(({ path }) => path));
  const isAbout = ({ related }: Diagnostic): boolean => related.some(({ path }) => path !== undefined && paths.has(path));
  const others = [...(compared?.findings ?? [])].flatMap(([path, diagnostics]) => {
    const placed = paths.has(path) || !diagnostics.some(isAbout) ? undefined : compared?.files.get(path);
    return placed ? { ...placed.part, files: [placed.file] } : [];
  });
  // Another project may have suppressions of the same file. The last ones count.
  const results = reviewParts([...others, own], today, compared?.findings);
  const otherFiles = new Map<string, readonly Diagnostic[]>();
  for (const { path, diagnostics } of results) {
    const about = paths.has(path) ? [] : diagnostics.filter((one) => TOGETHER.has(one.ruleId) && isAbout(one));
    if (about.length > 0) otherFiles.set(path, about);
  }
  return { results: results.filter(({ path }) => paths.has(path)), otherFiles };
}

/**
 * Completes the results of files that were checked by themselves, as the command does. `added` are the findings of cross-VM rules in them by
 * path; without it, the VMs of these files are compared.
 */
export function reviewParts(
  parts: readonly CheckedPart[],
  today: string,
  added?: ReadonlyMap<string, readonly Diagnostic[]>,
): readonly FileResult[] {
  const checked = parts.flatMap(({ files }) => files.map((file) => withFindings(file, added?.get(file.path))));
  const baselines = new Map(parts.flatMap(({ files, baselineOf }) => files.map(({ path }) => [path, baselineOf(path)] as const)));
  const shortened = new Map<Baseline, Baseline>();
  return reviewFiles(checked, {
    today,
    vmsAlone: added !== undefined,
    lacksPlugins: true,
    suppressions: new Map(parts.flatMap(({ suppressions }) => [...suppressions])),
    configs: [],
    isWhole: () => false,
    baselineOf: (path) => {
      const baseline = baselines.get(path);
      return baseline && getOrInsert(shortened, baseline, () => partOfBaseline(baseline, baselines.keys()));
    },
  }).results;
}

/** Without its own descriptions: only files of several formats are compared. */
const withFindings = ({ described: _, ...file }: FileResult, added: readonly Diagnostic[] = []): FileResult => ({
  ...file,
  diagnostics: added.length > 0 ? [...file.diagnostics, ...added].sort(byPlace) : file.diagnostics,
});

/** The files of a part with the VMs on machines, and with all VMs, without what was found in each VM; no files if there is no such VM. */
const comparedIn = onceFor(({ files }: CheckedPart) => {
  const described = files.map(({ path, hostedVms, described = [] }) => {
    return { path, diagnostics: [], skipped: [], hostedVms: hostedVms.filter(meetsOthers), described };
  });
  const hosted = described.map(({ described: _, ...file }) => file);
  return {
    hosted: hosted.some(({ hostedVms }) => hostedVms.length > 0) ? hosted : [],
    described: described.some((file) => file.described.length > 0) ? described : [],
    isDescribed: described.some((file) => file.described.some(isDescribed)),
  };
});

/** Whether other files may be about the same machine or VM, or list its host. */
const mayDependOnOthers = (vm: LintedVm): boolean => meetsOthers(vm) || isDescribed(vm) || vm.spec.runsOn !== undefined;

const COMPARING = rules.filter(({ over }) => over === "descriptions");

/** Whether differences to other descriptions of a VM are findings. */
const isDescribed = ({ target }: LintedVm): boolean => COMPARING.some((rule) => !isSilent(rule, target));
