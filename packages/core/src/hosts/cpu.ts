import { once } from "../model/memoize.ts";
import { similar } from "../model/nearest.ts";
import type { Source } from "../model/sources.ts";
import { list } from "../model/words.ts";
import { FIGURE_SOURCES, MODE_SOURCES } from "./cpu-sources.ts";
import { CPU_TABLES, type CpuTable, type NodeSetting } from "./cpu-table.ts";

/** A processor of the catalogue. Facts without a source are missing. */
export interface Cpu {
  readonly name: string;
  readonly vendor: "Intel" | "AMD";
  readonly family: string;
  readonly cores: number;
  readonly threadsPerCore: number;
  readonly mhz?: number;
  readonly maxSockets?: number;
  /** Cores that share one L3, unless that is known to be the whole processor. */
  readonly coresPerL3?: number;
  readonly setting?: NodeSetting;
  /** The possible NUMA nodes of a socket, with the default first. */
  readonly nodesPerSocket?: readonly number[];
  /** Set if no source shows whether it supports further counts. */
  readonly mayShowOthers?: true;
  /** Why the default is uncertain. */
  readonly doubt?: string;
  readonly sources: readonly Source[];
}

export type FoundCpu =
  | { readonly cpu: Cpu; readonly sockets?: number }
  | { readonly reason: string; readonly candidates: readonly string[]; readonly sockets?: number };

const ROW = /^(.+?) (\d+) (\d) (\d+|-) (\d|-) (\d+|-) ([\d,]+|-)(\?)? ([a-z]+)$/;

/** Every processor of the catalogue, by generation. */
export const cpus: () => readonly Cpu[] = once(() =>
  (["Intel", "AMD"] as const).flatMap((vendor) =>
    CPU_TABLES[vendor].flatMap((table) => table.rows.map((row) => readRow(row, vendor, table))),
  ),
);

function readRow(row: string, vendor: Cpu["vendor"], { family, setting, modeSources, doubt }: CpuTable): Cpu {
  const [, name, cores, threads, mhz, sockets, l3, modes, open, keys] = ROW.exec(row) ?? [];
  if (!name || !modes || !keys) throw new Error(`No processor can be read from "${row}"`);
  const figures = [...keys].flatMap((key) => FIGURE_SOURCES[key] ?? []);
  return {
    name: `${vendor === "Intel" ? "Xeon" : "EPYC"} ${name}`,
    vendor,
    family,
    cores: Number(cores),
    threadsPerCore: Number(threads),
    ...(mhz !== "-" && { mhz: Number(mhz) }),
    ...(sockets !== "-" && { maxSockets: Number(sockets) }),
    ...(l3 !== "-" && { coresPerL3: Number(l3) }),
    ...(setting && { setting }),
    ...(modes !== "-" && { nodesPerSocket: modes.split(",").map(Number) }),
    ...(open && { mayShowOthers: true }),
    ...(modes !== "-" && doubt !== undefined && { doubt }),
    sources: modes === "-" ? figures : [...figures, ...modeSources.map(sourceOfKey)],
  };
}

function sourceOfKey(key: string): Source {
  const source = MODE_SOURCES.find((one) => one.key === key);
  if (!source) throw new Error(`No source of the processors has the key "${key}"`);
  return source;
}

const byKey = once(() => new Map(cpus().map((cpu) => [keyOf(cpu.name), cpu])));

// Three digits: "7373X" is a processor, not a count.
const COUNT = /^\s*(\d{1,3})\s*[x\u00d7*]\s*(?=\S)/i;

/** Returns a processor's name without the additions of vendors, firmware and people. */
export function keyOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/\((?:r|tm|c)\)|[®™]/g, " ")
    .replace(/@.*$|\([^()]*\)\s*$/, " ")
    .replace(/_/g, " ")
    .replace(/\b\d+(?:\.\d+)?\s*[gm]hz\s*$/, " ")
    .replace(/\b\d+-core\b/g, " ")
    .replace(/\b(?:intel|amd|xeon|epyc|cpu|processors?)(?![a-z])/g, " ")
    .trim()
    .replace(/^6\s+(?=\d{4}[pe]\b)/, "") // "Xeon 6 6980P" is the 6980P
    .replace(/\s+0$/, "") // "E5-2680 0" is how first-generation E5 processors report their name.
    .replace(/[\s-]+/g, "");
}

/**
 * Returns the processor and the number of them for a text such as "2x Xeon Gold 6148" or "AMD EPYC 9654 96-Core Processor". A similar name
 * is not a match; the result then lists the nearest names.
 */
export function findCpu(text: string): FoundCpu {
  const count = COUNT.exec(text);
  const sockets = count ? { sockets: Number(count[1]) } : {};
  const name = text.slice(count?.[0].length ?? 0).trim();
  const key = keyOf(name);
  const cpu = byKey().get(key);
  if (cpu && !saysOtherVendor(name, cpu)) return { cpu, ...sockets };
  const candidates = similar(key, [...byKey().keys()], 5).flatMap((near) => byKey().get(near)?.name ?? []);
  const listed = candidates.length > 0 ? ` Did you mean ${list(candidates, "or")}?` : "";
  return { reason: `vmlint knows no processor "${name}".${listed}`, candidates, ...sockets };
}

const saysOtherVendor = (text: string, { vendor }: Cpu): boolean => (vendor === "AMD" ? /intel|xeon/i.test(text) : /amd|epyc/i.test(text));

/** Returns the processors with every word of a text in their name or generation. */
export function matchingCpus(text: string): readonly Cpu[] {
  const words = text
    .slice(COUNT.exec(text)?.[0].length ?? 0)
    .toLowerCase()
    .split(/\s+/);
  return cpus().filter(({ vendor, name, family }) => {
    const described = `${vendor} ${name} ${name.replaceAll(" ", "")} ${keyOf(name)} ${family}`.toLowerCase();
    return words.every((word) => described.includes(word));
  });
}
