import { join } from "node:path";
import type { HostModel } from "@vmlint/core";
import { hostNameOf } from "@vmlint/core/program";
import { isVmlintError } from "../args/command-output.ts";
import { foldersBelow } from "./disk.ts";
import { ifReadable, readText, shownPath, statsOf } from "./read-files.ts";

/** A dump of a host, by its path relative to a folder. */
export interface FoundDump {
  readonly file: string;
  /** The host with a name of its own, or why there is none yet. */
  readonly host: HostModel | string;
}

/** File names and sizes of dumps. A dump of govc contains all hardware of a host, so it can be large. */
const DUMP = /\.(txt|json|xml|log|out)$/i;
const MOST_BYTES = 4 << 20;
const MOST_FILES = 500;

/** Returns the dumps in a folder and below. */
export async function dumpsBelow(folder: string): Promise<readonly FoundDump[]> {
  const { dumpFormats, importHost } = await import("@vmlint/core/hosts");
  const names = new Set<string>();
  return candidates(folder).flatMap((path): readonly FoundDump[] => {
    const text = ifReadable(() => readText(path)) ?? "";
    // A description in words is written on a command line; in a file it is more likely prose.
    if (!dumpFormats.some((format) => format.recognises(text)) || !text.includes("\n")) return [];
    const file = shownPath(path, folder);
    const name = unusedName(hostNameOf(file), names);
    names.add(name);
    try {
      return [{ file, host: importHost(text, { name, file }).host }];
    } catch (error) {
      if (!isVmlintError(error)) throw error;
      return [{ file, host: error.message }];
    }
  });
}

function candidates(top: string): readonly string[] {
  const found: string[] = [];
  for (const { folder, entries } of foldersBelow(top)) {
    if (found.length >= MOST_FILES) break;
    for (const entry of entries) {
      const path = join(folder, entry.name);
      if (entry.isFile() && DUMP.test(entry.name) && (statsOf(path)?.size ?? Infinity) <= MOST_BYTES) found.push(path);
    }
  }
  return found.slice(0, MOST_FILES);
}

function unusedName(base: string, names: ReadonlySet<string>): string {
  for (let i = 1; ; i++) {
    const name = i === 1 ? base : `${base}-${i}`;
    if (!names.has(name)) return name;
  }
}
