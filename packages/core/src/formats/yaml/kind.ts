import type { Beside } from "../../model/files.ts";
import type { Problem } from "../../model/problem.ts";
import type { Range, Setting } from "../../model/source.ts";
import type { SettingName, SettingTypes, VmSpec } from "../../model/spec.ts";
import type { Value } from "../../syntax/yaml/tree.ts";

/** One kind of document that describes VMs. */
export interface Kind {
  readonly name: string;
  /** What a text that may hold one has in it, however broken it is. */
  readonly sign: RegExp;
  /** What a text with that sign and no VM lacks, where such are common. */
  readonly lack?: string;
  /** The VMs of a document, and what is wrong with them; `undefined` when the document is of another kind. */
  readonly read: (root: Value, report: (problem: Problem) => void, around: Around) => readonly ReadVm[] | undefined;
}

/** What a document may take values of. */
export interface Around {
  /** All objects of its text. */
  readonly objects: () => readonly Value[];
  readonly beside?: Beside | undefined;
}

/** A VM with what an edit needs of it and no rule does. */
export interface ReadVm {
  readonly vm: VmSpec;
  /** All that belongs to it, from its first character to the next VM. */
  readonly span: Range;
  readonly place: ValuePlace;
}

/** Where the settings of a VM are written, or would be. */
export interface ValuePlace {
  readonly fields: Fields;
  /** What the paths of the fields start from. */
  readonly base: Value;
  readonly stated: ReadonlyMap<SettingName, Spot>;
  /** Types of SCSI controllers, by the controller's id. */
  readonly scsi: ReadonlyMap<string, Spot>;
  readonly options: Options | undefined;
  /** Whether something else takes the value of a key. */
  readonly taken?: ((key: string) => boolean) | undefined;
}

/** A value that an edit can replace. */
export interface Spot {
  readonly value: Value;
  readonly write: (value: never) => string | undefined;
}

/** How a format spells a setting. */
export interface Field<T> {
  readonly path: readonly string[];
  readonly read: (text: string, range: Range) => Setting<T>;
  /** `undefined` for a value that it cannot say. */
  readonly write: (value: T) => string | undefined;
}

export type Fields = { readonly [K in SettingName]?: Field<SettingTypes[K]> };

/** Where a format takes the options of ESXi (`numa.*`, `sched.*`): a mapping, or a list of keys and values. */
export interface Options {
  readonly style: "mapping" | "list";
  /** The key that holds them. */
  readonly key: string;
  readonly value: Value;
  readonly entries: readonly OptionEntry[];
}

export interface OptionEntry {
  readonly key: string;
  readonly keyRange: Range;
  readonly value: Value;
}
