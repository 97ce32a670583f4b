import type { FileContext } from "../../model/files.ts";
import type { Problem } from "../../model/problem.ts";
import type { Range, Setting } from "../../model/source.ts";
import type { Change, SettingName, SettingTypes, VmSpec } from "../../model/spec.ts";
import type { Value } from "../../syntax/yaml/tree.ts";

/** One kind of document with VMs. */
export interface Kind {
  readonly name: string;
  /** Every text that may contain one matches this, even if it is broken. */
  readonly sign: RegExp;
  /** The missing part in a matching text without VM, if such texts are common. */
  readonly lack?: string;
  /** Returns the VMs of a document, and reports their problems; `undefined` for a document of another kind. */
  readonly read: (root: Value, report: (problem: Problem) => void, context: DocumentContext) => readonly ReadVm[] | undefined;
}

/** The other documents whose values a document may use. */
export interface DocumentContext {
  /** All objects of its text. */
  readonly objects: () => readonly Value[];
  readonly context?: FileContext | undefined;
}

/** A VM with the data that edits need. */
export interface ReadVm {
  readonly vm: VmSpec;
  /** The range of the VM, from its first character to the next VM. */
  readonly span: Range;
  readonly place: ValuePlace;
  /** Returns edits in place of those for its values, if settings differ from the fields of the text. */
  readonly edits?: VmSpec["edit"];
  /** Returns the same changes as values to replace, for a language other than YAML; `undefined` if one has no value in the text. */
  readonly replacements?: (changes: readonly Change[]) => readonly Replacement[] | undefined;
}

/** A value in the text, and its new text. */
export interface Replacement {
  readonly at: Range;
  readonly text: string;
}

/** The places of a VM's settings, existing or not. */
export interface ValuePlace {
  readonly fields: Fields;
  /** The base of the fields' paths. */
  readonly base: Value;
  readonly statedValues: ReadonlyMap<SettingName, EditableValue>;
  /** Types of SCSI controllers, by the controller's id. */
  readonly scsi: ReadonlyMap<string, EditableValue>;
  readonly options: Options | undefined;
  /** Whether another part of the text uses the value of a key. */
  readonly isReferenced?: ((key: string) => boolean) | undefined;
}

/** A value that an edit can replace. */
export interface EditableValue {
  readonly value: Value;
  readonly write: (value: never) => string | undefined;
}

/** The notation of a setting in a format. */
export interface Field<T> {
  readonly path: readonly string[];
  readonly read: (text: string, range: Range) => Setting<T>;
  /** `undefined` for a value that the format cannot express. */
  readonly write: (value: T) => string | undefined;
}

export type Fields = { readonly [K in SettingName]?: Field<SettingTypes[K]> };

/** The place for options of ESXi (`numa.*`, `sched.*`): a mapping, or a list of keys and values. */
export interface Options {
  readonly style: "mapping" | "list";
  /** The key that contains them. */
  readonly key: string;
  readonly value: Value;
  readonly entries: readonly OptionEntry[];
  /** Whether they are lines of a .vmx, so that none is ignored in favour of a field. */
  readonly takesAll?: true;
}

interface OptionEntry {
  readonly key: string;
  readonly keyRange: Range;
  readonly value: Value;
}
