import type { Range, TextEdit } from "./source.ts";

/** Something wrong with the text itself: the id and data of a message that a rule of the same id words. */
export interface Problem {
  readonly ruleId: string;
  readonly messageId: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly range: Range;
  readonly related?: readonly { readonly message: string; readonly range: Range }[];
  readonly fix?: { readonly title: string; readonly edits: readonly TextEdit[] };
}
