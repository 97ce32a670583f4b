import { atLeast, esxi, maybeAtLeast } from "../model/esxi.ts";
import { coresPerNode } from "../model/host.ts";
import { sequence } from "../model/sequence.ts";
import {
  DENNEMAN_2016_DECOUPLING,
  DENNEMAN_2017_MEMORY,
  DENNEMAN_2019_EPYC,
  DENNEMAN_2021_CLASSES,
  DENNEMAN_2021_CPS,
  DENNEMAN_2022_MISMATCH,
  KB_67996,
  type Source,
  SQL55,
  TOPOLOGY_DOC_80,
  VNUMA_CONTROLS_67,
  VNUMA_DOC_65,
} from "../model/sources.ts";
import type { SettingValues } from "../model/spec.ts";
import { plural } from "../model/words.ts";
import { DEFAULT_MIN_VCPUS } from "./input.ts";
import {
  type Behaviour,
  balance,
  beforeVnuma,
  belowMinimum,
  between,
  type Candidate,
  derived,
  documented,
  fill,
  fitsOne,
  groupText,
  HOT_ADD,
  type Layout,
  type NumaInput,
  nodesOfSize,
  onlyClients,
  openAutosize,
  type Reason,
  restOf,
  share,
  undecided,
} from "./layout.ts";

/** ESXi 6.5 and 6.7: cores per socket no longer size the nodes. No source shows whether a client may split a virtual socket. */
export const esxi65: Behaviour = {
  since: esxi(6, 5),
  virtualTopology: false,
  socketsSizeNodes: false,
  manualSize: sizeByHand,
  layout: (input) => layout(input, maxPerVirtualNode(input)),
};

/**
 * `numa.vcpu.maxPerVirtualNode`; for a VM below the default of `numa.vcpu.min` also this minimum, which is documented to hide all nodes.
 */
export function sizeByHand(size: number, vcpus: number): SettingValues {
  return { maxVcpusPerVnumaNode: size, ...(vcpus < DEFAULT_MIN_VCPUS && { vnumaMinVcpus: vcpus }) };
}

/** A manual node size, 0 for none, with its setting and source. */
interface ManualSize {
  readonly size: number;
  readonly key: string;
  readonly source: Source;
  /** Open questions about it for this VM. */
  readonly unknownReasons: readonly Reason[];
}

export const maxPerVirtualNode = (input: NumaInput): ManualSize => ({
  size: input.maxPerVnumaNode,
  key: "numa.vcpu.maxPerVirtualNode",
  source: VNUMA_CONTROLS_67,
  unknownReasons: input.maxPerVnumaNode > 0 ? openMaxPerVirtualNode(input) : [],
});

/** Returns the open questions about `numa.vcpu.maxPerVirtualNode` for a VM. */
function openMaxPerVirtualNode(input: NumaInput): readonly Reason[] {
  const { vcpus, maxPerVnumaNode: size, minVcpus, coresPerSocket, capacity } = input;
  const reasons: Reason[] = [];
  const { nodes, clients } = nodesOfSize(input, size);
  const base = { nodes, clients, source: VNUMA_CONTROLS_67 };
  const instead = (sizes: readonly number[]) => ({
    nodes: sizes,
    clients: sizes.flatMap((size) => share(size, capacity)),
    source: VNUMA_CONTROLS_67,
  });
  if (vcpus < minVcpus && size < vcpus) {
    const text = `fewer vCPUs than numa.vcpu.min (${minVcpus}) are documented to see one node: no source shows a size set by hand with it`;
    reasons.push(between(text, VNUMA_CONTROLS_67, [base, instead([vcpus])]));
  }
  const even = groupText(share(vcpus, size));
  if (even !== groupText(fill(vcpus, size)))
    reasons.push(
      between(`the documentation splits evenly (${even}), which no source shows`, VNUMA_CONTROLS_67, [base, instead(share(vcpus, size))]),
    );
  if (coresPerSocket !== "auto" && size < vcpus && size % coresPerSocket !== 0) {
    const text = `nodes of ${size} cut virtual sockets of ${coresPerSocket}, which nodes that ESXi chooses never do: no source shows which wins`;
    const whole = Math.ceil(size / coresPerSocket) * coresPerSocket;
    reasons.push(between(text, DENNEMAN_2021_CPS, [base, { ...instead(fill(vcpus, whole)), source: DENNEMAN_2021_CPS }]));
  }
  return reasons;
}

/** Returns the layout of a VM. `hasWholeSockets` says whether a log of the release shows that each client holds whole virtual sockets. */
export function layout(input: NumaInput, manual: ManualSize, hasWholeSockets = false): Layout {
  const { vcpus, capacity } = input;
  const { clients, reasons } = autosize(input, hasWholeSockets);
  // A VM that fits one node and has one client needs no reason for it.
  const clientReasons = reasons.length > 1 || clients.length > 1 || vcpus > capacity ? reasons : [];
  // The guest sees one node with any clients.
  const single = (...reason: readonly Reason[]): Layout => ({
    nodes: [vcpus],
    clients,
    reasons: [...reason, ...clientReasons.map(onlyClients)],
  });

  const tooOld = beforeVnuma(input);
  if (tooOld) return single(tooOld);
  if (manual.size > 0) return byHand(input, manual, followedCores(input));
  if (hidesNodes(input)) return single(HOT_ADD);
  const { minVcpus } = input;
  if (vcpus < minVcpus) {
    return single(documented(belowMinimum(vcpus, minVcpus), VNUMA_DOC_65), ...openSizer(input, clients));
  }
  const followed = followedCores(input);
  if (followed > 1) {
    const { reasons: open, ...rest } = nodesOfSize(input, followed);
    const reason = documented(
      `followCoresPerSocket makes nodes of the ${followed} cores per socket, as up to 6.0`,
      DENNEMAN_2016_DECOUPLING,
    );
    return { ...rest, reasons: [reason, ...open, ...openHotAdd(input, rest.nodes)] };
  }
  if (input.storedNodeSize !== undefined) {
    const reason = documented(
      `the first power-on stored nodes of ${input.storedNodeSize}; only the clients are sized anew`,
      DENNEMAN_2022_MISMATCH,
    );
    const nodes = fill(vcpus, input.storedNodeSize);
    const open = groupText(nodes) === groupText(clients) ? [] : openStored(input, nodes, clients);
    return {
      nodes,
      clients,
      reasons: [reason, ...restOf(vcpus, input.storedNodeSize), ...open, ...openHotAdd(input, nodes), ...clientReasons.map(onlyClients)],
    };
  }
  // With clients spread by numa.consolidate, the guest sees as many nodes (2x20, ESXi 8.0, stored size removed).
  return { nodes: clients, clients, reasons: [...reasons, ...openHotAdd(input, clients), ...openAutosize(input, clients)] };
}

/** Returns the cores per socket that size nodes, as up to 6.0; 1 for none. */
const followedCores = (input: NumaInput): number =>
  input.followCoresPerSocket && input.coresPerSocket !== "auto" ? input.coresPerSocket : 1;

/** Nodes with one client each. */
const equally = (groups: readonly number[], source: Source | null): Candidate => ({ nodes: groups, clients: groups, source });

/** Nodes of a manual size; `followed`: the cores per socket that also size nodes, 1 for none. */
function byHand(input: NumaInput, { size, key, source, unknownReasons }: ManualSize, followed: number): Layout {
  const { vcpus, capacity, host } = input;
  const { reasons, ...layout } = nodesOfSize(input, size);
  const allReasons = [documented(`${key} sets nodes of ${size}`, source), ...reasons, ...unknownReasons];
  if (followed > 1 && followed !== size) {
    const text = "followCoresPerSocket asks for nodes of another size: no source shows which of the two wins";
    const other = nodesOfSize(input, followed);
    allReasons.push(
      between(text, VNUMA_CONTROLS_67, [
        { ...layout, source },
        { nodes: other.nodes, clients: other.clients, source: DENNEMAN_2016_DECOUPLING },
      ]),
    );
  }
  if (size > capacity && layout.clients.length > host.numaNodes) {
    allReasons.push(undecided(`${layout.clients.length} clients are more than the host has nodes: no source shows how many it makes`));
  }
  if (hidesNodes(input) && size < vcpus) {
    const text = "CPU hot add is documented to force one node, and manual sizes to win: no source shows both at once";
    allReasons.push(
      between(
        text,
        VNUMA_DOC_65,
        [
          { nodes: layout.nodes, source },
          { nodes: [vcpus], source: VNUMA_DOC_65 },
        ],
        "nodes",
      ),
    );
  }
  return { ...layout, reasons: allReasons };
}

/** Returns the open question about a stored size after a change of the sockets. */
function openStored(
  { coresPerSocket, storedCoresPerSocket: before }: NumaInput,
  nodes: readonly number[],
  anew: readonly number[],
): readonly Reason[] {
  if (before === undefined || coresPerSocket === "auto" || coresPerSocket === before) return [];
  const text = `they were stored for ${plural(before, "core")} per socket: no source shows whether ESXi keeps them after that changes`;
  const candidates = [
    { nodes, source: DENNEMAN_2022_MISMATCH },
    { nodes: anew, source: VNUMA_CONTROLS_67 },
  ];
  return [between(text, DENNEMAN_2022_MISMATCH, candidates, "nodes")];
}

/** Returns the open question about a VM that shows its nodes with CPU hot add. */
function openHotAdd(input: NumaInput, nodes: readonly number[]): readonly Reason[] {
  if (!input.cpuHotAdd) return [];
  const text = "numa.allowHotadd shows the nodes in spite of CPU hot add";
  if (input.hardwareVersion !== undefined) return [derived(`${text}: their sizes are those without hot add`, TOPOLOGY_DOC_80)];
  const candidates = [
    { nodes, source: TOPOLOGY_DOC_80 },
    { nodes: [input.vcpus], source: VNUMA_DOC_65 },
  ];
  return [between(`${text} from hardware version 20 on, and the VM states none`, TOPOLOGY_DOC_80, candidates, "nodes")];
}

const hidesNodes = (input: NumaInput): boolean => input.cpuHotAdd && !input.exposeVnumaOnHotAdd;

/** Returns the open questions about a VM below `numa.vcpu.min`: whether the sizer shows it nodes, or stored valid ones. */
function openSizer(input: NumaInput, clients: readonly number[]): readonly Reason[] {
  const { vcpus, minVcpus, storedNodeSize: stored } = input;
  // A VM with one stored node must first be sized again (F. Denneman, AMD EPYC Naples vs Rome, 2019).
  const mayShow = stored === undefined ? clients.length > 1 && minVcpus === DEFAULT_MIN_VCPUS : stored < vcpus;
  if (!mayShow || !hasClientSizer(input)) return [];
  const text =
    stored === undefined
      ? "from 6.5 U3 and 6.7 U2 on ESXi may show such a VM its nodes; the rule is not published"
      : `an earlier power-on stored nodes of ${stored}, as ESXi may do from 6.5 U3 and 6.7 U2 on: no source shows whether such a VM keeps them`;
  const candidates = [
    { nodes: [vcpus], source: VNUMA_DOC_65 },
    { nodes: stored === undefined ? clients : fill(vcpus, stored), source: KB_67996 },
  ];
  return [between(text, KB_67996, candidates, "nodes")];
}

/** Whether the sizer of KB 67996 may exist. */
const hasClientSizer = ({ esxi: version }: NumaInput): boolean =>
  atLeast(version, esxi(6, 7)) ? maybeAtLeast(version, esxi(6, 7, 2)) : maybeAtLeast(version, esxi(6, 5, 3));

/** Returns the clients of a VM: the fewest that hold it, at most one per node of the host, in whole virtual sockets if a node holds one. */
function autosize(input: NumaInput, hasWholeSockets: boolean): { clients: readonly number[]; reasons: readonly Reason[] } {
  const { vcpus, capacity, host } = input;
  const least = Math.ceil(vcpus / capacity);
  const spreads = vcpus > 1 && least < host.numaNodes && !input.consolidate;
  if (least === 1 && !spreads) return { clients: [vcpus], reasons: [documented(fitsOne(vcpus, capacity), VNUMA_DOC_65)] };
  const count = least === 1 ? 2 : Math.min(least, host.numaNodes);
  const socket = input.coresPerSocket === "auto" ? 1 : input.coresPerSocket;
  const { clients, reason } = divide(input, count, socket, hasWholeSockets);
  const reasons: Reason[] = [];
  if (spreads) reasons.push(openSpread(input, least, clients));
  // A separate reason covers sockets that leave nodes of the host without a client.
  if (least > count && clients.length === count && !reason.candidates) reasons.push(...openRoom(input, least, clients, socket));
  return { clients, reasons: [...reasons, reason] };
}

/** `count` clients as equal as whole sockets make them. */
function divide(
  input: NumaInput,
  count: number,
  socket: number,
  hasWholeSockets: boolean,
): { readonly clients: readonly number[]; readonly reason: Reason } {
  const { vcpus, capacity } = input;
  const part = Math.ceil(vcpus / count);
  const size = Math.ceil(part / socket) * socket;
  const clients = fill(vcpus, size);
  const clientText = clients.length === 1 ? "1 client" : `${clients.length} clients of up to ${size}`;
  const text = `${plural(vcpus, "vCPU")} on nodes of ${capacity} make ${clientText}`;
  if (size > capacity && size !== part) return cutOrWhole(input, count, socket);
  // Up to 6.0 only, the last client was seen to lose more vCPUs than a socket from each of several would.
  const evens = count > 2 && !hasWholeSockets && size === part ? [socket, 1] : [socket];
  const layouts = new Map([clients, ...evens.map((whole) => balance(vcpus, count, whole))].map((sizes) => [groupText(sizes), sizes]));
  if (layouts.size > 1) {
    const [first, ...others] = [...layouts.keys()];
    const open = `${text}, or ${others.join(" or ")}: no source shows which of more than two clients are smaller from 6.5 on`;
    const candidates = [...layouts].map(([key, sizes]) => equally(sizes, key === first ? SQL55 : VNUMA_DOC_65));
    return { clients, reason: between(open, DENNEMAN_2021_CPS, candidates) };
  }
  if (!input.consolidate && clients.length < count) {
    const open = `${text}: no source shows numa.consolidate = FALSE for a VM whose virtual sockets of ${socket} do not spread so far`;
    return { clients, reason: between(open, null, [equally(clients, DENNEMAN_2021_CPS), equally(fill(vcpus, part), VNUMA_DOC_65)]) };
  }
  if (size !== part) {
    const whole = `${text}, because a client holds whole sockets of ${socket}: seen on 7.0, against the documentation`;
    if (hasWholeSockets) return { clients, reason: derived(whole, DENNEMAN_2021_CPS) };
    const shares = balance(vcpus, count);
    const open = `${whole}, which ignores sockets (${groupText(shares)})`;
    return { clients, reason: between(open, DENNEMAN_2021_CPS, [equally(clients, DENNEMAN_2021_CPS), equally(shares, VNUMA_DOC_65)]) };
  }
  if (vcpus % size !== 0) return { clients, reason: derived(`${text}; uneven sizes follow from the published 16+14`, DENNEMAN_2021_CPS) };
  return { clients, reason: documented(text, DENNEMAN_2021_CPS) };
}

/**
 * Returns the open question about sockets that do not divide into the fewest nodes. They may be cut, or stay whole on more clients or on a
 * client larger than a node.
 */
function cutOrWhole(
  { vcpus, capacity, host }: NumaInput,
  count: number,
  socket: number,
): { readonly clients: readonly number[]; readonly reason: Reason } {
  const shares = balance(vcpus, count);
  const perNode = Math.floor(capacity / socket);
  const part = Math.ceil(vcpus / count);
  const whole = fill(vcpus, Math.ceil(part / socket) * socket);
  const perNodeLayouts = perNode > 0 ? [equally(balance(vcpus, Math.ceil(vcpus / socket / perNode), socket), DENNEMAN_2021_CPS)] : [];
  const onHost = perNodeLayouts.filter(({ clients = [] }) => clients.length <= host.numaNodes);
  const candidates = [...onHost, equally(shares, VNUMA_DOC_65), ...perNodeLayouts, equally(whole, DENNEMAN_2021_CPS)];
  const text = `virtual sockets of ${socket} do not fit whole into ${plural(count, "node")} of ${capacity}: no source shows whether ESXi splits them (${groupText(shares)}) or keeps them whole (${groupText(perNodeLayouts[0]?.clients ?? whole)})`;
  return { clients: candidates[0]?.clients ?? shares, reason: between(text, DENNEMAN_2021_CPS, candidates) };
}

/** Returns the number of nodes that `numa.consolidate = FALSE` uses for a VM that needs `least`. */
function openSpread({ host, vcpus }: NumaInput, least: number, clients: readonly number[]): Reason {
  const text =
    least === 1
      ? "numa.consolidate = FALSE spreads a VM that fits one node over two"
      : `numa.consolidate = FALSE may spread a VM over more than the ${least} nodes that hold it`;
  if (host.numaNodes === 2) return documented(text, DENNEMAN_2017_MEMORY);
  const counts = sequence(host.numaNodes - clients.length, (i) => clients.length + 1 + i);
  const alternatives = counts.map((count) => equally(balance(vcpus, count), DENNEMAN_2019_EPYC));
  return between(`${text}; which nodes of ${host.numaNodes} is not published`, DENNEMAN_2019_EPYC, [
    equally(clients, DENNEMAN_2019_EPYC),
    ...alternatives,
  ]);
}

/** Returns the open question about a VM that needs `least` nodes on a host with fewer. */
function openRoom(
  { capacity, host, vcpus, followCoresPerSocket }: NumaInput,
  least: number,
  clients: readonly number[],
  socket: number,
): readonly Reason[] {
  const { numaNodes } = host;
  const base = equally(clients, DENNEMAN_2021_CLASSES);
  const uncapped = equally(balance(vcpus, least, socket), SQL55);
  if (capacity < coresPerNode(host)) {
    const text = `${least} clients of at most ${capacity} are more than the host has nodes: no source shows how many it makes`;
    return [between(text, null, [base, uncapped])];
  }
  if (followCoresPerSocket && socket === 1) {
    const text = `followCoresPerSocket with one core a socket and more vCPUs than the host has cores: no source shows whether it makes ${least} clients, as up to 6.0`;
    return [between(text, DENNEMAN_2016_DECOUPLING, [base, uncapped])];
  }
  const text = "more vCPUs than the host has room for";
  return [derived(`${text}: one client for ${numaNodes === 1 ? "its one node" : `each of ${numaNodes} nodes`}`, DENNEMAN_2021_CLASSES)];
}
