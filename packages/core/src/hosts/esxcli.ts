import { addTo } from "../model/maps.ts";
import {
  type DumpFacts,
  type DumpFormat,
  type Fail,
  keyedLines,
  type Line,
  lastLine,
  linesOf,
  listed,
  onceEach,
  versionFacts,
  wholeNumber,
} from "./facts.ts";
import { factsOfCpus } from "./grid.ts";

/**
 * `esxcli hardware cpu global get`. Cores and threads are totals; hyper-threading is only in use if it is active: hosts with "Enabled:
 * true" and "Active: false" exist.
 */
export const esxcliCpuGlobal: DumpFormat = {
  id: "esxcli-cpu-global",
  title: "esxcli hardware cpu global get",
  recognises: (text) => /^\s*CPU Packages:/m.test(text),
  read(text, fail) {
    const keys = ["CPU Packages", "CPU Cores", "CPU Threads", "Hyperthreading Active"] as const;
    const fields = onceEach(keyedLines(text), keys, fail);
    // In the order of the command's output: if the last one is present, no earlier one was cut off.
    const [packages, cores, threads, active] = keys.map((key) => fields[key] ?? endsBefore(key, text, fail));
    if (!packages || !cores || !threads || !active) return {};
    if (!/^(true|false)$/i.test(active.value)) fail(`"Hyperthreading Active" must be true or false. Take the dump again.`, active.number);
    const coreCount = wholeNumber(cores, fail);
    return {
      packages: wholeNumber(packages, fail),
      cores: coreCount,
      threads: active.value.toLowerCase() === "true" ? wholeNumber(threads, fail) : coreCount,
    };
  },
};

/** `esxcli hardware memory get`: the number of nodes, but not their memory. */
export const esxcliMemory: DumpFormat = {
  id: "esxcli-memory",
  title: "esxcli hardware memory get",
  recognises: (text) => /^\s*(Physical Memory|NUMA Node Count):/m.test(text),
  read(text, fail) {
    const keys = ["Physical Memory", "NUMA Node Count"] as const;
    const fields = onceEach(keyedLines(text), keys, fail);
    const [memory, nodes] = keys.map((key) => fields[key] ?? endsBefore(key, text, fail));
    if (!memory || !nodes) return {};
    const bytes = /^(\d+) Bytes$/i.exec(memory.value);
    if (!bytes) return fail(`"Physical Memory" must be a number of Bytes. Take the dump again.`, memory.number);
    return { memoryBytes: Number(bytes[1]), nodes: wholeNumber(nodes, fail) };
  },
};

/**
 * `esxcli hardware cpu list`: a block for each logical CPU, in ESXi's numbers. It lacks the threads per core and the number of blocks; "L3
 * Cache CPU Count" is 2 on hosts whose cache serves 10 cores, so it is not used.
 */
export const esxcliCpuList: DumpFormat = {
  id: "esxcli-cpu-list",
  title: "esxcli hardware cpu list",
  recognises: (text) => /^\s*CPU:\s*\d+\s*$/m.test(text),
  read(text, fail) {
    const cpus = blocks(text).map((block) => cpuOf(block, fail));
    const facts = listed(factsOfCpus(cpus, fail));
    const speeds = new Set(cpus.map(({ hz }) => hz));
    const [hz] = speeds;
    return {
      ...facts,
      ...(facts.nodes !== undefined && { pcpusOfNode: pcpusByNode(cpus) }),
      ...(speeds.size === 1 && hz !== undefined && { hz }),
    };
  },
};

/** Returns the lines of each CPU, without the output of a following command. */
function blocks(text: string): readonly (readonly Line[])[] {
  const blocks: Line[][] = [];
  let isOpen = false;
  for (const line of keyedLines(text)) {
    if (line.key === "CPU") blocks.push([line]);
    else if (isOpen && CPU_KEYS.has(line.key)) blocks.at(-1)?.push(line);
    if (line.key === "CPU" || line.key === LAST_KEY) isOpen = line.key === "CPU";
  }
  return blocks;
}

/** A block ends with the lines of its third cache. */
const LAST_KEY = "L3 Cache CPU Count";
/** Older releases do not print "Node". */
const CPU_KEYS = new Set(["Id", "Package Id", "Core Speed", "Node", LAST_KEY]);

function cpuOf(block: readonly Line[], fail: Fail) {
  const [head = { key: "", value: "", number: 1 }] = block;
  const fields = onceEach(block, ["Id", "Package Id", "Core Speed", "Node", LAST_KEY], fail);
  if (!fields[LAST_KEY]) fail(`The block of CPU ${head.value} is truncated. Take the dump again.`, head.number);
  const text = (line: Line | undefined) => line && String(wholeNumber(line, fail));
  return {
    id: wholeNumber(head, fail),
    package: text(fields["Package Id"]),
    node: text(fields.Node),
    hz: fields["Core Speed"] && wholeNumber(fields["Core Speed"], fail),
    line: head.number,
  };
}

function pcpusByNode(cpus: readonly { readonly id: number; readonly node?: string | undefined }[]): number[][] {
  const nodes = new Map<number, number[]>();
  for (const { id, node } of cpus) addTo(nodes, Number(node), id);
  return [...nodes].sort(([a], [b]) => a - b).map(([, ids]) => ids.sort((a, b) => a - b));
}

/** `sched-stats -t ncpus`: a number and a noun on each line, in any order. */
export const schedStats: DumpFormat = {
  id: "sched-stats",
  title: "sched-stats -t ncpus",
  recognises: (text) => /^\s*\d+ PCPUs?\s*$/m.test(text),
  read(text, fail): DumpFacts {
    const lines = linesOf(text).flatMap((line, i) => {
      const [, value = "", key = ""] = /^\s*(\d+) (PCPU|core|LLC|package|NUMA node)s?\s*$/.exec(line) ?? [];
      return key ? [{ key, value, number: i + 1 }] : [];
    });
    const fields = onceEach(lines, ["PCPU", "core", "LLC", "package", "NUMA node"], fail);
    const [threads = 0, cores = 0, packages = 0, nodes = 0] = (["PCPU", "core", "package", "NUMA node"] as const).map((key) =>
      wholeNumber(fields[key] ?? endsBefore(`${key}s`, text, fail), fail),
    );
    const coresPerL3 = fields.LLC && cores / wholeNumber(fields.LLC, fail);
    return {
      threads,
      cores,
      packages,
      nodes,
      ...(Number.isInteger(coresPerL3) && coresPerL3 !== undefined && coresPerL3 < cores / nodes && { coresPerL3 }),
    };
  },
};

/** `esxcli system version get`, `vmware -v` or `vmware -vl`: appended to another dump, it adds the version. */
export const esxiVersion: DumpFormat = {
  id: "esxi-version",
  title: "esxcli system version get",
  recognises: (text) => /^\s*Product: VMware ESXi\b/m.test(text) || BUILD_LINE.test(text),
  read(text, fail) {
    const builds = linesOf(text).flatMap((line, i) => (BUILD_LINE.test(line) ? [i + 1] : []));
    if (builds.length > 1)
      fail(`The version is here a second time (first on line ${builds[0]}). Give each host a file of its own.`, builds[1]);
    const [, version, update] = UPDATE_LINE.exec(text) ?? BUILD_LINE.exec(text) ?? [];
    if (version !== undefined) return versionFacts(version, update);
    const keys = ["Product", "Version", "Update"] as const;
    const fields = onceEach(versionLines(text), keys, fail);
    const [, stated, level] = keys.map((key) => fields[key] ?? endsBefore(key, text, fail));
    return stated && level ? versionFacts(stated.value, String(wholeNumber(level, fail))) : {};
  },
};

/** Other commands print a "Version" and an "Update" too. */
function versionLines(text: string): readonly Line[] {
  let isOpen = false;
  return keyedLines(text).filter(({ key, value }) => {
    const isIn = isOpen || (key === "Product" && value.startsWith("VMware ESXi"));
    isOpen = isIn && key !== "Update";
    return isIn;
  });
}

/** `vmware -v`, and the line that `vmware -l` adds. */
const BUILD_LINE = /^VMware ESXi (\d\S*) build-\d+\s*$/m;
const UPDATE_LINE = /^VMware ESXi (\d\S*) Update (\d+)\s*$/m;

function endsBefore(title: string, text: string, fail: Fail): never {
  return fail(`The dump ends before "${title}". Take it again.`, lastLine(text));
}
