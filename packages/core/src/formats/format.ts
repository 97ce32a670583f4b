import type { Beside } from "../model/files.ts";
import type { Parsed } from "../model/parsed.ts";
import type { Range } from "../model/source.ts";
import type { VmSpec } from "../model/spec.ts";
import type { Language } from "../syntax/language.ts";
import type { ProjectFormat } from "./project.ts";

/** The part of a format that every run loads: which files may have it. The code is loaded for the first such file. */
interface Entry {
  readonly name: string;
  /** File name extensions to search folders for. */
  readonly extensions: readonly string[];
  /** Extensions of templates: their files do not define a VM that runs. */
  readonly templates?: readonly string[];
  /** Rules out most texts of other formats with a quick search; missing if the file name is enough. */
  readonly mayHold?: (text: string) => boolean;
}

/** A format of single files. */
export interface FormatEntry extends Entry {
  readonly load: () => Promise<Format> | Format;
  /** Whether its files may list hosts of VMs in other files. */
  readonly listsHosts?: true;
  /** The editor support for its text; missing if editors only know the VMs. */
  readonly language?: () => Promise<Language>;
}

/** The files in the folder of a text. */
export interface FilesBeside {
  /** Whether the folder has a project with more than one file. */
  readonly hasProject: boolean;
  /** Returns the text of a file by name; `undefined` if it is unreadable. */
  readonly read: (name: string) => string | undefined;
}

/** A format whose files refer to each other. */
export interface ProjectEntry extends Entry {
  /** Each file is a project of its own, detected by its content because the file name is common. */
  readonly separate?: boolean;
  /** Whether a text was generated from the files next to it. Searches of folders skip it. */
  readonly isDerived?: (text: string, beside: FilesBeside) => boolean;
  /** Extensions of files with values for a project's variables, but without VMs. */
  readonly values?: readonly string[];
  readonly loadProject: () => Promise<ProjectFormat>;
}

/** A format of either kind. */
export type AnyEntry = FormatEntry | ProjectEntry;

/** Reads bytes of a file from an offset; returns fewer at its end. */
export type ReadBytes = (offset: number, length: number) => Uint8Array;

/**
 * One way to describe VMs in a file. The engine only knows formats through this interface.
 *
 * @example
 * import { yaml } from "@vmlint/core/yaml";
 * lint(text, { format: yaml });
 */
export interface Format {
  readonly name: string;
  /** For archives: returns the bytes of the descriptor, reading as little as possible; `undefined` if there is none. */
  readonly unpack?: (read: ReadBytes) => Uint8Array | undefined;
  /**
   * Returns a result for any text; all ranges are inside the text. `bytes` is optional: for a text of one byte per character, it makes
   * parsing faster. Without the files of the folder, values from other files are unknown.
   */
  readonly parse: (text: string, bytes?: Uint8Array, beside?: Beside) => Parsed;
  /** Like parse for a text of thousands of VMs: creates each VM on demand, so that only the kept ones use memory. */
  readonly parseEach?: (text: string) => Parsed<Iterable<VmSpec>>;
  /** An assumption about every VM that the format cannot state; reports print it once. */
  readonly assumes?: string;
  /** Returns the ranges of the comments in a text, including the comment signs; missing if the format has no comments. */
  readonly comments?: (text: string) => readonly Range[];
}
