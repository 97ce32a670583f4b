import { type FileContext, type Files, folderOf } from "../model/files.ts";
import type { Parsed } from "../model/parsed.ts";
import type { Range, TextEdit } from "../model/source.ts";
import type { VmSpec } from "../model/spec.ts";
import type { Language } from "../syntax/language.ts";
import type { ParsedProject, Reading } from "./project.ts";
import { ifRefused, inMemory, refused, unreadable } from "./unreadable.ts";

/** The part of a format that every run loads: which files may have it. The code is loaded for the first such file. */
export interface FormatEntry {
  readonly name: string;
  /** File name extensions to search folders for. */
  readonly extensions: readonly string[];
  /** Extensions of templates: their files do not define a VM that runs. */
  readonly templates?: readonly string[];
  /** Rules out most texts of other formats with a quick search; missing if the file name is enough. */
  readonly mayHold?: (text: string) => boolean;
  /** Searches of folders skip its files, because the folder of a VM has its .vmx, too. */
  readonly mustBeNamed?: true;
  /**
   * Files that are read together: all files of some folders, which refer to each other, or one file with the files that it was made from, which
   * its content tells because its name is common. Missing: each file is read by itself.
   */
  readonly project?: "folders" | "file";
  /** Whether a text was generated from the files next to it. Searches of folders skip it. */
  readonly isDerived?: (text: string, context: FolderFiles) => boolean;
  /** Extensions of files with values for a project's variables, but without VMs. */
  readonly values?: readonly string[];
  /** Its files are archives, which the loaded format unpacks or reads as they are. */
  readonly isPacked?: true;
  /** Whether its files may list hosts of VMs in other files, or measurements of these VMs. */
  readonly listsHosts?: true;
  readonly load: () => Promise<Format> | Format;
  /** The editor support for its text; missing if editors only know the VMs. */
  readonly language?: () => Promise<Language>;
}

/** The files in the folder of a text. */
interface FolderFiles {
  /** Whether the folder has a project with more than one file. */
  readonly hasProject: boolean;
  /** Returns the text of a file by name; `undefined` if it is unreadable. */
  readonly read: (name: string) => string | undefined;
}

/** Reads bytes of a file from an offset; returns fewer at its end. */
export type ReadBytes = (offset: number, length: number) => Uint8Array;

/**
 * One way to describe VMs in a file. The engine only knows formats through this interface.
 *
 * @example
 * import { yaml } from "@vmlint/core/yaml";
 * lint(text, { format: yaml });
 */
export interface Format<P extends Parsed = Parsed> {
  readonly name: string;
  /** For archives: returns the bytes of the descriptor, reading as little as possible; `undefined` if there is none. */
  readonly unpack?: (read: ReadBytes) => Uint8Array | undefined;
  /** Returns a result for any text; all ranges are inside the texts. */
  readonly read: (reading: Reading) => P;
  /** Like read for a text of thousands of VMs: creates each VM on demand, so that only the kept ones use memory. */
  readonly readEach?: (reading: Reading) => Parsed<Iterable<VmSpec>>;
  /** An assumption about every VM that the format cannot state; reports print it once. */
  readonly assumes?: string;
  /** The prefix of the environment variables that it reads; missing if it reads none. */
  readonly environment?: string;
  /** Returns the ranges of the comments in a text, including the comment signs; missing if the format has no comments. */
  readonly comments?: (text: string, path: string) => readonly Range[];
  /** Returns edits that restore the formatting of a fixed file. Missing if fixes cannot break it. */
  readonly tidy?: (path: string, before: string, after: string) => readonly TextEdit[];
  /** Returns the folders that a file may call as modules, by a text search that may find too many. `a/b*` stands for a prefix. */
  readonly refersTo?: (path: string, text: string) => readonly string[];
}

/** Whether the ranges refer to several joined files. */
export const isProject = (parsed: Parsed<Iterable<VmSpec>>): parsed is ParsedProject => "sources" in parsed;

/** Returns the files of a reading, including its text. */
export function filesIn({ paths: [path], files = NO_FILES, text }: Reading): Files {
  return text === undefined ? files : { ...files, read: (other) => (other === path ? text : files.read(other)) };
}

const NO_FILES: Files = { read: () => undefined, list: () => [] };

/** A parser of one text. */
interface TextParser extends Omit<Format, "read" | "readEach"> {
  readonly parse: (text: string, bytes?: Uint8Array, context?: FileContext) => Parsed;
  readonly parseEach?: (text: string, bytes?: Uint8Array, context?: FileContext) => Parsed<Iterable<VmSpec>>;
}

/** Makes a format of a parser for single files. */
export function textFormat<T extends TextParser>(parser: T): T & Format {
  const { name, parse, parseEach, unpack } = parser;
  const textOf = ({ paths: [path = ""], files, text }: Reading): string => text ?? files?.read(path) ?? "";
  const contextOf = ({ paths: [path = ""], files, inputs: { valueFilesOf, columnsOf } }: Reading): FileContext | undefined =>
    files && { path, files, valueFiles: valueFilesOf?.(folderOf(path)), columns: columnsOf?.(folderOf(path)) };
  return {
    ...parser,
    read: (reading) => {
      const text = textOf(reading);
      return (
        ifRefused(text) ??
        inMemory(
          () => parse(text, reading.bytes, contextOf(reading)),
          (message) => unreadable(name, message),
        )
      );
    },
    ...(parseEach && {
      readEach: (reading: Reading) => ifRefused(textOf(reading)) ?? parseEach(textOf(reading), reading.bytes, contextOf(reading)),
    }),
    ...(unpack && {
      unpack: (bytes: ReadBytes) =>
        inMemory(
          () => unpack(bytes),
          (message) => refused(name, message),
        ),
    }),
  };
}
