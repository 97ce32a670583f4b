import { decodeVmx } from "@vmlint/core/program";

/** A file system: through VS Code, or in a thread of its own from the disk. Paths are paths of URIs. */
export interface FileAccess {
  /** Rejects if the path is a folder or a device, or the file is too large or unreadable. */
  readonly read: (path: string) => Promise<string>;
  /** The names in a folder; an empty list for an unreadable one. */
  readonly list: (folder: string) => Promise<readonly string[]>;
  /** The files of the workspace, or of one folder, whose names end so. */
  readonly search: (endings: readonly string[], folder?: string) => Promise<readonly string[]>;
  /** The workspace folder around a path. */
  readonly folderAround: (path: string) => string | undefined;
  /** Only a trusted workspace may read files outside of its folders. */
  readonly isTrusted: () => boolean;
  /** Whether it is a local disk. On any other, the folders above a workspace may belong to other people, and reading them would query their server. */
  readonly isDisk: boolean;
}

/** No file that describes machines is larger. */
const MOST_BYTES = 16_000_000;

/**
 * Returns the text of a regular file. Throws for pipes, which would block, for devices, which may be endless, and for files that
 * are too large.
 */
export async function textOfFile(
  { isFile, size }: { readonly isFile: boolean; readonly size: number },
  read: () => Uint8Array | PromiseLike<Uint8Array>,
): Promise<string> {
  if (!isFile) throw new Error("it is not a regular file");
  if (size > MOST_BYTES) throw new Error(`it is larger than ${MOST_BYTES / 1e6} MB`);
  return decodeVmx(await read(), (bytes, label) => new TextDecoder(label).decode(bytes));
}
