import { type Baseline, partOfBaseline } from "../baseline/baseline.ts";
import { type Config, findHost, targetOf } from "../config/config.ts";
import type { Format } from "../formats/format.ts";
import type { Inventory } from "../inventory/index.ts";
import { byPlace } from "../lint/finding.ts";
import type { Target } from "../lint/target.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { FileContext, Files } from "../model/files.ts";
import type { HostModel } from "../model/host.ts";
import { getOrInsert } from "../model/maps.ts";
import type { VmSpec } from "../model/spec.ts";
import { type FileResult, type LintedFile, summarize } from "../report/result.ts";
import type { FileSuppressions } from "../suppress/suppress.ts";
import type { Language } from "../syntax/language.ts";
import { checkSingle } from "../workspace/check-run.ts";
import { reviewFiles } from "../workspace/review.ts";
import type { OpenDocument } from "./document.ts";

/** The options of a check. */
export interface CheckSettings {
  readonly config: Config;
  /** The document's path relative to the folder of the configuration. */
  readonly path: string;
  /** The host in the editor's settings, as in `--host`; empty to use the configuration. */
  readonly host: string;
  /** As 2026-12-31. */
  readonly today: string;
  readonly baseline?: Baseline | undefined;
}

export interface CheckOptions extends CheckSettings {
  readonly format: Format;
  readonly language?: Language | undefined;
  /** The location of the text, with access to other files. */
  readonly context?: FileContext | undefined;
  /** The hosts that the text lists. */
  readonly inventory?: Inventory | undefined;
}

export interface CheckedText extends OpenDocument {
  /** Why the host of the setting cannot be used. */
  readonly badHost: string | undefined;
}

/** Files that were checked by themselves, before their review. */
export interface CheckedPart {
  readonly files: readonly FileResult[];
  readonly suppressions: ReadonlyMap<string, FileSuppressions>;
  readonly baselineOf: (path: string) => Baseline | undefined;
}

/** A single text that was checked by itself. */
export interface OpenText extends CheckedPart {
  readonly linted: LintedFile;
  /** Returns the text with the findings that are left after a review. */
  readonly documentWith: (left: Pick<FileResult, "diagnostics" | "skipped"> | undefined) => CheckedText;
}

/** Checks a text in an editor, saved or not, without suppressed findings and findings in the baseline, like the command line. */
export function checkText(text: string, options: CheckOptions): CheckedText {
  const open = openText(text, options);
  return open.documentWith(reviewParts([open], options.today)[0]);
}

/** Checks a text by itself. */
export function openText(text: string, { format, language, context, inventory, ...by }: CheckOptions): OpenText {
  const { target, badHost } = targetBy(by.config, by.host);
  const path = context?.path ?? by.path;
  const suppressions = new Map<string, FileSuppressions>();
  const linted = checkSingle(
    { path, name: path, format, read: () => ({ text }), passOver: () => true },
    {
      files: context?.files ?? NO_FILES,
      rules: undefined,
      againstAt: () => ({ config: by.config, relative: () => by.path, targetOf: target }),
      inventory,
      hides: () => true,
      suppressions,
    },
  );
  if (!linted) throw new Error(`${path} was passed over`);
  return {
    linted,
    // A text without VM definition has no findings.
    files: linted.foreign === undefined ? [summarize(linted, undefined, true)] : [],
    suppressions,
    baselineOf: (file) => (file === path ? by.baseline : undefined),
    documentWith: (left) => ({
      text,
      result: { ...linted, diagnostics: left?.diagnostics ?? [], skipped: left?.skipped ?? linted.skipped },
      comments: (of) => format.comments?.(of, path) ?? [],
      edit: (vm, changes) => vm.edit?.(changes),
      language,
      badHost,
    }),
  };
}

const NO_FILES: Files = { read: () => undefined, list: () => [] };

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

/** Returns the target of VMs, with the host of the editor's settings. */
export function targetBy(
  config: Config,
  word: string,
): { readonly target: (vm: VmSpec, path: () => string) => Target; readonly badHost: string | undefined } {
  const lookup = word === "" ? undefined : findHost(word, config);
  const host: HostModel | undefined = lookup && "host" in lookup ? lookup.host : undefined;
  const byConfig = targetOf(config, host);
  const badHost = lookup && "explanation" in lookup ? lookup.explanation : undefined;
  // No other host replaces an unknown one.
  return { target: (vm, path) => ({ ...byConfig(vm, path), ...(badHost !== undefined && { host: undefined }) }), badHost };
}
