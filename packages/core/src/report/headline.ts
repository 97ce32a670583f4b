import { type EsxiVersion, formatEsxi } from "../model/esxi.ts";
import type { HostModel } from "../model/host.ts";
import { grouped } from "../model/maps.ts";
import { list, plural } from "../model/words.ts";
import { isSure } from "../platforms/esxi/certainty.ts";
import type { Topology } from "../platforms/esxi/derive.ts";
import { groupText } from "../platforms/esxi/layout.ts";
import { type Case, type PossibleTopologies, RELEASES } from "../platforms/esxi/possible.ts";
import { printable } from "./printable.ts";

/** Returns group sizes as `18+18`, or `6x10+1x4` for many groups. */
export function short(groups: readonly number[]): string {
  if (groups.length <= 4) return groupText(groups);
  return sizeRuns(groups)
    .map(([count, size]) => `${count}x${size}`)
    .join("+");
}

/** Returns how many groups in a row have the same size. */
export function sizeRuns(groups: readonly number[]): readonly (readonly [count: number, size: number])[] {
  const runs: [count: number, size: number][] = [];
  for (const size of groups) {
    const last = runs.at(-1);
    if (last?.[1] === size) last[0]++;
    else runs.push([1, size]);
  }
  return runs;
}

/** Returns the layout in one line; without a topology, only the VM and the host. */
export function headline(name: string, topology: Topology | undefined, host: HostModel): string {
  const where = hostTitle(host);
  return topology ? `${layoutWords(topology)}, on ${where}` : `${printable(name) || "VM"} on ${where}`;
}

function layoutWords(topology: Topology): string {
  const { vcpus, sockets: count, coresPerSocket, vnumaNodes } = topology;
  const nodes = vnumaNodes.length === 1 ? "1 NUMA node" : `${vnumaNodes.length} virtual NUMA nodes of ${groupText(vnumaNodes)}`;
  return `${plural(vcpus, "vCPU")} = ${plural(count, "socket")} x ${coresPerSocket}${threadWords(topology)}, ${nodes}`;
}

const threadWords = ({ threadsPerCore }: Topology): string => (threadsPerCore > 1 ? `, ${threadsPerCore} threads per core` : "");

/** Returns `dl580g7 (ESXi 5.5)`. */
export const hostTitle = (host: HostModel): string => `${printable(host.name)}${host.esxi ? ` (ESXi ${formatEsxi(host.esxi)})` : ""}`;

/** The most values of one fact in a line; further ones are counted. */
const MOST_VALUES = 4;

/** The most cases printed; further ones are counted. */
const MOST_LINES = 12;

/** Returns the distinct values of a fact. */
function valuesOf(cases: readonly Case[], say: (topology: Topology) => string): string {
  const values = [...new Set(cases.map(({ topology }) => say(topology)))];
  return values.length > MOST_VALUES
    ? `${values.slice(0, MOST_VALUES).join(", ")} or ${values.length - MOST_VALUES} more`
    : orWords(values);
}

const orWords = (values: readonly string[]): string =>
  values.length < 2 ? values.join("") : `${values.slice(0, -1).join(", ")} or ${values.at(-1)}`;

/** Returns the layout on a host in one line, with all possible values of uncertain facts. */
export const possibleHeadline = (result: PossibleTopologies, host: HostModel): string => `${possibleLayout(result)}, on ${hostTitle(host)}`;

/** Returns the layout in one line: nodes, clients and sockets, each with all of its possible values and how certain they are. */
export function possibleLayout({ cases, certainties }: PossibleTopologies): string {
  const [{ topology }] = cases;
  const { sockets, vnumaNodes, numaClients } = certainties;
  if (cases.length === 1 && [sockets, vnumaNodes, numaClients].every(isSure)) return layoutWords(topology);
  const sizes = (groups: readonly number[]): string => (groups.length === 1 ? "1" : `${groups.length} of ${short(groups)}`);
  const areClients = cases.every((one) => groupText(one.topology.vnumaNodes) === groupText(one.topology.numaClients));
  const isOneFact = areClients && numaClients === vnumaNodes;
  const nodes = `NUMA nodes${isOneFact ? " and clients" : ""}: ${valuesOf(cases, (one) => sizes(one.vnumaNodes))} (${vnumaNodes})`;
  const clients = `clients: ${valuesOf(cases, (one) => sizes(one.numaClients))} (${numaClients})`;
  const shape = valuesOf(cases, (one) => `${one.sockets} x ${one.coresPerSocket}`);
  return [
    plural(topology.vcpus, "vCPU"),
    nodes,
    ...(isOneFact ? [] : [clients]),
    `sockets: ${shape}${threadWords(topology)} (${sockets})`,
  ].join(", ");
}

/** Returns how certain each fact is; one word if all are equally certain. */
export function certaintyWords({ certainties }: Pick<PossibleTopologies, "certainties">): string {
  const { sockets, vnumaNodes, numaClients, placement } = certainties;
  const all = { "guest nodes": vnumaNodes, "NUMA clients": numaClients, sockets, placement };
  const groups = grouped(Object.keys(all) as (keyof typeof all)[], (fact) => all[fact]);
  if (groups.size === 1) return sockets;
  return [...groups].map(([certainty, facts]) => `${list(facts, "and")} ${certainty}`).join("; ");
}

/** Returns a line for each case, with its condition or its source. */
export function caseLines({ cases, isComplete }: PossibleTopologies): readonly string[] {
  const lines = cases.slice(0, MOST_LINES).map(({ topology, when, releases, source }) => {
    const { sockets, coresPerSocket, vnumaNodes, numaClients } = topology;
    const settings = Object.entries(when).map(([name, value]) => `${name} ${value}`);
    const why = [...(releases.length > 0 ? [`ESXi ${releaseWords(releases)}`] : []), ...settings].join(", ");
    const shape = `${plural(sockets, "socket")} x ${coresPerSocket}, guest nodes ${groupText(vnumaNodes)}, NUMA clients ${groupText(numaClients)}`;
    return `${why ? `${why}: ` : ""}${shape}${source ? ` [${source.key}]` : ""}`;
  });
  const more = cases.length - lines.length;
  return [...lines, ...(more > 0 ? [`and ${more} more`] : []), ...(isComplete ? [] : ["There are more than are listed."])];
}

/** Returns `7.0 and later` or `5.0 to 6.0` for releases that follow each other. */
function releaseWords(releases: readonly EsxiVersion[]): string {
  const at = releases.map((release) => RELEASES.indexOf(release)).sort((a, b) => a - b);
  const runs: [newest: number, oldest: number][] = [];
  for (const i of at) {
    const last = runs.at(-1);
    if (last?.[1] === i - 1) last[1] = i;
    else runs.push([i, i]);
  }
  const words = (i: number): string => formatEsxi(RELEASES[i] as EsxiVersion);
  return runs
    .reverse()
    .map(([newest, oldest]) =>
      newest === 0 ? `${words(oldest)} and later` : newest === oldest ? words(oldest) : `${words(oldest)} to ${words(newest)}`,
    )
    .join(", ");
}

/** Returns the settings that would leave one case; empty if no setting decides. */
export const stateWords = ({ deciding, cases }: PossibleTopologies): string => {
  const names = [...deciding, ...(cases.some(({ releases }) => releases.length > 0) ? ["the ESXi release of the host"] : [])];
  return names.length === 0 ? "" : `Set ${list(names, "and")} to decide between them.`;
};
