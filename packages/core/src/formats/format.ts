import type { Beside } from "../model/files.ts";
import type { Parsed } from "../model/parsed.ts";
import type { Range } from "../model/source.ts";
import type { VmSpec } from "../model/spec.ts";
import type { Language } from "../syntax/language.ts";
import type { ProjectFormat } from "./project.ts";

/** What every run knows of a format: which files may hold it. Its code is loaded when one does. */
interface Entry {
  readonly name: string;
  /** File name endings a folder is searched for. */
  readonly extensions: readonly string[];
  /** Those of them that mark a template: such a file is no VM that runs anywhere. */
  readonly templates?: readonly string[];
  /** False for a text that cannot be the format's, told at the cost of a search; missing where the name says enough. */
  readonly mayHold?: (text: string) => boolean;
}

/** A format of which each file stands alone. */
export interface FormatEntry extends Entry {
  readonly load: () => Promise<Format> | Format;
  /** Its files may list hosts too, which VMs of other files are on. */
  readonly listsHosts?: true;
  /** What editors say of its text; missing where they know no more than the VMs in it. */
  readonly language?: () => Promise<Language>;
}

/** The files in the folder of a text. */
export interface FilesBeside {
  /** Whether some are of a project that is no single file. */
  readonly hasProject: boolean;
  /** One by its name; `undefined` where it cannot be read. */
  readonly read: (name: string) => string | undefined;
}

/** A format whose files refer to each other. */
export interface ProjectEntry extends Entry {
  /** Each file is a project of its own, and is told by what it says: its name may be that of any other. */
  readonly separate?: boolean;
  /** Whether a program wrote a text from files beside it: found in a folder with these, it is left alone. */
  readonly isDerived?: (text: string, beside: FilesBeside) => boolean;
  /** Endings of files that hold values for a project's variables, and no VMs. */
  readonly values?: readonly string[];
  readonly loadProject: () => Promise<ProjectFormat>;
}

/** A format of either kind. */
export type AnyEntry = FormatEntry | ProjectEntry;

/** Bytes of a file from an offset on; fewer than asked for where it ends. */
export type ReadBytes = (offset: number, length: number) => Uint8Array;

/**
 * One way a VM is written down. The engine knows formats only through this.
 *
 * @example
 * import { yaml } from "@vmlint/core/yaml";
 * lint(text, { format: yaml });
 */
export interface Format {
  readonly name: string;
  /** For a container of other things: the bytes of the text in it, read by as few others as it takes; `undefined` where it has none. */
  readonly unpack?: (read: ReadBytes) => Uint8Array | undefined;
  /**
   * Total: any text gives an answer, and every range in it lies inside the text. `bytes` may be handed in where a file
   * has one byte for each character of the text; it says nothing new, but is faster to read. What a text takes of files
   * `beside` it stays unknown without them.
   */
  readonly parse: (text: string, bytes?: Uint8Array, beside?: Beside) => Parsed;
  /** The same for a text of thousands of VMs: each is made when its turn comes, so that one that nobody keeps takes no room. */
  readonly parseEach?: (text: string) => Parsed<Iterable<VmSpec>>;
  /** What is taken for granted of every VM, where the format has no place for it: said once beside a report. */
  readonly assumes?: string;
  /** Where the comments of a text are, each with its sign; missing where the format has none. */
  readonly comments?: (text: string) => readonly Range[];
}
