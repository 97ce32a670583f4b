import { plural } from "../model/words.ts";
import {
  type DumpFacts,
  type DumpFormat,
  type Fail,
  fromInsideVm,
  keyedLines,
  type Line,
  lastLine,
  linesOf,
  listed,
  numbersOf,
  type SeenMachine,
  wholeNumber,
} from "./facts.ts";
import { factsOfCpus, type LogicalCpu, linuxCpus, seenIn } from "./grid.ts";
import { sharesOf } from "./node-memory.ts";
import { readJson } from "./read-json.ts";

/** `lscpu` as a table. CPU numbers are Linux's, so only their counts are used. */
export const lscpuTable: DumpFormat = {
  id: "lscpu",
  title: "lscpu",
  // virsh nodeinfo begins alike.
  recognises: (text) => !/^\s*\{/.test(text) && /^CPU\(s\):\s+\d/m.test(text) && !/^CPU socket\(s\):/m.test(text),
  read: (text, fail) => factsOfTable(keyedLines(text), text, fail),
  see: (text, fail) => seenInTable(keyedLines(text), text, fail),
};

/** `lscpu -J`: the same table, in newer releases with entries inside entries. */
export const lscpuJson: DumpFormat = {
  id: "lscpu-json",
  title: "lscpu -J",
  recognises: (text) => /^\s*\{\s*"lscpu"/.test(text),
  read(text, fail) {
    return factsOfTable(entriesIn(text, fail), text, fail);
  },
  see: (text, fail) => seenInTable(entriesIn(text, fail), text, fail),
};

function entriesIn(text: string, fail: Fail): readonly Line[] {
  const { lscpu } = readJson(text, fail) as { lscpu?: unknown };
  return entries(lscpu);
}

interface Entry {
  readonly field?: unknown;
  readonly data?: unknown;
  readonly children?: unknown;
}

/** The output of lscpu nests at most four levels; the limit stops hostile texts. */
const entries = (list: unknown, depth = 0): readonly Line[] =>
  (Array.isArray(list) && depth < 10 ? (list as (Entry | null)[]) : []).flatMap((entry) => [
    ...(typeof entry?.field === "string" ? [{ key: entry.field.replace(/:$/, ""), value: String(entry.data ?? ""), number: 0 }] : []),
    ...entries(entry?.children, depth + 1),
  ]);

/** Reads a table of a guest. "-" is a number that its kernel does not know. */
function seenInTable(lines: readonly Line[], text: string, fail: Fail): SeenMachine {
  const textOf = (key: string) => lines.find((line) => line.key === key)?.value;
  const number = (key: string) => (/^\d+$/.test(textOf(key) ?? "") ? Number(textOf(key)) : undefined);
  const cpus =
    number("CPU(s)") ?? fail('The dump ends before "CPU(s)", or is not in English. Take it again with LC_ALL=C.', lastLine(text));
  const offline = lines.find(({ key }) => key === "Off-line CPU(s) list");
  if (offline)
    return fail(`CPUs ${offline.value} are offline: bring every CPU online and take the dump again.`, offline.number || undefined);
  const lists = nodeListsIn(lines);
  const isWhole = lists.length === number("NUMA node(s)");
  // "16 MiB (2 instances)": util-linux 2.37 and later.
  const caches = /\((\d+) instances?\)/.exec(textOf("L3") ?? textOf("L3 cache") ?? "")?.[1];
  return {
    cpus,
    sockets: number("Socket(s)"),
    coresPerSocket: number("Core(s) per socket"),
    threadsPerCore: number("Thread(s) per core"),
    nodes: isWhole ? lists.map(({ ids }) => ids ?? fail("A list of CPUs of a NUMA node is unreadable. Take the dump again.")) : undefined,
    l3Caches: caches === undefined ? undefined : Number(caches),
    ...(textOf("Hypervisor vendor") === undefined && textOf("Vendor ID") !== undefined && { isBare: true }),
  };
}

/** Returns the CPUs of each NUMA node in a table; `undefined` for a list that is none. */
export const nodeListsIn = (lines: readonly Line[]) =>
  lines.flatMap((line) => {
    const node = /^NUMA node(\d+) CPU\(s\)$/.exec(line.key)?.[1];
    return node === undefined ? [] : [{ node, line, ids: line.value === "" || line.value === "-" ? [] : numbersOf(line.value) }];
  });

function factsOfTable(lines: readonly Line[], text: string, fail: Fail): DumpFacts {
  const lineOf = (key: string) => lines.find((line) => line.key === key);
  const at = (line: Line) => line.number || undefined;
  const number = (key: string) => {
    const line = lineOf(key);
    if (!line) return fail(`The dump ends before "${key}", or is not in English. Take it again with LC_ALL=C.`, lastLine(text));
    if (!/^\d+$/.test(line.value))
      return fail(`"${key}" is "${line.value}". State the host by hand, or take hwloc's dump: lstopo --of xml.`, at(line));
    return Number(line.value);
  };
  const again = lines.filter(({ key }) => key === "CPU(s)")[1];
  if (again) return fail("A second machine begins here. Give each host a file of its own.", at(again));
  const threads = number("CPU(s)");
  const offline = lineOf("Off-line CPU(s) list");
  if (offline) return fail(`CPUs ${offline.value} are offline: bring every CPU online and take the dump again.`, at(offline));
  const packages = number("Socket(s)");
  const cores = number("Core(s) per socket") * packages;
  if (cores * number("Thread(s) per core") !== threads) {
    const sockets = lineOf("Socket(s)");
    return fail(
      `Sockets, cores and threads make ${cores * number("Thread(s) per core")} CPUs, and CPU(s) says ${threads}: its cores differ, or the dump is truncated. Declare the host by hand.`,
      sockets && at(sockets),
    );
  }
  const vm = lineOf("Hypervisor vendor");
  const model = lineOf("Model name");
  return {
    packages,
    cores,
    threads,
    ...nodesOf(lines, threads, text, fail),
    ...(model && { cpu: model.value }),
    ...(vm && { assumed: [fromInsideVm(`hypervisor ${vm.value}`)] }),
  };
}

function nodesOf(lines: readonly Line[], threads: number, text: string, fail: Fail): Pick<DumpFacts, "nodes" | "unevenMemory" | "notes"> {
  const total = lines.find(({ key }) => key === "NUMA node(s)");
  if (!total) return {};
  const lists = nodeListsIn(lines);
  if (lists.length !== wholeNumber(total, fail)) {
    return fail(`The dump names ${plural(Number(total.value), "NUMA node")} and lists ${lists.length}. Take it again.`, lastLine(text));
  }
  const cpus = lists.flatMap(({ node, line, ids }): LogicalCpu[] =>
    ids
      ? ids.map((id) => ({ id, node, line: line.number || undefined }))
      : fail(`"${line.value}" is not a list of CPUs. Take the dump again.`, line.number || undefined),
  );
  if (cpus.length !== threads) return fail(`The NUMA nodes list ${cpus.length} of ${threads} CPUs. Take the dump again.`, lastLine(text));
  const { nodes } = factsOfCpus(cpus, fail);
  return {
    ...(nodes !== undefined && { nodes }),
    ...sharesOf(lists.map(({ node, ids }) => ({ name: node, bytes: 0, hasCpus: ids?.length !== 0 }))),
  };
}

/** Makes a dump that lists logical CPUs. */
const rowFormat = (
  { id, title, recognises }: Pick<DumpFormat, "id" | "title" | "recognises">,
  rowsIn: (text: string, fail: Fail) => readonly LogicalCpu[],
): DumpFormat => ({
  id,
  title,
  recognises,
  read(text, fail) {
    const cpus = rowsIn(text, fail);
    return { ...listed(factsOfCpus(cpus, fail)), ...linuxCpus(cpus) };
  },
  see: (text, fail) => seenIn(rowsIn(text, fail), fail),
});

const HEADER = /^# ?(CPU(?:,[^\r\n]*)?)\r?$/im;

/** `lscpu -p`: a line for each online CPU; the last comment names the columns. */
export const lscpuParsable = rowFormat({ id: "lscpu-p", title: "lscpu -p", recognises: (text) => HEADER.test(text) }, (text, fail) => {
  const columns = columnsOf((HEADER.exec(text)?.[1] ?? "").split(/[,:]/));
  return linesOf(text).flatMap((line, i): LogicalCpu[] => {
    if (!/^\d+,/.test(line)) return [];
    return [cpuOfFields(line.split(/[,:]/), columns, i + 1, fail)];
  });
});

const TABLE_HEADER = /^CPU +(?:[A-Z][^\r\n]* )?CORE\b[^\r\n]*\r?$/m;

/** `lscpu -e`: a table; caches of a CPU are in one column. */
export const lscpuExtended = rowFormat(
  { id: "lscpu-e", title: "lscpu -e", recognises: (text) => TABLE_HEADER.test(text) },
  (text, fail) => {
    const columns = columnsOf((TABLE_HEADER.exec(text)?.[0] ?? "").trim().split(/ +|:/));
    return linesOf(text).flatMap((line, i): LogicalCpu[] => {
      if (!/^ *\d+ /.test(line)) return [];
      const fields = line.trim().split(/ +/);
      if (fields[columns.indexOf("online")] === "no")
        fail(`CPU ${fields[0]} is offline: bring every CPU online and take the dump again.`, i + 1);
      return [
        cpuOfFields(
          fields.flatMap((field) => field.split(":")),
          columns,
          i + 1,
          fail,
        ),
      ];
    });
  },
);

const columnsOf = (names: readonly string[]): readonly string[] => names.map((name) => name.trim().toLowerCase());

function cpuOfFields(fields: readonly string[], columns: readonly string[], line: number, fail: Fail): LogicalCpu {
  if (fields.length !== columns.length) fail(`This line has ${fields.length} of ${columns.length} columns. Take the dump again.`, line);
  return cpuOfRow((name) => fields[columns.indexOf(name)], line);
}

/** `lscpu -e -J`: the same as objects, with a column for online CPUs. */
export const lscpuExtendedJson = rowFormat(
  { id: "lscpu-e-json", title: "lscpu -e -J", recognises: (text) => /^\s*\{\s*"cpus"/.test(text) },
  (text, fail) => {
    const { cpus: rows } = readJson(text, fail) as { cpus?: unknown };
    return (Array.isArray(rows) ? (rows as (Record<string, unknown> | null)[]) : []).map((row): LogicalCpu => {
      const cell = (name: string) => (row?.[name] === undefined || row[name] === null ? undefined : String(row[name]));
      if (["false", "no", "N"].includes(cell("online") ?? ""))
        fail(`CPU ${cell("cpu")} is offline: bring every CPU online and take the dump again.`);
      const caches = Object.keys(row ?? {}).find((name) => name.split(":").includes("l3"));
      const l3 = caches && cell(caches)?.split(":")[caches.split(":").indexOf("l3")];
      return cpuOfRow((name) => (name === "l3" ? l3 : cell(name)));
    });
  },
);

function cpuOfRow(cell: (name: string) => string | undefined, line?: number): LogicalCpu {
  // "-" and an empty value both mean unknown to the kernel.
  const numberIn = (name: string) => (/^\d+$/.test(cell(name) ?? "") ? cell(name) : undefined);
  const [socket, core] = [numberIn("socket"), numberIn("core")];
  return {
    id: Number(numberIn("cpu") ?? Number.NaN),
    package: socket,
    core: core && `${socket ?? ""}/${core}`,
    node: numberIn("node"),
    l3: numberIn("l3"),
    line,
  };
}
