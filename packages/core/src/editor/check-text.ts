import type { Baseline } from "../baseline/baseline.ts";
import { type Config, findHost, targetOf } from "../config/config.ts";
import type { Format } from "../formats/format.ts";
import type { Inventory } from "../inventory/index.ts";
import { lintText } from "../lint/lint.ts";
import type { Target } from "../lint/target.ts";
import type { FileContext } from "../model/files.ts";
import type { HostModel } from "../model/host.ts";
import type { VmSpec } from "../model/spec.ts";
import type { Language } from "../syntax/language.ts";
import { contextIn, targetsIn } from "../workspace/check-file.ts";
import { reviewText } from "../workspace/review.ts";
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

/** Checks a text in an editor, saved or not, without suppressed findings and findings in the baseline, like the command line. */
export function checkText(text: string, { format, language, context, inventory, ...by }: CheckOptions): CheckedText {
  const { target, badHost } = targetBy(by.config, by.host);
  const against = { config: by.config, relative: () => by.path, targetOf: target };
  const { path, today, baseline } = by;
  const placed = context && contextIn(against, context.path, context.files);
  const result = lintText(text, { format, context: placed, ...targetsIn(against, context?.path ?? path, inventory) });
  const checked = { path, text, result, comments: format.comments, against };
  const { diagnostics, skipped } = reviewText(checked, { today, lacksPlugins: true, baselineOf: () => baseline });
  return {
    text,
    result: { ...result, diagnostics, skipped },
    comments: (of) => format.comments?.(of, path) ?? [],
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
  const lookup = word === "" ? undefined : findHost(word, config);
  const host: HostModel | undefined = lookup && "host" in lookup ? lookup.host : undefined;
  const byConfig = targetOf(config, host);
  const badHost = lookup && "explanation" in lookup ? lookup.explanation : undefined;
  // No other host replaces an unknown one.
  return { target: (vm, path) => ({ ...byConfig(vm, path), ...(badHost !== undefined && { host: undefined }) }), badHost };
}
