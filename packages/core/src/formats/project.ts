import type { Columns } from "../model/columns.ts";
import type { FileContext, Files, Sources } from "../model/files.ts";
import type { Parsed } from "../model/parsed.ts";
import type { Range } from "../model/source.ts";
import type { NamedTemplate, VmSpec, Waypoint } from "../model/spec.ts";

/** Variables from outside of the project's files: the command line, in order, and the environment. */
export interface ProjectInputs {
  /** All environment variables; each format uses its own prefix. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly options: readonly VariableOption[];
  /** Returns the files with values that the configuration of a folder names, as `varFiles:`. */
  readonly valueFilesOf?: ((folder: string) => readonly string[]) | undefined;
  /** Returns the templates that the configuration of a folder describes. The last one of a name counts. */
  readonly templatesOf?: ((folder: string) => readonly NamedTemplate[]) | undefined;
  /** Returns the folder of the repository around a folder, whose sources of Packer make templates; missing if there is none. */
  readonly topOf?: ((folder: string) => string | undefined) | undefined;
  /** Returns the columns of tables of VMs that the configuration of a folder names, as `columns:`. */
  readonly columnsOf?: ((folder: string) => Columns | undefined) | undefined;
  /** The folder of the configuration behind a plan or state, if it differs. */
  readonly source?: string | undefined;
}

export const NOTHING_GIVEN: ProjectInputs = { environment: {}, options: [] };

/** Returns the inputs of a single file. */
export function inputsIn({ valueFiles, columns }: Partial<FileContext> = {}): ProjectInputs {
  if (!valueFiles && !columns) return NOTHING_GIVEN;
  return { ...NOTHING_GIVEN, ...(valueFiles && { valueFilesOf: () => valueFiles }), columnsOf: () => columns };
}

export type VariableOption =
  | { readonly kind: "value"; readonly name: string; readonly text: string }
  | { readonly kind: "file"; readonly path: string };

/** The files to read: one, or several of a joint format. */
export interface Reading {
  readonly paths: readonly string[];
  /** Missing if the caller knows no other files: values from other files are then unknown. */
  readonly files?: Files | undefined;
  readonly inputs: ProjectInputs;
  /** The text of the first path, if the caller has read it already. */
  readonly text?: string | undefined;
  /** The bytes of that text, if it has one byte per character. They make parsing faster. */
  readonly bytes?: Uint8Array | undefined;
}

/** The VMs of several files. All ranges refer to the joined files, `sources`. */
export interface ParsedProject extends Parsed {
  readonly sources: Sources;
  /** Resources and module calls that create no VM. */
  readonly withoutVm?: readonly WithoutVm[];
  /** Returns which of the requested files a VM belongs to: the file of its own block, or of the outermost module call. */
  readonly pathOf: (vm: VmSpec) => string;
  /** Returns how many values come from a range, or how many VMs the enclosing block defines; a fix there changes all of them. */
  readonly countUsers: (range: Range) => number;
  /** Returns the blocks that define a VM: the outermost module call first, its own block last. Missing if they are not blocks. */
  readonly partsOf?: (vm: VmSpec) => readonly WrittenPart[];
  /** The value of the expression at an offset; `undefined` if there is none. */
  readonly valueAt?: (offset: number) => EvaluatedPlace | undefined;
  /** Loads a parser that can evaluate more. */
  readonly loadMore?: () => Promise<(reading: Reading) => ParsedProject>;
  /** Returns the folders that depend on a folder or that it depends on. Missing if all folders are connected. */
  readonly together?: ((folder: string) => ReadonlySet<string>) | undefined;
  /** The variables that accept values; values for other names have no effect. Missing for formats without variables. */
  readonly variables?: () => ReadonlySet<string>;
  /** Whether a file may contain secrets, so that reports must not show its lines. */
  readonly isSecret?: (path: string) => boolean;
}

/** A resource or a module call that creates no VM here, and why: `creates 0 VMs: count is 0`. */
export interface WithoutVm {
  readonly path: string;
  readonly name: string;
  readonly reason: string;
}

/** A block that defines a VM. */
export interface WrittenPart {
  readonly block: Range;
  /** The range of its name. */
  readonly name: Range;
}

/** The value of an expression, name or argument, for each module instance and each VM. */
export interface EvaluatedPlace {
  readonly range: Range;
  readonly values: readonly EvaluatedValue[];
}

export interface EvaluatedValue {
  /** The value in the notation of the language; `undefined` if it is unknown. */
  readonly text: string | undefined;
  /** Why it is unknown. */
  readonly reason?: string;
  /** The instances with this value: `module.a`, `each.key "b"`; empty if there is only one. */
  readonly of: readonly string[];
  readonly trace: readonly Waypoint[];
}
