import { type Config, findHost, targetOf } from "../config/config.ts";
import type { Format } from "../formats/format.ts";
import { type LintResult, lintText } from "../lint/lint.ts";
import type { LintedVm, Target } from "../lint/target.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { FileContext } from "../model/files.ts";
import type { HostModel } from "../model/host.ts";
import type { VmSpec } from "../model/spec.ts";
import { suppress } from "../suppress/suppress.ts";
import type { Language } from "../syntax/language.ts";
import { silencersOf, targetsIn } from "../workspace/check-file.ts";
import type { BaselineFilter } from "./baseline-filter.ts";
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
  /** Missing without a baseline. */
  readonly leaveKnown?: BaselineFilter | undefined;
}

export interface CheckOptions extends CheckSettings {
  readonly format: Format;
  readonly language?: Language | undefined;
  /** The location of the text, with access to other files. */
  readonly beside?: FileContext | undefined;
}

export interface CheckedText extends OpenDocument {
  /** Why the host of the setting cannot be used. */
  readonly badHost: string | undefined;
}

/** Checks a text in an editor, saved or not, without suppressed findings and findings in the baseline, like the command line. */
export function checkText(text: string, { format, language, beside, ...by }: CheckOptions): CheckedText {
  const { target, badHost } = targetBy(by.config, by.host);
  const against = { config: by.config, relative: () => by.path, targetOf: target };
  const result = lintText(text, { format, beside, ...targetsIn(against, by.path) });
  // A text without VM definition has no comments for vmlint.
  const diagnostics = result.foreign === undefined ? shownOf({ text, result, comments: format.comments }, by) : [];
  return {
    text,
    result: { ...result, diagnostics },
    comments: (of) => format.comments?.(of, by.path) ?? [],
    edit: (vm, changes) => vm.edit?.(changes),
    language,
    badHost,
  };
}

/** Returns the target of VMs, with the host of the editor's settings. */
export function targetBy(
  config: Config,
  word: string,
): { readonly target: (vm: VmSpec, path: () => string) => Target; readonly badHost: string | undefined } {
  const asked = word === "" ? undefined : findHost(word, config);
  const host: HostModel | undefined = asked && "host" in asked ? asked.host : undefined;
  const byConfig = targetOf(config, host);
  const badHost = asked && "why" in asked ? asked.why : undefined;
  // No other host replaces an unknown one.
  return { target: (vm, path) => ({ ...byConfig(vm, path), ...(badHost !== undefined && { host: undefined }) }), badHost };
}

interface LintedText {
  readonly text: string;
  readonly result: Pick<LintResult, "diagnostics" | "skipped"> & { readonly vms: readonly LintedVm[] };
  readonly comments: Format["comments"];
}

/** Returns the findings that no comment, configuration or baseline hides. */
export function shownOf(found: LintedText, by: Omit<CheckSettings, "host">): readonly Diagnostic[] {
  const left = unsuppressed(found, by);
  return by.leaveKnown?.(found.text, left) ?? left;
}

function unsuppressed(
  { text, result, comments: commentsOf }: LintedText,
  { config, path, today }: Omit<CheckSettings, "host">,
): readonly Diagnostic[] {
  const silencers = silencersOf({ path, text, vms: result.vms, comments: commentsOf, against: { config, relative: () => path } });
  if (silencers.declared.length + silencers.comments.length === 0) return result.diagnostics;
  const file = { path, text, diagnostics: result.diagnostics, skipped: result.skipped, placed: [], vmCount: result.vms.length };
  const [shown] = suppress([file], { silencers: new Map([[path, silencers]]), configs: [], isWhole: () => false, today, rules: "ours" });
  return shown?.diagnostics ?? [];
}
