import type { FileResult } from "../report/result.ts";
import type { Language } from "../syntax/language.ts";
import { reviewParts } from "../workspace/compare.ts";
import { type CheckedSingle, checkAlone, type SingleOptions } from "../workspace/units.ts";
import type { OpenDocument } from "./document.ts";

/** The options of a check. */
export interface CheckSettings extends Pick<SingleOptions, "config" | "path" | "host" | "baseline"> {
  /** As 2026-12-31. */
  readonly today: string;
}

export interface CheckOptions extends CheckSettings, SingleOptions {
  readonly language?: Language | undefined;
}

export interface CheckedText extends OpenDocument {
  /** Why the host of the setting cannot be used. */
  readonly badHost: string | undefined;
}

/** Checks a text in an editor, saved or not, without suppressed findings and findings in the baseline, like the command line. */
export function checkText(text: string, { language, today, ...options }: CheckOptions): CheckedText {
  const single = checkAlone(text, options);
  return documentOf(single, reviewParts([single], today)[0], language);
}

/** Returns a text with the findings that are left after a review. */
export function documentOf(
  { linted, format, badHost }: CheckedSingle,
  left: Pick<FileResult, "diagnostics" | "skipped"> | undefined,
  language: Language | undefined,
): CheckedText {
  return {
    text: linted.text,
    result: { ...linted, diagnostics: left?.diagnostics ?? [], skipped: left?.skipped ?? linted.skipped },
    comments: (of) => format.comments?.(of, linted.path) ?? [],
    edit: (vm, changes) => vm.edit?.(changes),
    language,
    badHost,
  };
}
