import type { Change } from "../model/change.ts";
import type { Parsed, TextEdit } from "../model/parsed.ts";
import type { VmSpec } from "../model/spec.ts";

/** One way a VM is written down. The engine knows formats only through this. */
export interface Format {
  readonly name: string;
  /** File name endings a folder is searched for. */
  readonly extensions: readonly string[];
  /** Total: any text gives an answer, and every range in it lies inside the text. */
  readonly parse: (text: string) => Parsed;
  /** The edits that make `vm` say `changes`; `undefined` when the format has no way to say one of them. */
  readonly edit: (text: string, vm: VmSpec, changes: readonly Change[]) => readonly TextEdit[] | undefined;
}
