import type { ImportedHost } from "../hosts/combine.ts";
import { factsOf, hostNameOf, isDescribed } from "../hosts/host-facts.ts";
import { formatEsxi } from "../model/esxi.ts";
import { coresPerNode, type HostModel, runsOf, shortFormOf } from "../model/host.ts";
import { numberRuns, plural } from "../model/words.ts";
import { SCHEMA_VERSION } from "./json-report.ts";
import { type Palette, PLAIN } from "./palette.ts";
import { padded, printable, widthOf } from "./printable.ts";
import type { Tool } from "./result.ts";
import { wrapped } from "./wrap.ts";

/** Returns a description of a host for people: the source of each fact, assumptions, missing facts and the YAML to write. */
export function hostText(imported: ImportedHost, word: string, palette: Palette = PLAIN): string {
  const { host, formats, origins, notes, missing } = imported;
  const nodes = host.numaNodes;
  const rows: readonly (readonly [string, string | undefined, (keyof typeof origins)?])[] = [
    ["sockets", String(host.sockets), "sockets"],
    ["cores per socket", String(host.coresPerSocket), "coresPerSocket"],
    ["threads per core", String(host.threadsPerCore), "threadsPerCore"],
    ["NUMA nodes", String(nodes), "numaNodes"],
    ["cores per node", String(coresPerNode(host))],
    ["memory", memoryOf(host), "memoryGiB"],
    ["NVMe memory tier", host.nvmeTierGiB === undefined ? undefined : `${host.nvmeTierGiB} GiB`, "nvmeTierGiB"],
    ["frequency", host.mhz === undefined ? undefined : `${host.mhz} MHz`, "mhz"],
    ["processor", host.cpu, "cpu"],
    ["L3 cache", host.coresPerL3 === undefined ? undefined : `one for ${host.coresPerL3} cores`, "coresPerL3"],
    ["ESXi", host.esxi && formatEsxi(host.esxi), "esxi"],
    ["runs", host.runs && [host.runs.platform.toUpperCase(), host.runs.version].filter(Boolean).join(" ")],
    ["CPU manager", managerOf(host)],
    ["huge pages", pagesOf(host)],
    ["pCPUs of nodes", host.pcpusOfNode?.map((pcpus) => numberRuns(pcpus)).join("; ")],
  ];
  const shown = rows.flatMap(([title, value, field]) => (value === undefined ? [] : [{ title, value, origin: field && origins[field] }]));
  const [titleWidth, valueWidth] = [
    Math.max(...shown.map(({ title }) => title.length)),
    Math.max(...shown.map(({ value }) => widthOf(value))),
  ];
  const section = (title: string, lines: readonly string[]) =>
    lines.length === 0
      ? []
      : [palette.cyan(`  ${title}`), ...lines.flatMap((line) => wrapped(`    ${printable(line)}`, palette.width, 6)), ""];
  return [
    ...titled(printable(word), printable(formats.join(", ") || host.source || ""), palette),
    "",
    ...section(
      "Host",
      shown.map(({ title, value, origin }) => `${title.padEnd(titleWidth)}  ${padded(value, valueWidth)}  ${origin ?? ""}`.trimEnd()),
    ),
    ...section("Assumed", host.assumed ?? []),
    ...section("Also", notes),
    ...section(
      "Missing",
      missing.map((field) => REMEDIES[field]),
    ),
    ...section("To write it", [`--host ${shortOf(host) ?? "has no short form for this host"}`, `hosts: { ${yamlOf(imported)} }`]),
  ].join("\n");
}

/** The title with its sources. On a narrow terminal they are on lines of their own. */
function titled(title: string, sources: string, { width, underline, dim }: Palette): readonly string[] {
  const isWide = width !== undefined && widthOf(title) + 2 + widthOf(sources) > width;
  if (sources === "" || !isWide) return [`${underline(title)}${sources && dim(`  ${sources}`)}`];
  return [underline(title), ...wrapped(`  ${sources}`, width).map(dim)];
}

const REMEDIES = {
  esxi: 'the ESXi version: add esxi: "8.0" to the host in vmlint.yaml, or write FILE@8.0',
  memoryGiB: "the memory: add memoryGiB: to the host in vmlint.yaml",
  mhz: "the frequency, which reservations are checked by: add mhz: to the host in vmlint.yaml",
} as const;

const memoryOf = ({ memoryGiB, unevenMemory, numaNodes }: HostModel): string | undefined =>
  memoryGiB === undefined
    ? undefined
    : `${memoryGiB} GiB, ${unevenMemory ? "unequal by node" : `${rounded(memoryGiB / numaNodes)} a node`}`;

const managerOf = ({ kvm }: HostModel): string | undefined => {
  const { cpuManager, options = [], reservedCpus } = kvm?.kubernetes ?? {};
  return cpuManager && [cpuManager, ...options, ...(reservedCpus ? [`${plural(reservedCpus, "CPU")} reserved`] : [])].join(", ");
};

const pagesOf = ({ kvm }: HostModel): string | undefined =>
  kvm?.hugePagesMiB &&
  Object.entries(kvm.hugePagesMiB)
    .map(([size, total]) => `${rounded(total / 1024)} GiB of ${size} MiB`)
    .join(", ");

const rounded = (value: number): number => Math.round(value * 100) / 100;

const shortOf = (host: HostModel): string | undefined =>
  shortFormOf(host, host.esxi && formatEsxi(host.esxi).replace(" ", "").toLowerCase());

/** Returns a name for vmlint.yaml from the file or the host; a short form is not a name. */
const wordFor = (name: string): string => (/^\d+x/i.test(name) ? "lab" : hostNameOf(name.replace(/@[^@]*$/, "")));

/** Returns a line for vmlint.yaml. A host that its facts do not describe needs the dump itself. */
function yamlOf({ host, file, origins }: ImportedHost): string {
  const from = isDescribed(host) ? undefined : file;
  const { esxi, ...counts } = factsOf(host);
  const isWritten = (key: string): boolean => from === undefined || ["stated", undefined].includes(origins[key as keyof typeof origins]);
  const facts = [
    ...(esxi === undefined ? [] : [`esxi: ${JSON.stringify(esxi)}`]),
    ...(from === undefined ? [] : [`from: ${JSON.stringify(from)}`]),
    ...Object.entries(counts).flatMap(([key, value]) => (isWritten(key) ? [`${key}: ${JSON.stringify(value)}`] : [])),
  ];
  return `${wordFor(host.name)}: { ${facts.join(", ")} }`;
}

/** Returns the same as data. */
export function hostJson({ host, formats, origins, notes, missing }: ImportedHost, tool: Tool): object {
  const { esxi, assumed = [], ...facts } = host;
  return {
    schemaVersion: SCHEMA_VERSION,
    tool,
    host: { ...facts, esxi: esxi ? formatEsxi(esxi) : null, runs: runsOf(host) ?? null },
    formats,
    origins,
    assumed,
    notes,
    missing,
    shortForm: shortOf(host) ?? null,
  };
}
