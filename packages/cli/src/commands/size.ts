import { type Config, type HostModel, nearest } from "@vmlint/core";
import {
  SQL_EDITIONS,
  SQL_LICENSING,
  SQL_VERSIONS,
  size,
  sizeJson,
  sizeText,
  type Wish,
  WORKLOAD_KINDS,
  type Workload,
} from "@vmlint/core/size";
import { json, TOOL, usage, wholeNumber } from "../answer.ts";
import { configFinder } from "../find-config.ts";
import { hostFinder, tellAssumptions } from "../host.ts";
import type { Io } from "../io.ts";
import type { Flags } from "../options.ts";

/** `vmlint size`: the options are the wish, the answer goes to stdout. */
export async function sizeReport(flags: Flags, io: Io): Promise<string> {
  const { config } = await configFinder(flags.config, io.cwd, flags.plugins?.rules)(io.cwd);
  const names = flags.host === undefined ? hostsOf(config) : [flags.host].flat();
  const hosts = await Promise.all(names.map((name) => hostFinder(name, io)(config)));
  const printed = new Set<HostModel>();
  for (const host of hosts) tellAssumptions(host, printed, io);
  const sizing = size(wishOf(flags), hosts);
  if (flags.format === "text") return sizeText(sizing, io.palette);
  return json(sizeJson(sizing, TOOL));
}

/** Returns the host of a configuration and all hosts of its clusters. */
const hostsOf = ({ host, clusters }: Config): readonly string[] =>
  host === undefined ? [] : [...new Set([host, ...clusters.filter((hosts) => hosts.includes(host)).flat()])];

function wishOf(flags: Flags): Wish {
  if (flags.vcpus === undefined) throw usage("vmlint size needs --vcpus, the number of vCPUs you want.");
  const workload = workloadOf(flags);
  const hardware = flags["hardware-version"];
  return {
    vcpus: wholeNumber("--vcpus", flags.vcpus),
    ...(flags.memory !== undefined && { memoryMiB: memoryMiB(flags.memory) }),
    ...(workload && { workload }),
    ...(hardware !== undefined && { hardwareVersion: wholeNumber("--hardware-version", hardware.replace(/^vmx-/, "")) }),
    ...(flags.range !== undefined && { range: rangeOf(flags.range) }),
  };
}

function workloadOf(flags: Flags): Workload | undefined {
  const { workload: kind, edition, licensing } = flags;
  const version = flags["sql-version"];
  if (kind === undefined) {
    if (edition ?? licensing ?? version) throw usage("--edition, --sql-version and --licensing need --workload mssql.");
    return undefined;
  }
  return {
    kind: oneOf("--workload", kind, WORKLOAD_KINDS),
    ...(edition !== undefined && { edition: oneOf("--edition", edition, SQL_EDITIONS) }),
    ...(version !== undefined && { version: oneOf("--sql-version", version, SQL_VERSIONS) }),
    ...(licensing !== undefined && { licensing: oneOf("--licensing", licensing, SQL_LICENSING) }),
  };
}

function oneOf<const T extends string>(option: string, word: string, words: readonly T[]): T {
  const found = words.find((candidate) => candidate === word);
  const near = nearest(word, words);
  if (found === undefined) throw usage(`${option} takes ${words.join(", ")}, not "${word}".${near ? ` Did you mean ${near}?` : ""}`);
  return found;
}

const MIB: Readonly<Record<string, number>> = { m: 1, g: 1024, t: 1024 * 1024 };

/** `300GiB`, `300 GB`, `307200M`: GB means GiB, as everywhere in vSphere. */
function memoryMiB(text: string): number {
  const [, amount = "", unit = ""] = /^(\d+(?:\.\d+)?)\s*([mgt])i?b?$/i.exec(text.trim()) ?? [];
  const mib = Number(amount) * (MIB[unit.toLowerCase()] ?? 0);
  if (!Number.isInteger(mib) || mib === 0) throw usage(`--memory takes an amount with its unit, such as 300GiB or 512MiB, not "${text}".`);
  return mib;
}

function rangeOf(text: string): readonly [number, number] {
  const match = /^(\d+)-(\d+)$/.exec(text);
  if (!match) throw usage(`--range takes two vCPU counts, such as 16-32, not "${text}".`);
  return [Number(match[1]), Number(match[2])];
}
