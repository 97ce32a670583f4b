import type { Range } from "../model/source.ts";

/** The editor support for the text of a format, independent of VMs. Only editors load it. */
export interface Language {
  /** Returns the meaning of the key or value at an offset, in Markdown. */
  readonly hover: (text: string, offset: number) => Hover | undefined;
  /** Returns the completions at an offset. */
  readonly complete: (text: string, offset: number, facts: KnownOfVm) => readonly Completion[];
  /** Returns the parts of a text in order, for outlines and folding; if missing, the VMs are the parts. */
  readonly outline?: (text: string) => readonly OutlinePart[];
  /** Returns the words of a text with their kinds, in order, each on one line. */
  readonly tokens?: (text: string) => readonly Token[];
}

/** The kinds of words, named as in the Language Server Protocol. `comment`: a line that has no effect. */
export const TOKEN_KINDS = ["property", "variable", "number", "keyword", "string", "comment"] as const;

export interface Token {
  readonly range: Range;
  readonly kind: (typeof TOKEN_KINDS)[number];
}

export interface Hover {
  readonly range: Range;
  readonly markdown: string;
}

/** Facts that decide which values are legal; `undefined` if the file does not state them. */
export interface KnownOfVm {
  readonly hardwareVersion: number | undefined;
  readonly vcpus: number | undefined;
}

export interface Completion {
  readonly label: string;
  readonly kind: "key" | "value" | "snippet";
  /** In one line: type, unit, default, or why it is best. */
  readonly detail: string;
  readonly markdown: string;
  readonly isBest?: true;
  /** Also offered by every reader of the document's JSON Schema. */
  readonly inSchema?: true;
  /** The range to replace. */
  readonly range: Range;
  /** `$1`, `${2:text}` and `$0` as in editors' snippets. */
  readonly snippet: string;
}

export interface OutlinePart {
  readonly name: string;
  readonly detail: string;
  readonly range: Range;
  /** The part of the range to select. */
  readonly nameRange: Range;
  readonly parts: readonly OutlinePart[];
}
