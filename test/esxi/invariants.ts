import type { HostModel, SettingName, Topology, VmSpec } from "@vmlint/core";
import { type EsxiVersion, esxi, formatEsxi, parseVmx, possibleTopologies, type Source, shortFormOf } from "@vmlint/core/program";
import { HARDWARE_VERSIONS, runs } from "../../packages/core/src/limits/hardware.ts";
import { known, unknown } from "../../packages/core/src/model/source.ts";
import { DENNEMAN_2011, SQL55 } from "../../packages/core/src/model/sources.ts";
import type { SettingValues } from "../../packages/core/src/model/spec.ts";
import { type Answer, answerOf, answerWith } from "../../packages/core/src/platforms/esxi/derive.ts";
import { DEFAULT_MIN_VCPUS, reader } from "../../packages/core/src/platforms/esxi/input.ts";
import type { NumaInput } from "../../packages/core/src/platforms/esxi/layout.ts";
import { RELEASES } from "../../packages/core/src/platforms/esxi/possible.ts";

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

/** A VM on a small host, with some settings stated and some unknown. */
export interface OpenVm {
  readonly host: HostModel;
  readonly vcpus: number;
  readonly stated: SettingValues;
  readonly open: readonly SettingName[];
}

export const MOST_OPEN_VCPUS = 12;

/** Small hosts of each behaviour, also with two nodes in a processor. */
export const SMALL_HOSTS: readonly HostModel[] = [
  [2, 2, 2],
  [2, 4, 2],
  [4, 3, 4],
  [2, 4, 4],
].flatMap(([sockets = 1, coresPerSocket = 1, numaNodes = 1]) =>
  [esxi(6, 0), esxi(6, 5), esxi(7, 0), esxi(8, 0)].map((release) => ({
    name: "",
    sockets,
    coresPerSocket,
    threadsPerCore: 2,
    numaNodes,
    esxi: release,
  })),
);

/** All values of each setting that divides a VM. */
export const valuesFor = (vcpus: number): Partial<Record<SettingName, readonly unknown[]>> => ({
  coresPerSocket: divisors(vcpus),
  cpuHotAdd: BOTH,
  preferHt: BOTH,
  exposeVnumaOnHotAdd: BOTH,
  followCoresPerSocket: BOTH,
  numaConsolidate: BOTH,
  numaAutosize: BOTH,
  vnumaMinVcpus: Array.from({ length: Math.max(vcpus + 1, DEFAULT_MIN_VCPUS) }, (_, i) => i + 1),
  maxVcpusPerVnumaNode: Array.from({ length: vcpus + 1 }, (_, i) => i),
});

/** All values of further settings on a host. */
export const moreValuesFor = (vcpus: number, host: HostModel): Partial<Record<SettingName, readonly unknown[]>> => ({
  hardwareVersion: HARDWARE_VERSIONS.filter((version) => runs(host.esxi ?? esxi(9, 0), version)),
  threadsPerCore: [1, 2],
  coresPerNumaNode: [0, ...divisors(vcpus)],
  maxVcpusPerPhysicalNode: Array.from({ length: MOST_OPEN_VCPUS }, (_, i) => i + 1),
  maxVcpusPerClient: Array.from({ length: MOST_OPEN_VCPUS }, (_, i) => i + 1),
  storedNodeSize: Array.from({ length: vcpus }, (_, i) => i + 1),
  storedCookie: [0, vcpus * 10_000 + 10_001, vcpus * 10_000 + 1, ...divisors(vcpus).map((cores) => vcpus * 10_000 + cores * 10 + 2)],
  numaAutosizeOnce: BOTH,
  numaFixedAutoAffinity: BOTH,
});

/** All VMs with one unknown setting, and a second that is unknown or has any of its values. */
export function* openVms(host: HostModel): Generator<OpenVm> {
  for (let vcpus = 2; vcpus <= MOST_OPEN_VCPUS; vcpus++) {
    const values = Object.entries(valuesFor(vcpus)) as [SettingName, readonly unknown[]][];
    for (const hardware of [{ hardwareVersion: 11 }, {}])
      for (const [open] of values)
        for (const [name, all] of values) {
          if (name === open) continue;
          yield { host, vcpus, stated: hardware, open: [open, name] };
          for (const value of all) yield { host, vcpus, stated: { ...hardware, [name]: value }, open: [open] };
        }
  }
}

function specOf({ vcpus, stated, open }: OpenVm, filled: SettingValues): VmSpec {
  if (!empty) throw new Error("the text of a VM is read");
  const values = Object.entries({ ...stated, vcpus, ...filled }).map(([name, value]) => [name, known<unknown>(value, empty.range)]);
  const unset = open.filter((name) => !(name in filled)).map((name) => [name, unknown("it is the template's", empty.range)]);
  return { ...empty, settings: { ...empty.settings, ...Object.fromEntries([...values, ...unset]) } };
}

function* fillings([name, ...others]: readonly SettingName[], vm: OpenVm): Generator<SettingValues> {
  if (name === undefined) return void (yield {});
  const values = { ...valuesFor(vm.vcpus), ...moreValuesFor(vm.vcpus, vm.host) }[name] ?? [];
  for (const rest of fillings(others, vm)) for (const value of values) yield { ...rest, [name]: value };
}

/** The topologies of a VM with each answer to each question that a run asks, one question after the other. */
function* everyAnswer(vm: VmSpec, host: HostModel, given: readonly number[] = []): Generator<Topology> {
  const asked: number[] = [];
  const to: NumaInput["answers"]["to"] = ({ candidates = [] }) => {
    const candidate = candidates[given[asked.length] ?? 0];
    if (candidate) asked.push(candidates.length);
    return candidate ?? { source: null };
  };
  const result = answerWith({ vm, host, esxi: host.esxi ?? esxi(9, 0), workload: undefined, get: reader(vm, {}) }, { to });
  const next = asked[given.length];
  if (next === undefined && result.ok) yield result.topology;
  for (let i = 0; i < (next ?? 0); i++) yield* everyAnswer(vm, host, [...given, i]);
}

const layoutText = ({ coresPerSocket, vnumaNodes, numaClients }: Topology): string =>
  `${vnumaNodes.join("+")} on ${numaClients.join("+")} in sockets of ${coresPerSocket}`;

/** The layouts that the list of a VM lacks or has too many; `undefined` if the list is not complete or there is none. */
export function missingLayouts(vm: OpenVm): readonly string[] | undefined {
  const result = possibleTopologies(specOf(vm, {}), vm.host);
  if (!result.ok || !result.isComplete) return undefined;
  const all = new Set<string>();
  for (const filled of fillings(vm.open, vm))
    for (const topology of everyAnswer(specOf(vm, filled), vm.host)) all.add(layoutText(topology));
  // An unknown number of cores per socket may be left to ESXi, too, which is no number.
  const listed = new Set(result.cases.filter(({ when }) => when.coresPerSocket !== "auto").map(({ topology }) => layoutText(topology)));
  const text = JSON.stringify({ ...vm, host: shortFormOf(vm.host, formatEsxi(vm.host.esxi ?? esxi(9, 0))) });
  return [
    ...[...all].filter((one) => !listed.has(one)).map((one) => `${text} lacks ${one}`),
    ...[...listed].filter((one) => !all.has(one)).map((one) => `${text} lists ${one}`),
  ];
}
