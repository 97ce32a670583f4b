import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import {
  type Config,
  decodeVmx,
  findHost,
  type HostModel,
  type ImportedHost,
  isCountedProcessors,
  isDescription,
  parseEsxi,
  printable,
  requireHost,
  VmlintError,
} from "@vmlint/core";
import { readStandardInput, STDIN } from "./find-files.ts";
import type { Io } from "./io.ts";
import { decode, isFile, readText, statsOf } from "./read-files.ts";

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

/** Like `hostFinder`, but also returns the origin of each fact. */
export async function understandHost(word: string, config: Config, io: Io): Promise<ImportedHost> {
  const imported = config.imported?.get(word) ?? ("host" in findHost(word, config) ? undefined : await readHost(word, io));
  return imported ?? known(requireHost(word, config));
}

/** Prints the assumptions about a host to stderr, once per host. */
export function tellAssumptions(host: HostModel, printed: Set<HostModel>, io: Io): void {
  if (!host.assumed || printed.has(host)) return;
  printed.add(host);
  for (const assumption of host.assumed) io.err(`vmlint: ${printable(`host ${host.name}: assumed ${assumption}`)}.\n`);
}

async function hostOfProcessors(word: string): Promise<ImportedHost> {
  const { hostFromCpu } = await import("@vmlint/core/cpus");
  const found = hostFromCpu(word);
  if ("reason" in found) throw new VmlintError("HOST_UNKNOWN", found.reason);
  return known(found.host);
}

/** Returns a host that does not come from a dump. */
function known(host: HostModel): ImportedHost {
  const missing = (["esxi", "memoryGiB", "mhz"] as const).filter((field) => host[field] === undefined);
  return { host, formats: [], origins: {}, notes: [], missing };
}

interface Dump {
  readonly name: string;
  readonly text: string;
}

/** Returns `undefined` if the word is neither processors, nor a file, nor a description. */
async function readHost(word: string, io: Io): Promise<ImportedHost | undefined> {
  const [, plain = word, version] = /^(.+)@([^@]*)$/.exec(word) ?? [];
  if (isCountedProcessors(word)) return hostOfProcessors(word);
  const complete = await dumpAt(word, io);
  const dump = complete ?? (await dumpAt(plain, io)) ?? described(plain);
  if (!dump) {
    const found = findHost(word);
    if (/[\\/]|\.(txt|json|xml|log|out)$/i.test(plain) && "isName" in found && found.isName) {
      const there = existsSync(resolve(io.cwd, plain)) ? "is no file" : "does not exist";
      throw new VmlintError("HOST_UNKNOWN", `${plain} ${there}, and there is no host with that name.`);
    }
    return undefined;
  }
  const esxi = complete || version === undefined ? undefined : parseEsxi(version);
  if (!complete && version !== undefined && !esxi) {
    throw new VmlintError("HOST_UNKNOWN", `"${version}" is not an ESXi version. Write 6.7, 7.0 or 8.0 U2.`);
  }
  const { importHost } = await import("@vmlint/core/hosts");
  return importHost(dump.text, { name: dump.name, file: dump.name, stated: esxi && { esxi } });
}

async function dumpAt(path: string, io: Io): Promise<Dump | undefined> {
  if (path === STDIN) return { name: "stdin", text: decodeVmx(await readStandardInput(), decode) };
  const file = resolve(io.cwd, path);
  io.noted?.(file);
  // A shell hands in a pipe for <(...).
  if (statsOf(file)?.isFIFO()) return { name: path, text: decodeVmx(readFileSync(file), decode) };
  return isFile(file) ? { name: path, text: readText(file) } : undefined;
}

const described = (word: string): Dump | undefined => (isDescription(word) ? { name: word, text: word } : undefined);
