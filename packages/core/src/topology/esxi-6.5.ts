import { atLeast, esxi } from "../model/esxi.ts";
import {
  DENNEMAN_2016_DECOUPLING,
  DENNEMAN_2017_HOTADD,
  DENNEMAN_2017_MEMORY,
  DENNEMAN_2019_EPYC,
  DENNEMAN_2021_CLASSES,
  DENNEMAN_2021_CPS,
  DENNEMAN_2022_MISMATCH,
  KB_67996,
  type Source,
  VNUMA_CONTROLS_67,
  VNUMA_DOC_50,
  VNUMA_DOC_65,
} from "../model/sources.ts";
import { layout as followingCoresPerSocket } from "./esxi-5.0.ts";
import { type Behaviour, backEach, derived, documented, fill, type Layout, type NumaInput, type Reason, undecided } from "./layout.ts";

/** ESXi 6.5 and 7.0: cores per socket no longer size the nodes, but a node never splits a virtual socket. */
export const esxi65: Behaviour = {
  since: esxi(6, 5),
  virtualTopology: false,
  socketsSizeNodes: false,
  manualSize: (size) => ({ maxVcpusPerVnumaNode: size }),
  layout: (input) => layout(input, maxPerVirtualNode(input)),
};

/** A node size set by hand, 0 for none; the setting that holds it, and where it is documented. */
interface ManualSize {
  readonly size: number;
  readonly key: string;
  readonly source: Source;
}

export const maxPerVirtualNode = ({ maxPerVnumaNode }: NumaInput): ManualSize => ({
  size: maxPerVnumaNode,
  key: "numa.vcpu.maxPerVirtualNode",
  source: VNUMA_CONTROLS_67,
});

export function layout(input: NumaInput, manual: ManualSize): Layout {
  const { vcpus, capacity, minVcpus } = input;
  if (input.followCoresPerSocket) {
    const { reasons, ...rest } = followingCoresPerSocket(input);
    const why = documented("followCoresPerSocket brings back the sizing of 6.0", DENNEMAN_2016_DECOUPLING);
    return { ...rest, reasons: [why, ...reasons] };
  }
  const { clients, reasons } = autosize(input);
  const single = (...why: readonly Reason[]): Layout => ({
    nodes: [vcpus],
    clients,
    reasons: clients.length > 1 ? [...why, ...reasons] : why,
  });

  if (input.hardwareVersion !== undefined && input.hardwareVersion < 8) {
    return single(documented(`hardware version ${input.hardwareVersion} is older than 8, the first with virtual NUMA`, VNUMA_DOC_50));
  }
  if (manual.size > 0) {
    const nodes = fill(vcpus, manual.size);
    const why = [documented(`${manual.key} sets nodes of ${manual.size}`, manual.source)];
    if (vcpus % manual.size !== 0) why.push(derived(`${manual.size} does not divide ${vcpus}: the last node takes the rest`));
    if (hidesNodes(input)) {
      why.push(
        undecided("CPU hot add is documented to force one node, and manual sizes to win: no source shows both at once", VNUMA_DOC_65),
      );
    }
    return { nodes, clients: backEach(nodes, capacity), reasons: why };
  }
  if (hidesNodes(input)) {
    return single(documented("CPU hot add is on, so the guest sees one node", DENNEMAN_2017_HOTADD));
  }
  if (vcpus < minVcpus) {
    const why = documented(`${vcpus} vCPUs are fewer than numa.vcpu.min (${minVcpus}), so the guest sees one node`, VNUMA_DOC_65);
    const sizer = clients.length > 1 && minVcpus === 9 && hasClientSizer(input);
    return sizer
      ? single(why, undecided("from 6.5 U3 and 6.7 U2 on ESXi may show such a VM its nodes; the rule is not published", KB_67996))
      : single(why);
  }
  if (input.storedNodeSize !== undefined) {
    const why = documented(
      `the first power-on stored nodes of ${input.storedNodeSize}; only the clients are sized anew`,
      DENNEMAN_2022_MISMATCH,
    );
    return { nodes: fill(vcpus, input.storedNodeSize), clients, reasons: clients.length > 1 ? [why, ...reasons] : [why] };
  }
  // Spreading clients by numa.consolidate shows the guest as many nodes (2x20, ESXi 8.0, stored size removed).
  return { nodes: clients, clients, reasons };
}

const hidesNodes = ({ cpuHotAdd, exposeVnumaOnHotAdd }: NumaInput): boolean => cpuHotAdd && !exposeVnumaOnHotAdd;

const hasClientSizer = ({ esxi: version }: NumaInput): boolean =>
  atLeast(version, esxi(6, 7)) ? atLeast(version, esxi(6, 7, 2)) : atLeast(version, esxi(6, 5, 3));

/** The clients of a VM: as few as hold it, never more than the host has nodes, in whole virtual sockets. */
function autosize(input: NumaInput): { clients: readonly number[]; reasons: readonly Reason[] } {
  const { vcpus, capacity, host } = input;
  const reasons: Reason[] = [];
  let count = Math.ceil(vcpus / capacity);
  if (count === 1) {
    if (input.consolidate || host.numaNodes === 1) {
      return { clients: [vcpus], reasons: [documented(`${vcpus} vCPUs fit one node of ${capacity}`, VNUMA_DOC_65)] };
    }
    count = Math.min(2, vcpus);
    const text = "numa.consolidate = FALSE spreads a VM that fits one node over two";
    reasons.push(
      host.numaNodes === 2
        ? documented(text, DENNEMAN_2017_MEMORY)
        : undecided(`${text}; which nodes of ${host.numaNodes} is not published`, DENNEMAN_2019_EPYC),
    );
  } else if (count > host.numaNodes) {
    count = host.numaNodes;
    reasons.push(
      derived(`more vCPUs than the host has room for: one client on each of its ${host.numaNodes} nodes`, DENNEMAN_2021_CLASSES),
    );
  }
  const share = Math.ceil(vcpus / count);
  const socket = input.coresPerSocket === "auto" ? 1 : input.coresPerSocket;
  const size = Math.ceil(share / socket) * socket;
  const clients = fill(vcpus, size);
  const text = `${vcpus} vCPUs on nodes of ${capacity} make ${clients.length} clients of up to ${size}`;
  if (size > capacity && share <= capacity) {
    reasons.push(
      undecided(
        `${text}: a virtual socket of ${socket} does not go into a node in whole, and no source shows what ESXi then does`,
        DENNEMAN_2021_CPS,
      ),
    );
  } else if (size !== share) {
    reasons.push(derived(`${text}, because a client holds whole sockets of ${socket}`, DENNEMAN_2021_CPS));
  } else if (vcpus % size !== 0) {
    reasons.push(derived(`${text}; uneven sizes follow from the published 16+14`, DENNEMAN_2021_CPS));
  } else {
    reasons.push(documented(text, DENNEMAN_2021_CPS));
  }
  return { clients, reasons };
}
