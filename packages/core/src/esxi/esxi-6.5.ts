import { atLeast, esxi, maybeAtLeast } from "../model/esxi.ts";
import { coresPerNode } from "../model/host.ts";
import {
  DENNEMAN_2016_DECOUPLING,
  DENNEMAN_2017_MEMORY,
  DENNEMAN_2019_EPYC,
  DENNEMAN_2021_CLASSES,
  DENNEMAN_2021_CPS,
  DENNEMAN_2022_MISMATCH,
  KB_67996,
  type Source,
  TOPOLOGY_DOC_80,
  VNUMA_CONTROLS_67,
  VNUMA_DOC_65,
} from "../model/sources.ts";
import type { SettingValues } from "../model/spec.ts";
import { plural } from "../model/words.ts";
import { DEFAULT_MIN_VCPUS } from "./input.ts";
import {
  type Behaviour,
  beforeVnuma,
  belowMinimum,
  derived,
  documented,
  fill,
  fitsOne,
  HOT_ADD,
  joined,
  type Layout,
  type NumaInput,
  nodesOfSize,
  openAutosize,
  type Reason,
  restOf,
  share,
  undecided,
} from "./layout.ts";

/** ESXi 6.5 and 7.0: cores per socket no longer size the nodes, but a node never splits a virtual socket. */
export const esxi65: Behaviour = {
  since: esxi(6, 5),
  virtualTopology: false,
  socketsSizeNodes: false,
  manualSize: sizeByHand,
  layout: (input) => layout(input, maxPerVirtualNode(input)),
};

/** `numa.vcpu.maxPerVirtualNode`, and for a VM below the default of `numa.vcpu.min` that as well: it is documented to hide all nodes. */
export function sizeByHand(size: number, vcpus: number): SettingValues {
  return { maxVcpusPerVnumaNode: size, ...(vcpus < DEFAULT_MIN_VCPUS && { vnumaMinVcpus: vcpus }) };
}

/** A node size set by hand, 0 for none; the setting that holds it, and where it is documented. */
interface ManualSize {
  readonly size: number;
  readonly key: string;
  readonly source: Source;
  /** What is not known of it for this VM. */
  readonly open: readonly Reason[];
}

export const maxPerVirtualNode = (input: NumaInput): ManualSize => ({
  size: input.maxPerVnumaNode,
  key: "numa.vcpu.maxPerVirtualNode",
  source: VNUMA_CONTROLS_67,
  open: input.maxPerVnumaNode > 0 ? openMaxPerVirtualNode(input) : [],
});

/** What is not known of `numa.vcpu.maxPerVirtualNode` for a VM. */
function openMaxPerVirtualNode({ vcpus, maxPerVnumaNode: size, minVcpus, coresPerSocket }: NumaInput): readonly Reason[] {
  const reasons: Reason[] = [];
  if (vcpus < minVcpus && size < vcpus) {
    const text = `fewer vCPUs than numa.vcpu.min (${minVcpus}) are documented to see one node: no source shows a size by hand with it`;
    reasons.push(undecided(text, VNUMA_CONTROLS_67));
  }
  const even = joined(share(vcpus, size));
  if (even !== joined(fill(vcpus, size)))
    reasons.push(undecided(`the documentation splits evenly (${even}), which no source shows`, VNUMA_CONTROLS_67));
  if (coresPerSocket !== "auto" && size < vcpus && size % coresPerSocket !== 0) {
    const text = `nodes of ${size} cut virtual sockets of ${coresPerSocket}, which the nodes that ESXi makes by itself never do: no source shows which wins`;
    reasons.push(undecided(text, DENNEMAN_2021_CPS));
  }
  return reasons;
}

export function layout(input: NumaInput, manual: ManualSize): Layout {
  const { vcpus, capacity, minVcpus } = input;
  const followed = input.followCoresPerSocket && input.coresPerSocket !== "auto" ? input.coresPerSocket : 1;
  const { clients, reasons } = autosize(input);
  // That a VM lies on one node which holds it needs no reason.
  const placed = reasons.length > 1 || clients.length > 1 || vcpus > capacity ? reasons : [];
  // Wherever its clients lie, the guest is shown one node.
  const single = (...why: readonly Reason[]): Layout => ({
    nodes: [vcpus],
    clients,
    reasons: [...why, ...placed.map((reason) => ({ ...reason, about: "clients" as const }))],
  });

  const tooOld = beforeVnuma(input);
  if (tooOld) return single(tooOld);
  if (manual.size > 0) return byHand(input, manual, followed);
  if (hidesNodes(input)) return single(HOT_ADD);
  if (vcpus < minVcpus) {
    return single(documented(belowMinimum(vcpus, minVcpus), VNUMA_DOC_65), ...openSizer(input, clients.length));
  }
  if (followed > 1) {
    const { reasons: open, ...rest } = nodesOfSize(input, followed);
    const why = documented(`followCoresPerSocket makes nodes of the ${followed} cores per socket, as up to 6.0`, DENNEMAN_2016_DECOUPLING);
    return { ...rest, reasons: [why, ...open, ...openHotAdd(input)] };
  }
  if (input.storedNodeSize !== undefined) {
    const why = documented(
      `the first power-on stored nodes of ${input.storedNodeSize}; only the clients are sized anew`,
      DENNEMAN_2022_MISMATCH,
    );
    const nodes = fill(vcpus, input.storedNodeSize);
    const open = joined(nodes) === joined(clients) ? [] : openStored(input);
    return { nodes, clients, reasons: [why, ...restOf(vcpus, input.storedNodeSize), ...open, ...openHotAdd(input), ...placed] };
  }
  // Spreading clients by numa.consolidate shows the guest as many nodes (2x20, ESXi 8.0, stored size removed).
  return { nodes: clients, clients, reasons: [...reasons, ...openHotAdd(input), ...openAutosize(input, clients)] };
}

/** Nodes of a size set by hand; `followed`: the cores per socket that size nodes as well, 1 for none. */
function byHand(input: NumaInput, { size, key, source, open }: ManualSize, followed: number): Layout {
  const { vcpus, capacity, host } = input;
  const { reasons, ...layout } = nodesOfSize(input, size);
  const why = [documented(`${key} sets nodes of ${size}`, source), ...reasons, ...open];
  if (followed > 1 && followed !== size) {
    why.push(undecided("followCoresPerSocket asks for nodes of another size: no source shows which of the two wins", VNUMA_CONTROLS_67));
  }
  if (size > capacity && layout.clients.length > host.numaNodes) {
    why.push(undecided(`${layout.clients.length} clients are more than the host has nodes: no source shows how many it makes`));
  }
  if (hidesNodes(input) && size < vcpus) {
    why.push(undecided("CPU hot add is documented to force one node, and manual sizes to win: no source shows both at once", VNUMA_DOC_65));
  }
  return { ...layout, reasons: why };
}

/** What is not known of a stored size where the sockets have changed since. */
function openStored({ coresPerSocket, storedCoresPerSocket: before }: NumaInput): readonly Reason[] {
  if (before === undefined || coresPerSocket === "auto" || coresPerSocket === before) return [];
  const text = `they were stored for ${plural(before, "core")} per socket: no source shows whether they outlive a change of that`;
  return [{ ...undecided(text, DENNEMAN_2022_MISMATCH), about: "nodes" }];
}

/** How a VM is sized that sees its nodes beside CPU hot add. */
function openHotAdd({ cpuHotAdd, hardwareVersion }: NumaInput): readonly Reason[] {
  if (!cpuHotAdd) return [];
  const text = "numa.allowHotadd shows the nodes in spite of CPU hot add";
  return hardwareVersion === undefined
    ? [{ ...undecided(`${text} from hardware version 20 on, and none is stated`, TOPOLOGY_DOC_80), about: "nodes" }]
    : [derived(`${text}: their sizes are those without hot add`, TOPOLOGY_DOC_80)];
}

const hidesNodes = ({ cpuHotAdd, exposeVnumaOnHotAdd }: NumaInput): boolean => cpuHotAdd && !exposeVnumaOnHotAdd;

/** What is not known of a VM below `numa.vcpu.min`: whether the sizer shows it nodes, or has stored some that hold. */
function openSizer(input: NumaInput, clients: number): readonly Reason[] {
  const { vcpus, minVcpus, storedNodeSize: stored } = input;
  // One that has stored a single node is to be sized anew first (F. Denneman, AMD EPYC Naples vs Rome, 2019).
  const mayShow = stored === undefined ? clients > 1 && minVcpus === DEFAULT_MIN_VCPUS : stored < vcpus;
  if (!mayShow || !hasClientSizer(input)) return [];
  const text =
    stored === undefined
      ? "from 6.5 U3 and 6.7 U2 on ESXi may show such a VM its nodes; the rule is not published"
      : `an earlier power-on stored nodes of ${stored}, as from 6.5 U3 and 6.7 U2 on it may: no source shows whether such a VM keeps them`;
  return [{ ...undecided(text, KB_67996), about: "nodes" }];
}

/** Whether the sizer of KB 67996 may be there. */
const hasClientSizer = ({ esxi: version }: NumaInput): boolean =>
  atLeast(version, esxi(6, 7)) ? maybeAtLeast(version, esxi(6, 7, 2)) : maybeAtLeast(version, esxi(6, 5, 3));

/** The clients of a VM: as few as hold it, never more than the host has nodes, in whole virtual sockets. */
function autosize(input: NumaInput): { clients: readonly number[]; reasons: readonly Reason[] } {
  const { vcpus, capacity, host, consolidate } = input;
  const least = Math.ceil(vcpus / capacity);
  const spreads = !consolidate && vcpus > 1 && least < host.numaNodes;
  if (least === 1 && !spreads) return { clients: [vcpus], reasons: [documented(fitsOne(vcpus, capacity), VNUMA_DOC_65)] };
  const count = least === 1 ? 2 : Math.min(least, host.numaNodes);
  const part = Math.ceil(vcpus / count);
  const socket = input.coresPerSocket === "auto" ? 1 : input.coresPerSocket;
  const size = Math.ceil(part / socket) * socket;
  const clients = fill(vcpus, size);
  const reasons: Reason[] = [];
  if (spreads) reasons.push(openSpread(input, least));
  // Of sockets that leave nodes of the host without a client something is said below.
  if (least > count && (size === part || clients.length === count)) reasons.push(openRoom(input, least, clients.length));
  const made = clients.length === 1 ? "1 client" : `${clients.length} clients of up to ${size}`;
  const text = `${plural(vcpus, "vCPU")} on nodes of ${capacity} make ${made}`;
  if (size > capacity && size !== part) {
    reasons.push(
      undecided(
        `${text}: a virtual socket of ${socket} does not go into a node in whole, and no source shows what ESXi then does`,
        DENNEMAN_2021_CPS,
      ),
    );
  } else if (!consolidate && clients.length < count) {
    reasons.push(
      undecided(`${text}: no source shows numa.consolidate = FALSE for a VM whose virtual sockets of ${socket} do not spread so far`),
    );
  } else if (size !== part) {
    reasons.push(
      derived(`${text}, because a client holds whole sockets of ${socket}: seen on 7.0, against the documentation`, DENNEMAN_2021_CPS),
    );
  } else if (vcpus % size !== 0) {
    reasons.push(derived(`${text}; uneven sizes follow from the published 16+14`, DENNEMAN_2021_CPS));
  } else {
    reasons.push(documented(text, DENNEMAN_2021_CPS));
  }
  return { clients, reasons };
}

/** Over how many nodes `numa.consolidate = FALSE` spreads a VM that needs `least`. */
function openSpread({ host }: NumaInput, least: number): Reason {
  const text =
    least === 1
      ? "numa.consolidate = FALSE spreads a VM that fits one node over two"
      : `numa.consolidate = FALSE may spread a VM over more than the ${least} nodes that hold it`;
  return host.numaNodes === 2
    ? documented(text, DENNEMAN_2017_MEMORY)
    : undecided(`${text}; which nodes of ${host.numaNodes} is not published`, DENNEMAN_2019_EPYC);
}

/** What is known of a VM that takes `least` nodes where the host has fewer, and of which `made` clients were made. */
function openRoom({ capacity, host }: NumaInput, least: number, made: number): Reason {
  const { numaNodes } = host;
  if (capacity < coresPerNode(host))
    return undecided(`${least} clients of at most ${capacity} are more than the host has nodes: no source shows how many it makes`);
  const text = "more vCPUs than the host has room for";
  return made < numaNodes
    ? undecided(`${text}: no source shows one of ${made} clients on ${numaNodes} nodes`, DENNEMAN_2021_CLASSES)
    : derived(`${text}: one client for ${numaNodes === 1 ? "its one node" : `each of ${numaNodes} nodes`}`, DENNEMAN_2021_CLASSES);
}
