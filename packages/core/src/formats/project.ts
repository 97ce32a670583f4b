import type { Files, Sources } from "../model/files.ts";
import type { Parsed } from "../model/parsed.ts";
import type { Range, TextEdit } from "../model/source.ts";
import type { VmSpec, Waypoint } from "../model/spec.ts";

/** What is said of a project's variables outside of its files: on the command line in its order, and in the environment. */
export interface Given {
  /** Every variable of the environment; each format knows its own by their prefix. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly options: readonly GivenOption[];
  /** The folder of the configuration that a plan or a state was made of, where that is not its own. */
  readonly source?: string | undefined;
}

export type GivenOption =
  | { readonly kind: "value"; readonly name: string; readonly text: string }
  | { readonly kind: "file"; readonly path: string };

/** The VMs of several files. All ranges lie in the row of all files, `sources`. */
export interface ParsedProject extends Parsed {
  readonly sources: Sources;
  /** The file among those asked for that a VM belongs to: the one with its own block, or with the outermost call of its module. */
  readonly pathOf: (vm: VmSpec) => string;
  /** How many values come from a place, or how many VMs are written by the block around it: a fix there changes all of them. */
  readonly users: (range: Range) => number;
  /** Where a VM is written: the outermost call of its module first, its own block last. Missing where that is no block. */
  readonly partsOf?: (vm: VmSpec) => readonly WrittenPart[];
  /** What stands at a place is worth; `undefined` where nothing is that has a value. */
  readonly valueAt?: (offset: number) => Evaluated | undefined;
  /** Loads what it takes to know more of it: how it is to be read instead. */
  readonly more?: () => Promise<ProjectFormat["parseProject"]>;
  /** The folders that are read as one with a folder: what is found in others depends on none of them. Missing where all are one. */
  readonly together?: ((folder: string) => ReadonlySet<string>) | undefined;
  /** The variables that values can be given to: a value for any other counts nowhere. Missing in formats without such. */
  readonly variables?: () => ReadonlySet<string>;
  /** Whether a file may hold secrets, so that no line of it is to be shown. */
  readonly isSecret?: (path: string) => boolean;
}

/** A block that writes a VM. */
export interface WrittenPart {
  readonly block: Range;
  /** Where its name stands. */
  readonly name: Range;
}

/** An expression, a name or an argument with what it is worth, in each module that is called several times and each VM. */
export interface Evaluated {
  readonly range: Range;
  readonly values: readonly EvaluatedValue[];
}

export interface EvaluatedValue {
  /** As the language writes it; `undefined`: it is not known. */
  readonly text: string | undefined;
  /** Why it is not known. */
  readonly reason?: string;
  /** The modules and elements that have it: `module.a`, `each.key "b"`; none where there is but one. */
  readonly of: readonly string[];
  readonly way: readonly Waypoint[];
}

/** A way of writing VMs over several files that refer to each other. */
export interface ProjectFormat {
  readonly name: string;
  /** What the names of the variables of the environment begin with that it looks at; missing where it looks at none. */
  readonly environment?: string;
  /** Reads the VMs that the files at `paths` write, with all that those refer to. Total, as `Format.parse` is. */
  readonly parseProject: (paths: readonly string[], files: Files, given: Given) => ParsedProject;
  /** Where the comments of a file are, each with its sign; missing where the format has none. */
  readonly comments?: (path: string, text: string) => readonly Range[];
  /** What keeps a file formatted that fixes have changed: edits of its new text. Missing where nothing stands beside what they change. */
  readonly tidy?: (path: string, before: string, after: string) => readonly TextEdit[];
  /** The folders that a file may call as modules, found by a search of its text: others may be among them. `a/b*`: any of those that begin so. */
  readonly refersTo?: (path: string, text: string) => readonly string[];
}
