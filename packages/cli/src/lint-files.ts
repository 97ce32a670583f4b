import { dirname } from "node:path";
import { decodeVmx, EMPTY_CONFIG, formatOf, type HostModel, type LintedFile, lint, requireHost, targetOf } from "@vmlint/core";
import { configFinder, type FoundConfig, findFiles, pathInConfig, readBytes, shown } from "./files.ts";
import type { Io } from "./io.ts";

export interface LintRequest {
  readonly patterns: readonly string[];
  /** Name or short form of a host; wins over every configuration. */
  readonly host?: string | undefined;
  readonly config?: string | undefined;
}

const BOM = "\ufeff";

/** Throws a RangeError on a label that no decoder has. A byte order mark is no part of the text, as in an editor. */
function decode(bytes: Uint8Array, label: string): string {
  if (label !== "utf-8") return new TextDecoder(label).decode(bytes);
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
  return text.startsWith(BOM) ? text.slice(1) : text;
}

/** Lints every file the patterns mean. A named file that is no VM definition gets a note; one found in a folder is passed over. */
export async function* lintFiles({ patterns, host, config }: LintRequest, io: Io): AsyncIterable<LintedFile> {
  const inputs = await findFiles(patterns.length > 0 ? patterns : ["."], io.cwd);
  const findConfig = configFinder(config, io.cwd);
  if (host !== undefined && inputs.length === 0) requireHost(host, (await findConfig(io.cwd)).config);
  let folder: string | undefined;
  let found: FoundConfig = { config: EMPTY_CONFIG, folder: io.cwd };
  let commandLineHost: HostModel | undefined;
  for (const { path, named } of inputs) {
    if (dirname(path) !== folder) {
      folder = dirname(path);
      found = await findConfig(folder);
      commandLineHost = host === undefined ? undefined : requireHost(host, found.config);
    }
    const bytes = readBytes(path);
    const text = decodeVmx(bytes, decode);
    const format = formatOf(path);
    const target = targetOf(found.config, () => pathInConfig(found, path), commandLineHost);
    const result = lint(text, { ...(format && { format }), ...(bytes.length === text.length && { bytes }), target });
    if (result.foreign !== undefined) {
      if (!named) continue;
      io.err(`vmlint: ${shown(path, io.cwd)} is not checked: ${result.foreign}.\n`);
    }
    yield { ...result, path: shown(path, io.cwd), text };
  }
}
