import type { Range } from "../model/source.ts";

/** What an editor can say of a format's text, whatever VM it describes. Loaded by editors alone. */
export interface Language {
  /** What the key or value at an offset means, in Markdown. */
  readonly hover: (text: string, offset: number) => Hover | undefined;
  /** What can be written at an offset. */
  readonly complete: (text: string, offset: number, known: KnownOfVm) => readonly Completion[];
  /** The parts of a text, in order, for outlines and folding; where a language says none, the VMs are the parts. */
  readonly outline?: (text: string) => readonly Part[];
}

export interface Hover {
  readonly range: Range;
  readonly markdown: string;
}

/** What decides which values are legal; `undefined`: the file does not say. */
export interface KnownOfVm {
  readonly hardwareVersion: number | undefined;
  readonly vcpus: number | undefined;
}

export interface Completion {
  readonly label: string;
  readonly kind: "key" | "value" | "snippet";
  /** In a line: type, unit, default. */
  readonly detail: string;
  readonly markdown: string;
  /** Whatever reads the JSON Schema of the document offers it too. */
  readonly inSchema?: true;
  /** What it replaces. */
  readonly range: Range;
  /** `$1`, `${2:text}` and `$0` as in editors' snippets. */
  readonly snippet: string;
}

export interface Part {
  readonly name: string;
  readonly detail: string;
  readonly range: Range;
  /** Of it, what is shown when it is chosen. */
  readonly nameRange: Range;
  readonly parts: readonly Part[];
}
