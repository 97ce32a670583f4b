import type { TextEdit } from "../model/source.ts";
import type { FixOptions } from "./apply.ts";
import { type FixedFiles, type FoundInFile, fixFiles } from "./fix-files.ts";

interface FixedText extends Omit<FixedFiles, "texts" | "passes"> {
  readonly text: string;
  /** The edits of each pass, on the text that the pass before it left. */
  readonly passes: readonly (readonly TextEdit[])[];
}

/** Fixes a single text. */
export function fixText(text: string, check: (text: string) => Omit<FoundInFile, "path">, options: FixOptions = {}): FixedText {
  const found = (now = text): readonly FoundInFile[] => [{ path: "", ...check(now) }];
  const { texts, passes, ...fixed } = fixFiles({ texts: new Map([["", text]]), check: (now) => found(now.get("")) }, options);
  return { text: texts.get("") ?? text, passes: passes.get("") ?? [], ...fixed };
}
