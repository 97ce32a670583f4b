import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Config, HostModel } from "@vmlint/core";
import { decodeVmx, findHost, type ImportedHost, printable, requireHost, VmlintError } from "@vmlint/core/program";
import { readStandardInput, STDIN } from "../files/find-files.ts";
import { decode, isFile, readText, statsOf } from "../files/read-files.ts";
import type { Io } from "../io.ts";

/**
 * Finds the host that a word on the command line means to a configuration: a name, a short form, processors, a dump in a file, or
 * hwloc's description. A dump is read once.
 */
export function hostFinder(word: string, io: Io): (config: Config) => Promise<HostModel> {
  let read: Promise<ImportedHost | undefined> | undefined;
  return async (config) => {
    const found = findHost(word, config);
    if ("host" in found) return found.host;
    read ??= readHost(word, io);
    return (await read)?.host ?? requireHost(word, config);
  };
}

/** Returns the host in the file or the text that a word names; `undefined` for another word. */
export const describedHost = async (word: string, io: Io): Promise<HostModel | undefined> => (await readHost(word, io))?.host;

/** Like `hostFinder`, but also returns the origin of each fact. */
export async function understandHost(word: string, config: Config, io: Io): Promise<ImportedHost> {
  const imported = config.imported?.get(word) ?? ("host" in findHost(word, config) ? undefined : await readHost(word, io));
  if (imported) return imported;
  const { withoutDump } = await import("@vmlint/core/cpus");
  return withoutDump(requireHost(word, config));
}

/** Prints the assumptions about a host to stderr, once per host. */
export function tellAssumptions(host: HostModel, printed: Set<HostModel>, io: Io): void {
  if (!host.assumed || printed.has(host)) return;
  printed.add(host);
  for (const assumption of host.assumed) io.err(`vmlint: ${printable(`host ${host.name}: assumed ${assumption}`)}.\n`);
}

interface Dump {
  readonly name: string;
  readonly text: string;
}

/** Returns `undefined` if the word is neither a file nor the text of a host. */
async function readHost(word: string, io: Io): Promise<ImportedHost | undefined> {
  const [, plain = word, version] = /^(.+)@([^@]*)$/.exec(word) ?? [];
  const complete = await dumpAt(word, io);
  const dump = complete ?? (await dumpAt(plain, io));
  const { hostOfText, importHost, release } = await import("@vmlint/core/cpus");
  if (!dump) {
    const described = hostOfText(word);
    if (described) return described;
    const found = findHost(word);
    if (/[\\/]|\.(txt|json|xml|log|out)$/i.test(plain) && "isName" in found && found.isName) {
      const there = existsSync(resolve(io.cwd, plain)) ? "is no file" : "does not exist";
      throw new VmlintError("HOST_UNKNOWN", `${plain} ${there}, and there is no host with that name.`);
    }
    return undefined;
  }
  const stated = complete || version === undefined ? undefined : { esxi: release(version) };
  return importHost(dump.text, { name: dump.name, file: dump.name, stated });
}

async function dumpAt(path: string, io: Io): Promise<Dump | undefined> {
  if (path === STDIN) return { name: "stdin", text: decodeVmx(await readStandardInput(), decode) };
  const file = resolve(io.cwd, path);
  io.noted?.(file);
  // A shell hands in a pipe for <(...).
  if (statsOf(file)?.isFIFO()) return { name: path, text: decodeVmx(readFileSync(file), decode) };
  return isFile(file) ? { name: path, text: readText(file) } : undefined;
}
