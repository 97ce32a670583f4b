import { decodeVmx } from "@vmlint/core";
import { FileType, type Uri, workspace } from "vscode";

/** No file that describes machines is larger. */
const MOST_BYTES = 16_000_000;

/**
 * Returns the text of a regular file. Rejects for pipes, which would block, for devices, which may be endless, and for files that
 * are too large.
 */
export async function readFile(file: Uri): Promise<string> {
  const { type, size } = await workspace.fs.stat(file);
  if ((type & FileType.File) === 0) throw new Error("it is not a regular file");
  if (size > MOST_BYTES) throw new Error(`it is larger than ${MOST_BYTES / 1e6} MB`);
  return decodeVmx(await workspace.fs.readFile(file), (bytes, label) => new TextDecoder(label).decode(bytes));
}
