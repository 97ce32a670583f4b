import { atLeast, type EsxiVersion, formatEsxi, parseEsxi, esxi as release } from "../model/esxi.ts";
import type { HostModel, HostPlatform, KvmHost, PowerPolicy } from "../model/host.ts";

/** An assumption behind the facts of a dump. */
export interface Assumption {
  /** The fact that makes the assumption unnecessary, from the owner or another dump in the file. `total`: the number of CPUs. */
  readonly about?: "total" | "threads" | "nodes" | "esxi";
  readonly text: string;
}

/** The facts of a dump, as totals of the whole machine. Missing facts are absent. */
export interface DumpFacts {
  readonly packages?: number;
  readonly cores?: number;
  /** Logical CPUs in use: with hyper-threading off, as many as cores. */
  readonly threads?: number;
  /** NUMA nodes that have CPUs. */
  readonly nodes?: number;
  /** Set if a last-level cache serves fewer cores than a NUMA node has. */
  readonly coresPerL3?: number;
  readonly memoryBytes?: number;
  /** NVMe that memory tiering adds to the memory. */
  readonly nvmeTierBytes?: number;
  /** Whether its NUMA nodes have unequal memory. */
  readonly unevenMemory?: boolean;
  readonly hz?: number;
  readonly cpu?: string;
  readonly esxi?: EsxiVersion;
  /** Logical CPUs of each NUMA node, in ESXi's own numbers. */
  readonly pcpusOfNode?: readonly (readonly number[])[];
  /** The core and the NUMA node of each logical CPU, in Linux's own numbers. */
  readonly linuxCpus?: HostModel["linuxCpus"];
  /** Set if the processors have hyper-threading and it is off. */
  readonly hyperthreadingOff?: true;
  readonly powerPolicy?: PowerPolicy;
  readonly runs?: HostPlatform;
  readonly kvm?: KvmHost;
  readonly assumed?: readonly Assumption[];
  /** Facts of the dump that a host model does not contain. */
  readonly notes?: readonly string[];
}

/** Returns a power policy by the words of the vSphere API ("static", "dynamic", "low") or of the vSphere Client. */
export function powerPolicyOf(word: string | undefined): Pick<DumpFacts, "powerPolicy"> {
  const policies = { "High performance": /static|high/i, Balanced: /dynamic|balanced/i, "Low power": /low/i };
  const [policy] = Object.entries(policies).find(([, words]) => words.test(word ?? "")) ?? [];
  return policy === undefined ? {} : { powerPolicy: policy as PowerPolicy };
}

/** Stops reading with a problem and its remedy, and the one-based line if there is one. */
export type Fail = (message: string, line?: number) => never;

/** The parts that a machine shows of itself. Parts of a guest may differ, unlike parts of a host. Missing facts are not in the dump. */
export interface SeenMachine {
  readonly cpus: number;
  readonly sockets?: number | undefined;
  readonly coresPerSocket?: number | undefined;
  readonly threadsPerCore?: number | undefined;
  /** The CPUs of each NUMA node, by the numbers of the nodes. */
  readonly nodes?: readonly (readonly number[])[] | undefined;
  /** Set if nodes without CPUs would not be listed. */
  readonly omitsEmptyNodes?: true | undefined;
  /** The number of L3 caches. */
  readonly l3Caches?: number | undefined;
  /** Set if the dump shows that no hypervisor runs the machine. */
  readonly isBare?: true | undefined;
}

/** One kind of dump. */
export interface DumpFormat {
  readonly id: string;
  /** The command that prints it. */
  readonly title: string;
  readonly recognises: (text: string) => boolean;
  /** Several formats may read the same text: each uses its own lines. */
  readonly read: (text: string, fail: Fail) => DumpFacts;
  /** Reads what a guest shows of itself; missing if no guest has such a dump. */
  readonly see?: (text: string, fail: Fail) => SeenMachine;
}

/** A line of a text dump that carries a value. */
export interface Line {
  readonly key: string;
  readonly value: string;
  /** One-based. */
  readonly number: number;
}

/** Returns the lines of a text, without line ends. */
export const linesOf = (text: string): readonly string[] => text.split(/\r\n|\r|\n/);

/** Returns every `key: value` line. */
export const keyedLines = (text: string): readonly Line[] =>
  linesOf(text).flatMap((line, i) => {
    const colon = line.indexOf(":");
    return colon < 1 ? [] : [{ key: line.slice(0, colon).trim(), value: line.slice(colon + 1).trim(), number: i + 1 }];
  });

/** Returns the values of some keys. Fails on a duplicate key, because a file describes one machine. */
export function onceEach<K extends string>(lines: readonly Line[], keys: readonly K[], fail: Fail): Partial<Record<K, Line>> {
  const found: Partial<Record<K, Line>> = {};
  for (const line of lines) {
    const key = keys.find((candidate) => candidate === line.key);
    if (key === undefined) continue;
    const first = found[key];
    if (first) fail(`"${key}" is here a second time (first on line ${first.number}). Give each host a file of its own.`, line.number);
    found[key] = line;
  }
  return found;
}

/** Returns the value as a whole number, or fails. */
export function wholeNumber(line: Line, fail: Fail): number {
  if (!/^\d+$/.test(line.value)) fail(`"${line.key}" is "${line.value}", which is no whole number. Take the dump again.`, line.number);
  return Number(line.value);
}

/** Builds facts from a list of CPUs, which may be incomplete without notice. */
export const listed = (facts: DumpFacts): DumpFacts => ({
  ...facts,
  assumed: [...(facts.assumed ?? []), { about: "total", text: `no more CPUs than the ${facts.threads} listed: the dump names no total` }],
});

/** Far more logical CPUs than any host has; longer lists have repeated wide ranges. */
const MOST_NUMBERS = 100_000;

/** Reads `0-7,16-23`; `undefined` for any other text. A step, `0-62:2`, is notation of util-linux 2.42 (lib/cpuset.c, cpulist_create). */
export function numbersOf(list: string): readonly number[] | undefined {
  const numbers: number[] = [];
  for (const part of list.split(",")) {
    const match = /^\s*(\d{1,5})(?:-(\d{1,5})(?::([1-9]\d{0,4}))?)?\s*$/.exec(part);
    if (!match) return undefined;
    if (numbers.length > MOST_NUMBERS) return undefined;
    for (let n = Number(match[1]); n <= Number(match[2] ?? match[1]); n += Number(match[3] ?? 1)) numbers.push(n);
  }
  return numbers;
}

/** Returns the release of a host. Up to 6.7 its version stays at 6.7.0 through all updates; from 7.0 on the third number is the update. */
export function versionFacts(version: string, update?: string): Pick<DumpFacts, "esxi" | "assumed"> {
  const stated = parseEsxi(version);
  if (!stated) return {};
  if (update !== undefined) return { esxi: { ...stated, update: Number(update) } };
  if (stated.update !== null || atLeast(stated, release(7, 0))) return { esxi: stated };
  const shown = formatEsxi(stated);
  const text = `ESXi ${shown} of any update: the version number is the same for all updates (write "${shown} U2" for a certain update)`;
  return { esxi: stated, assumed: [{ about: "esxi", text }] };
}

/** Returns the bytes of a unit: `KiB`. */
export const bytesIn = (unit: string): number | undefined => {
  const power = ["B", "KiB", "MiB", "GiB", "TiB"].indexOf(unit);
  return power < 0 ? undefined : 1024 ** power;
};

/** The position at which an incomplete text ends. */
export const lastLine = (text: string): number => linesOf(text.trimEnd()).length;

/** Returns the assumption for a dump from inside a VM. */
export const fromInsideVm = (who: string): Assumption => ({
  text: `a VM stands for a host: the dump was taken inside one (${who}) and shows the virtual topology it was given`,
});
