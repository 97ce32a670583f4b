import { atLeast, esxi, maybeAtLeast } from "../../model/esxi.ts";
import { coresPerNode } from "../../model/host.ts";
import { once } from "../../model/memoize.ts";
import { sequence } from "../../model/sequence.ts";
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
} from "../../model/sources.ts";
import type { SettingValues } from "../../model/spec.ts";
import { plural } from "../../model/words.ts";
import { DEFAULT_MIN_VCPUS } from "./input.ts";
import {
  answered,
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
  type Reason,
  restOf,
  share,
  undecided,
  withAutosize,
} from "./layout.ts";

/** How a release is known to keep virtual sockets whole within a NUMA client, in words, and the source. */
export interface WholeSockets {
  readonly words: string;
  readonly source: Source;
}

/**
 * ESXi 6.5 and 6.7: cores per socket no longer size the nodes. An article describes that they group vCPUs since 6.5; its logs are of 7.0.
 */
export const esxi65: Behaviour = {
  since: esxi(6, 5),
  virtualTopology: false,
  socketsSizeNodes: false,
  manualSize: sizeByHand,
  layout: (input) => layout(input, maxPerVirtualNode(input), { words: "described since 6.5, seen on 7.0", source: DENNEMAN_2021_CPS }),
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
  /** Answers the open questions about it for this VM. */
  readonly settle: (layout: Layout) => Layout;
}

export const maxPerVirtualNode = (input: NumaInput): ManualSize => ({
  size: input.maxPerVnumaNode,
  key: "numa.vcpu.maxPerVirtualNode",
  source: VNUMA_CONTROLS_67,
  settle: (layout) => settleMaxPerVirtualNode(input, layout),
});

/** Answers the open questions about `numa.vcpu.maxPerVirtualNode` for a VM. */
function settleMaxPerVirtualNode(input: NumaInput, byHand: Layout): Layout {
  const { vcpus, maxPerVnumaNode: size, minVcpus, coresPerSocket, capacity } = input;
  const ask = (layout: Layout, text: string, source: Source, instead: readonly number[]): Layout =>
    answered(
      input,
      layout,
      between(text, source, [
        { nodes: layout.nodes, clients: layout.clients, source: VNUMA_CONTROLS_67 },
        { nodes: instead, clients: instead.flatMap((node) => share(node, capacity)), source },
      ]),
    );
  let layout = byHand;
  if (coresPerSocket !== "auto" && Math.min(size, vcpus) % coresPerSocket !== 0) {
    const text = `nodes of ${size} cut virtual sockets of ${coresPerSocket}, which nodes that ESXi chooses never do: no source shows which wins`;
    layout = ask(layout, text, DENNEMAN_2021_CPS, fill(vcpus, Math.ceil(size / coresPerSocket) * coresPerSocket));
  }
  const even = share(vcpus, Math.max(...layout.nodes));
  if (groupText(even) !== groupText(layout.nodes))
    layout = ask(layout, `the documentation splits evenly (${groupText(even)}), which no source shows`, VNUMA_CONTROLS_67, even);
  if (vcpus < minVcpus && size < vcpus) {
    const text = `fewer vCPUs than numa.vcpu.min (${minVcpus}) are documented to see one node: no source shows a size set by hand with it`;
    layout = ask(layout, text, VNUMA_CONTROLS_67, [vcpus]);
  }
  return layout;
}

/** Returns the layout of a VM. */
export function layout(input: NumaInput, manual: ManualSize, whole: WholeSockets): Layout {
  const { vcpus, capacity, minVcpus } = input;
  const tooOld = beforeVnuma(input);
  if (!tooOld && manual.size > 0) return byHand(input, manual, followedCores(input));
  const clients = once(() => autosize(input, whole));
  /** Adds the reasons of the clients, unless the VM plainly fits one node. */
  const withClients = (layout: Layout): Layout => {
    const { reasons } = clients();
    const isPlain = reasons.length === 1 && vcpus <= capacity;
    return isPlain ? layout : { ...layout, reasons: [...layout.reasons, ...reasons.map(onlyClients)] };
  };
  // The guest sees one node with any clients.
  const single = (cause: Reason): Layout => ({ nodes: [vcpus], clients: clients().clients, reasons: [cause] });
  if (tooOld) return withClients(single(tooOld));
  if (hidesNodes(input)) return withClients(single(HOT_ADD));
  if (vcpus < minVcpus) {
    const hidden = single(documented(belowMinimum(vcpus, minVcpus), VNUMA_DOC_65));
    return withClients(answered(input, hidden, openSizer(input, hidden.clients)));
  }
  const followed = followedCores(input);
  if (followed > 1) {
    const { reasons, ...layout } = nodesOfSize(input, followed);
    const text = `followCoresPerSocket makes nodes of the ${followed} cores per socket, as up to 6.0`;
    return withHotAdd(input, { ...layout, reasons: [documented(text, DENNEMAN_2016_DECOUPLING), ...reasons] });
  }
  const { storedNodeSize } = input;
  if (storedNodeSize !== undefined) {
    const text = `the first power-on stored nodes of ${storedNodeSize}; only the clients are sized anew`;
    const nodes = fill(vcpus, storedNodeSize);
    const reasons = [documented(text, DENNEMAN_2022_MISMATCH), ...restOf(vcpus, storedNodeSize)];
    const stored: Layout = { nodes, clients: clients().clients, reasons };
    return withClients(withHotAdd(input, answered(input, stored, openStored(input, stored))));
  }
  // With clients spread by numa.consolidate, the guest sees as many nodes (2x20, ESXi 8.0, stored size removed).
  return withHotAdd(input, withAutosize(input, clients()));
}

/** Returns the cores per socket that size nodes, as up to 6.0; 1 for none. */
const followedCores = (input: NumaInput): number =>
  input.followCoresPerSocket && input.coresPerSocket !== "auto" ? input.coresPerSocket : 1;

/** Nodes with one client each. */
const equally = (groups: readonly number[], source: Source | null): Candidate => ({ nodes: groups, clients: groups, source });

/** Nodes of a manual size; `followed`: the cores per socket that also size nodes, 1 for none. */
function byHand(input: NumaInput, { size, key, source, settle }: ManualSize, followed: number): Layout {
  const { vcpus, capacity, host } = input;
  const { reasons, ...sized } = nodesOfSize(input, size);
  let layout = settle({ ...sized, reasons: [documented(`${key} sets nodes of ${size}`, source), ...reasons] });
  if (followed > 1 && followed !== size) {
    const text = "followCoresPerSocket asks for nodes of another size: no source shows which of the two wins";
    const { nodes, clients } = nodesOfSize(input, followed);
    const candidates = [
      { nodes: layout.nodes, clients: layout.clients, source },
      { nodes, clients, source: DENNEMAN_2016_DECOUPLING },
    ];
    layout = answered(input, layout, between(text, VNUMA_CONTROLS_67, candidates));
  }
  const { length } = layout.clients;
  if (size > capacity && length > host.numaNodes) {
    const open = undecided(`${length} clients are more than the host has nodes: no source shows how many it makes`);
    layout = { ...layout, reasons: [...layout.reasons, open] };
  }
  if (!hidesNodes(input) || size >= vcpus) return layout;
  const text = "CPU hot add is documented to force one node, and manual sizes to win: no source shows both at once";
  const candidates = [
    { nodes: layout.nodes, source },
    { nodes: [vcpus], source: VNUMA_DOC_65 },
  ];
  return answered(input, layout, between(text, VNUMA_DOC_65, candidates, "nodes"));
}

/** Returns the open question about a stored size after a change of the sockets. */
function openStored({ coresPerSocket, storedCoresPerSocket: before }: NumaInput, { nodes, clients: anew }: Layout): Reason | undefined {
  if (before === undefined || coresPerSocket === "auto" || coresPerSocket === before || groupText(nodes) === groupText(anew))
    return undefined;
  const text = `they were stored for ${plural(before, "core")} per socket: no source shows whether ESXi keeps them after that changes`;
  const candidates = [
    { nodes, source: DENNEMAN_2022_MISMATCH },
    { nodes: anew, source: VNUMA_CONTROLS_67 },
  ];
  return between(text, DENNEMAN_2022_MISMATCH, candidates, "nodes");
}

/** Answers the open question about a VM that shows its nodes with CPU hot add. */
function withHotAdd(input: NumaInput, layout: Layout): Layout {
  if (!input.cpuHotAdd) return layout;
  const text = "numa.allowHotadd shows the nodes in spite of CPU hot add";
  if (input.hardwareVersion !== undefined) {
    const reason = derived(`${text}: their sizes are those without hot add`, TOPOLOGY_DOC_80);
    return { ...layout, reasons: [...layout.reasons, reason] };
  }
  const candidates = [
    { nodes: layout.nodes, source: TOPOLOGY_DOC_80 },
    { nodes: [input.vcpus], source: VNUMA_DOC_65 },
  ];
  return answered(
    input,
    layout,
    between(`${text} from hardware version 20 on, and the VM states none`, TOPOLOGY_DOC_80, candidates, "nodes"),
  );
}

const hidesNodes = (input: NumaInput): boolean => input.cpuHotAdd && !input.exposeVnumaOnHotAdd;

/** Returns the open question about a VM below `numa.vcpu.min`: whether the sizer shows it nodes, or stored valid ones. */
function openSizer(input: NumaInput, clients: readonly number[]): Reason | undefined {
  const { vcpus, minVcpus, storedNodeSize: stored } = input;
  // A VM with one stored node must first be sized again (F. Denneman, AMD EPYC Naples vs Rome, 2019).
  const mayShow = stored === undefined ? clients.length > 1 && minVcpus === DEFAULT_MIN_VCPUS : stored < vcpus;
  if (!mayShow || !hasClientSizer(input)) return undefined;
  const text =
    stored === undefined
      ? "from 6.5 U3 and 6.7 U2 on ESXi may show such a VM its nodes; the rule is not published"
      : `an earlier power-on stored nodes of ${stored}, as ESXi may do from 6.5 U3 and 6.7 U2 on: no source shows whether such a VM keeps them`;
  const candidates = [
    { nodes: [vcpus], source: VNUMA_DOC_65 },
    { nodes: stored === undefined ? clients : fill(vcpus, stored), source: KB_67996 },
  ];
  return between(text, KB_67996, candidates, "nodes");
}

/** Whether the sizer of KB 67996 may exist. */
const hasClientSizer = ({ esxi: version }: NumaInput): boolean =>
  atLeast(version, esxi(6, 7)) ? maybeAtLeast(version, esxi(6, 7, 2)) : maybeAtLeast(version, esxi(6, 5, 3));

/**
 * Returns the clients of a VM, each with a node: the fewest that hold it, at most one per node of the host, in whole virtual sockets if a
 * node holds one.
 */
function autosize(input: NumaInput, whole: WholeSockets): Layout {
  const { vcpus, capacity, host, answers } = input;
  const least = Math.ceil(vcpus / capacity);
  const spreads = vcpus > 1 && least < host.numaNodes && !input.consolidate;
  if (least === 1 && !spreads) return { nodes: [vcpus], clients: [vcpus], reasons: [documented(fitsOne(vcpus, capacity), VNUMA_DOC_65)] };
  const fewest = least === 1 ? 2 : Math.min(least, host.numaNodes);
  const spread = spreads ? [openSpread(input, least, fewest)] : [];
  const count = spread.map((question) => answers.to(question).clients?.length ?? fewest)[0] ?? fewest;
  const { reasons, ...divided } = divide(input, count, input.coresPerSocket === "auto" ? 1 : input.coresPerSocket, whole);
  const layout = { ...divided, reasons: [...spread, ...reasons] };
  return least > count ? withoutRoom(input, layout, least) : layout;
}

/** Returns clients with a node each, and the reason. */
const inNodes = (groups: readonly number[], ...reasons: readonly Reason[]): Layout => ({ nodes: groups, clients: groups, reasons });

/** `count` clients as equal as whole sockets make them. */
function divide(input: NumaInput, count: number, socket: number, whole: WholeSockets): Layout {
  const { vcpus, capacity } = input;
  const part = Math.ceil(vcpus / count);
  const size = Math.ceil(part / socket) * socket;
  if (size > capacity && size !== part) return cutOrWhole(input, count, socket, whole);
  const filled = fill(vcpus, size);
  const clientText = filled.length === 1 ? "1 client" : `${filled.length} clients of up to ${size}`;
  const text = `${plural(vcpus, "vCPU")} on nodes of ${capacity} make ${clientText}`;
  const layout = filledOrEqual(input, text, size, count, socket);
  if (layout.reasons.length > 0) return layout;
  if (!input.consolidate && filled.length < count) {
    const open = `${text}: no source shows numa.consolidate = FALSE for a VM whose virtual sockets of ${socket} do not spread so far`;
    const candidates = [equally(filled, DENNEMAN_2021_CPS), equally(fill(vcpus, part), VNUMA_DOC_65)];
    return answered(input, layout, between(open, null, candidates));
  }
  if (size !== part) {
    const words = `${text}, because a client holds whole sockets of ${socket}: ${whole.words}, against the documentation`;
    return inNodes(filled, derived(words, whole.source));
  }
  if (vcpus % size !== 0) return inNodes(filled, derived(`${text}; uneven sizes follow from the published 16+14`, DENNEMAN_2021_CPS));
  return inNodes(filled, documented(text, DENNEMAN_2021_CPS));
}

/** Clients of one size with a smaller last one, or of nearly equal size; without a reason if both are the same. */
function filledOrEqual(input: NumaInput, text: string, size: number, count: number, socket: number): Layout {
  const filled = fill(input.vcpus, size);
  const equal = balance(input.vcpus, count, socket);
  if (groupText(filled) === groupText(equal)) return inNodes(filled);
  const open = `${text}, or ${groupText(equal)}: no source shows which of more than two clients are smaller from 6.5 on`;
  return answered(input, inNodes(filled), between(open, DENNEMAN_2021_CPS, [equally(filled, SQL55), equally(equal, VNUMA_DOC_65)]));
}

/**
 * Answers the open question about sockets that do not divide into the fewest nodes. They may be cut, or stay whole on more clients or on a
 * client larger than a node.
 */
function cutOrWhole(input: NumaInput, count: number, socket: number, whole: WholeSockets): Layout {
  const { vcpus, capacity, host } = input;
  const perNode = Math.floor(capacity / socket);
  const nodes = Math.ceil(vcpus / socket / perNode);
  const size = Math.ceil(vcpus / count / socket) * socket;
  const onMore = equally(balance(vcpus, nodes, socket), DENNEMAN_2021_CPS);
  const cut = equally(balance(vcpus, count), VNUMA_DOC_65);
  const larger = equally(fill(vcpus, size), DENNEMAN_2021_CPS);
  const more = perNode > 0 ? [onMore] : [];
  const candidates = nodes <= host.numaNodes ? [...more, cut, larger] : [cut, ...more, larger];
  const text = `virtual sockets of ${socket} do not fit whole into ${plural(count, "node")} of ${capacity}: no source shows whether ESXi splits them (${groupText(cut.clients ?? [])}) or keeps them whole (${groupText((more[0] ?? larger).clients ?? [])})`;
  const question = between(text, DENNEMAN_2021_CPS, candidates);
  const answer = input.answers.to(question);
  const words = `${plural(vcpus, "vCPU")} make ${plural(count, "client")}`;
  const { reasons, ...layout } =
    answer === onMore
      ? divide(input, nodes, socket, whole)
      : answer === cut
        ? divide(input, count, 1, whole)
        : filledOrEqual(input, words, size, count, socket);
  // The question stands for its answer; a further question remains.
  return { ...layout, reasons: [question, ...reasons.filter(({ candidates }) => candidates)] };
}

/** Returns the number of nodes that `numa.consolidate = FALSE` uses for a VM that needs `least`. */
function openSpread({ host, vcpus }: NumaInput, least: number, fewest: number): Reason {
  const text =
    least === 1
      ? "numa.consolidate = FALSE spreads a VM that fits one node over two"
      : `numa.consolidate = FALSE may spread a VM over more than the ${least} nodes that hold it`;
  if (host.numaNodes === 2) return documented(text, DENNEMAN_2017_MEMORY);
  const counts = sequence(Math.min(host.numaNodes, vcpus) - fewest + 1, (i) => fewest + i);
  const candidates = counts.map((count) => equally(balance(vcpus, count), DENNEMAN_2019_EPYC));
  return between(`${text}; which nodes of ${host.numaNodes} is not published`, DENNEMAN_2019_EPYC, candidates);
}

/** Answers the open question about a VM that needs `least` nodes on a host with fewer. */
function withoutRoom(input: NumaInput, capped: Layout, least: number): Layout {
  const { capacity, host, vcpus, followCoresPerSocket, coresPerSocket } = input;
  const { numaNodes } = host;
  const socket = coresPerSocket === "auto" ? 1 : coresPerSocket;
  const ask = (text: string, source: Source | null, uncapped: readonly number[]): Layout => {
    const candidates = [equally(capped.clients, DENNEMAN_2021_CLASSES), equally(uncapped, SQL55)];
    return answered(input, capped, between(text, source, candidates));
  };
  if (capacity < coresPerNode(host)) {
    const text = `${least} clients of at most ${capacity} are more than the host has nodes: no source shows how many it makes`;
    return ask(text, null, balance(vcpus, least, socket));
  }
  if (followCoresPerSocket) {
    const text = `followCoresPerSocket and more vCPUs than the host has cores: no source shows whether it makes ${least} clients, as up to 6.0`;
    return ask(text, DENNEMAN_2016_DECOUPLING, share(vcpus, capacity));
  }
  if (capped.reasons.some(({ candidates }) => candidates)) return capped;
  const text = `more vCPUs than the host has room for: one client for ${numaNodes === 1 ? "its one node" : `each of ${numaNodes} nodes`}`;
  return { ...capped, reasons: [...capped.reasons, derived(text, DENNEMAN_2021_CLASSES)] };
}
