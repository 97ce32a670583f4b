import { type EsxiVersion, formatEsxi, type HostModel, parseVmx, type Source, shortFormOf, type Topology } from "@vmlint/core";
import { type Answer, answerOf } from "../../packages/core/src/esxi/derive.ts";
import { reader } from "../../packages/core/src/esxi/input.ts";
import { RELEASES } from "../../packages/core/src/esxi/possible.ts";
import { HARDWARE_VERSIONS, runs } from "../../packages/core/src/limits/hardware.ts";
import { DENNEMAN_2011, SQL55 } from "../../packages/core/src/model/sources.ts";

/** A VM on a host: the settings that decide its layout. */
export interface Point {
  readonly host: HostModel;
  readonly esxi: EsxiVersion;
  readonly vcpus: number;
  readonly coresPerSocket: number | undefined;
  readonly cpuHotAdd: boolean;
  readonly preferHt: boolean;
  readonly hardwareVersion: number | undefined;
}

export const divisors = (count: number): readonly number[] =>
  Array.from({ length: count }, (_, i) => i + 1).filter((size) => count % size === 0);

/** Cores of a node: small ones, odd ones and common processors. */
const CORES = [1, 2, 3, 4, 7, 8, 10, 12, 18, 24, 40, 64];

const SOCKETS = [1, 2, 4, 8];
const NODES_PER_SOCKET = [1, 2, 4];
const BOTH = [false, true];

/** Hosts of every shape; hyper-threading is on, so that preferHT decides. */
export const HOSTS: readonly HostModel[] = SOCKETS.flatMap((sockets) =>
  NODES_PER_SOCKET.flatMap((nodes) =>
    CORES.map((cores) => ({ name: "", sockets, coresPerSocket: cores * nodes, threadsPerCore: 2, numaNodes: sockets * nodes })),
  ),
);

export const MOST_VCPUS = 128;

export { RELEASES };

/** No hardware version, and the newest that a release runs. */
export const hardwareOf = (esxi: EsxiVersion): readonly (number | undefined)[] => [
  undefined,
  HARDWARE_VERSIONS.findLast((version) => runs(esxi, version) !== false),
];

/** All VMs of a release on a host. */
export function* pointsOf(host: HostModel, esxi: EsxiVersion): Generator<Point> {
  for (let vcpus = 1; vcpus <= MOST_VCPUS; vcpus++)
    for (const coresPerSocket of [undefined, ...divisors(vcpus)])
      for (const hardwareVersion of hardwareOf(esxi))
        for (const cpuHotAdd of BOTH)
          for (const preferHt of BOTH) yield { host, esxi, vcpus, coresPerSocket, cpuHotAdd, preferHt, hardwareVersion };
}

const [empty] = parseVmx('.encoding = "UTF-8"\nnumvcpus = "1"').vms;

export function answerAt({ host, esxi, vcpus, coresPerSocket, cpuHotAdd, preferHt, hardwareVersion }: Point): Answer {
  if (!empty) throw new Error("the text of a VM is read");
  const settings = { vcpus, cpuHotAdd, preferHt, ...(coresPerSocket && { coresPerSocket }), ...(hardwareVersion && { hardwareVersion }) };
  return answerOf(empty, { ...host, esxi }, esxi, undefined, reader(empty, settings));
}

const CERTAINTIES: readonly string[] = ["documented", "derived", "possible", "unknown"];
const isSure = (certainty: string): boolean => certainty === "documented" || certainty === "derived";
const sum = (groups: readonly number[]): number => groups.reduce((a, b) => a + b, 0);
const range = (groups: readonly number[]): number => Math.max(...groups) - Math.min(...groups);

/** Sources that show groups which fill nodes and leave the rest to the last: 64 vCPUs on nodes of 10, and ESX 4. */
const SHOW_REST: readonly Source[] = [SQL55, DENNEMAN_2011];

/** Errors in the sums of a topology. Possible topologies must pass this check too. */
function sumsWrong({ vcpus }: Point, { numaClients, vnumaNodes, sockets, coresPerSocket }: Topology): readonly string[] {
  const wrong: string[] = [];
  for (const [name, groups] of Object.entries({ numaClients, vnumaNodes })) {
    if (sum(groups) !== vcpus) wrong.push(`${name} have ${sum(groups)} vCPUs`);
    if (!groups.every((group) => Number.isInteger(group) && group > 0)) wrong.push(`${name} are no whole numbers`);
  }
  if (sockets * coresPerSocket !== vcpus || !Number.isInteger(sockets)) wrong.push(`${sockets} sockets of ${coresPerSocket}`);
  return wrong;
}

/** Errors in the certainties of a topology. */
function certaintyWrong({ vcpus, host }: Point, topology: Topology): readonly string[] {
  const { numaClients, nodeCapacity, certainties, certainty, numaManaged } = topology;
  const wrong: string[] = [];
  // A VM with more vCPUs than the host has room for has some larger client wherever it runs.
  const hasRoom = vcpus <= nodeCapacity * host.numaNodes;
  if (numaManaged && hasRoom && isSure(certainties.numaClients) && Math.max(...numaClients) > nodeCapacity)
    wrong.push(`a client is larger than the ${nodeCapacity} vCPUs of a node, and ${certainties.numaClients}`);
  for (const [fact, how] of Object.entries({ ...certainties, all: certainty }))
    if (!CERTAINTIES.includes(how)) wrong.push(`${fact} are ${how}`);
  for (const { fact, groups, how, reasons } of uneven(topology)) {
    const isFilled = groups.slice(0, -1).every((group) => group === nodeCapacity);
    const isShown = isFilled && reasons.some(({ source }) => source && SHOW_REST.includes(source));
    if (how === "documented" && !isShown) wrong.push(`uneven ${fact} are documented, and no source shows it`);
  }
  return wrong;
}

/** Nodes or clients that differ by more than one vCPU, with their certainty and reasons. */
function uneven({ vnumaNodes, numaClients, certainties, reasons }: Topology) {
  const facts = [
    { fact: "nodes", groups: vnumaNodes, how: certainties.vnumaNodes },
    { fact: "clients", groups: numaClients, how: certainties.numaClients },
  ];
  return facts
    .filter(({ groups }) => range(groups) > 1)
    .map((one) => ({ ...one, reasons: reasons.filter(({ about }) => about === undefined || about === one.fact) }));
}

/** The kinds of sure topologies with groups that differ by more than one vCPU: which rule of the engine made them. */
export function unevenKinds(topology: Topology): readonly string[] {
  return uneven(topology)
    .filter(({ how }) => isSure(how))
    .map(({ fact, how, reasons }) => {
      const words = reasons.filter(({ certainty }) => certainty === how).map(({ text }) => text.replaceAll(/\d+(?:\+\d+)*(?! U)/g, "N"));
      return `${how} ${fact}: ${[...new Set(words)].join("; ")}`;
    });
}

/** `16 vCPUs, 4 cores per socket on 2x10x2@7.0 (hot add, preferHT): 8+8, clients 8+8`. */
export function shown({ host, esxi, vcpus, coresPerSocket, cpuHotAdd, preferHt, hardwareVersion }: Point, topology?: Topology): string {
  const flags = [cpuHotAdd && "hot add", preferHt && "preferHT", hardwareVersion && `hardware ${hardwareVersion}`].filter(Boolean);
  const layout = topology ? `: nodes ${topology.vnumaNodes.join("+")}, clients ${topology.numaClients.join("+")}` : "";
  const on = shortFormOf(host, formatEsxi(esxi));
  return `${vcpus} vCPUs, ${coresPerSocket ?? "automatic"} cores per socket on ${on}${flags.length > 0 ? ` (${flags.join(", ")})` : ""}${layout}`;
}

/** All errors in the topology of a VM. */
export const violations = (point: Point, topology: Topology): readonly string[] => [
  ...sumsWrong(point, topology),
  ...certaintyWrong(point, topology),
];

/** Checks a VM: its topology and each possible one. A VM that does not start has no topology. */
export function check(point: Point): { readonly topology?: Topology; readonly wrong: readonly string[] } {
  try {
    const answer = answerAt(point);
    if (!answer.ok) return { wrong: [] };
    const { topology } = answer;
    const isOpen = topology.reasons.some(({ candidates }) => candidates);
    const others = isOpen ? answer.all().list.map((variant) => variant.topology) : [];
    const wrong = [...violations(point, topology), ...others.flatMap((other) => sumsWrong(point, other))];
    return { topology, wrong: wrong.map((what) => `${shown(point, topology)}: ${what}`) };
  } catch (error) {
    return { wrong: [`${shown(point)}: ${error}`] };
  }
}
