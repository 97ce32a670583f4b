import type { LintedVm } from "../lint.ts";
import { formatEsxi } from "../model/esxi.ts";
import { coresOf, coresPerNode, type HostModel, threadsOf } from "../model/host.ts";
import type { VmSpec } from "../model/spec.ts";
import { deriveTopology, type Topology } from "../topology/derive.ts";
import { isEven, joined } from "../topology/layout.ts";
import { type Palette, PLAIN } from "./palette.ts";
import type { LintedFile } from "./result.ts";
import { printable } from "./text.ts";

/** What each VM will look like from inside: the maps and blocks Coreinfo and lscpu print, and why. */
export function topologyText(results: readonly LintedFile[], palette: Palette = PLAIN): string {
  const blocks = results.flatMap(({ path, vms, foreign }) =>
    foreign === undefined
      ? vms.map((vm) => vmBlock(path, vm, palette))
      : [`${palette.underline(printable(path))}\n\n  This is no VM definition: ${foreign}.\n`],
  );
  return blocks.join("\n");
}

function vmBlock(path: string, { spec, target: { host, workload } }: LintedVm, palette: Palette): string {
  const title = `${palette.underline(printable(path))}${spec.name ? palette.dim(`  ${printable(spec.name)}`) : ""}\n`;
  if (!host) return `${title}\n  The layout depends on the host: pass --host or add host: to vmlint.yaml.\n`;
  const result = deriveTopology(spec, host, workload);
  const elsewhere =
    spec.platform === "hosted" ? [palette.dim("  Written for Workstation or Fusion; this is what ESXi would make of it.")] : [];
  const about = `  ${palette.bold(headline(spec, result.ok ? result.topology : undefined, host))}`;
  if (!result.ok) {
    const head = result.because === "no-power-on" ? "It does not start:" : "The layout cannot be computed:";
    return [
      title,
      about,
      ...elsewhere,
      "",
      `  ${palette.red(head)}`,
      ...result.reasons.map(({ text }) => `    ${printable(text)}`),
      "",
    ].join("\n");
  }
  const { topology } = result;
  const sources = [...new Set(topology.reasons.flatMap(({ source }) => source ?? []))];
  const sections = [
    section("lscpu", lscpu(topology), palette),
    section("Logical Processor to Socket Map", coreinfo(sockets(topology), "Socket"), palette),
    section("Logical Processor to NUMA Node Map", coreinfo(topology.vnumaNodes, "NUMA Node"), palette),
    section("On the host", onHost(topology, host), palette),
    section(
      `Why (${topology.certainty})`,
      topology.reasons.map(({ text, source, certainty }) => `${text}${note(source?.key, certainty)}`),
      palette,
    ),
    ...(sources.length > 0
      ? [
          section(
            "Sources",
            sources.map(({ key, title: name, url }) => `${key}: ${name}${url ? `, ${url}` : ""}`),
            palette,
          ),
        ]
      : []),
  ];
  return [title, about, ...elsewhere, "", ...sections].join("\n");
}

const note = (source: string | undefined, certainty: string): string =>
  [source, certainty === "documented" ? undefined : certainty].some(Boolean)
    ? ` [${[source, certainty === "documented" ? undefined : certainty].filter(Boolean).join(", ")}]`
    : "";

function headline(spec: VmSpec, topology: Topology | undefined, host: HostModel): string {
  const where = `${host.name}${host.esxi ? ` (ESXi ${formatEsxi(host.esxi)})` : ""}`;
  if (!topology) return `${printable(spec.name) || "VM"} on ${where}`;
  const { vcpus, sockets: count, coresPerSocket, vnumaNodes } = topology;
  const nodes = vnumaNodes.length === 1 ? "1 NUMA node" : `${vnumaNodes.length} virtual NUMA nodes of ${joined(vnumaNodes)}`;
  return `${vcpus} vCPU${vcpus === 1 ? "" : "s"} = ${count} socket${count === 1 ? "" : "s"} x ${coresPerSocket}, ${nodes}, on ${where}`;
}

const section = (title: string, lines: readonly string[], palette: Palette): string =>
  [palette.cyan(`  ${title}`), ...lines.map((line) => `    ${line}`), ""].join("\n");

function lscpu({ vcpus, sockets: count, coresPerSocket, vnumaNodes }: Topology): string[] {
  const rows: [string, string | number][] = [
    ["CPU(s):", vcpus],
    ["Core(s) per socket:", coresPerSocket],
    ["Socket(s):", count],
    ["NUMA node(s):", vnumaNodes.length],
  ];
  let first = 0;
  for (const [node, size] of vnumaNodes.entries()) {
    rows.push([`NUMA node${node} CPU(s):`, size === 1 ? first : `${first}-${first + size - 1}`]);
    first += size;
  }
  return rows.map(([name, value]) => `${name.padEnd(21)}${value}`);
}

const sockets = ({ vcpus, sockets: count, coresPerSocket }: Topology): number[] =>
  Array.from({ length: Math.ceil(count) }, (_, i) => Math.min(coresPerSocket, vcpus - i * coresPerSocket));

/** Most rows and columns a map prints; beyond that one line says the same. */
const MAP_ROWS = 32;
const MAP_COLUMNS = 128;

function coreinfo(groups: readonly number[], name: string): string[] {
  const total = groups.reduce((sum, size) => sum + size, 0);
  if (groups.length > MAP_ROWS || total > MAP_COLUMNS) {
    return [`${groups.length} x ${name}, ${isEven(groups) ? `${groups[0]} vCPU${groups[0] === 1 ? "" : "s"} each` : joined(groups)}`];
  }
  let first = 0;
  return groups.map((size, i) => {
    const row = "-".repeat(first) + "*".repeat(size) + "-".repeat(total - first - size);
    first += size;
    return `${row}  ${name} ${i}`;
  });
}

function onHost(topology: Topology, host: HostModel): string[] {
  const { numaClients, pinning, usableVcpus, guestUsableVcpus, vcpus } = topology;
  const nodes = `${host.numaNodes} NUMA nodes x ${coresPerNode(host)} cores`;
  return [
    `${host.cpu ? `${host.cpu}, ` : ""}${nodes}, ${coresOf(host)} cores, ${threadsOf(host)} logical CPUs`,
    numaClients.length === 1
      ? "1 NUMA client: the VM stays on one node"
      : `${numaClients.length} NUMA clients: ${joined(numaClients)} vCPUs`,
    ...(pinning
      ? [
          `pinned to ${pinning.pcpus} logical CPUs of ${pinning.cores} cores (${pinning.perNode.join("+")} by node)${pinning.siblingPairs ? `, ${pinning.siblingPairs} sibling pairs` : ""}`,
          ...(pinning.outOfRange.length > 0 ? [`not on this host: CPU ${pinning.outOfRange.join(", ")}`] : []),
        ]
      : []),
    ...(host.assumed ?? []).map((assumption) => `assumed of the host: ${printable(assumption)}`),
    ...(usableVcpus === null ? ["SQL Server: usable vCPUs depend on the edition, version and licensing"] : []),
    ...(usableVcpus !== null && usableVcpus < vcpus ? [`SQL Server can use ${usableVcpus} of ${vcpus} vCPUs`] : []),
    ...(guestUsableVcpus < vcpus ? [`the guest OS can use ${guestUsableVcpus} of ${vcpus} vCPUs`] : []),
  ];
}
