import { esxi } from "../../model/esxi.ts";
import { coresPerNode } from "../../model/host.ts";
import { sequence } from "../../model/sequence.ts";
import { DENNEMAN_2016_NUMA5, DENNEMAN_2017_MEMORY, SQL55, VNUMA_ATTRIBUTES_60, VNUMA_DOC_50 } from "../../model/sources.ts";
import { plural } from "../../model/words.ts";
import {
  answered,
  type Behaviour,
  balance,
  beforeVnuma,
  belowMinimum,
  between,
  derived,
  documented,
  fitsOne,
  HOT_ADD,
  type Layout,
  type NumaInput,
  nodesOfSize,
  onlyClients,
  type Reason,
  share,
  undecided,
  withAutosize,
} from "./layout.ts";

/** ESXi 5.0 to 6.0: virtual NUMA follows the cores per socket, or the cores of a physical node when that is 1. */
export const esxi50: Behaviour = {
  since: esxi(5, 0),
  virtualTopology: false,
  socketsSizeNodes: true,
  manualSize: () => ({}),
  layout,
};

function layout(input: NumaInput): Layout {
  const { vcpus } = input;
  // Wherever its clients lie, the guest is shown one node.
  const single = (cause: Reason): Layout => {
    const { clients, reasons } = autosize(input);
    const isPlain = clients.length === 1 && reasons.every(({ certainty }) => certainty !== "unknown");
    return { nodes: [vcpus], clients, reasons: isPlain ? [cause] : [cause, ...reasons.map(onlyClients)] };
  };
  const sized = (size: number, ...causes: readonly Reason[]): Layout => {
    const { reasons, ...rest } = nodesOfSize(input, size);
    return { ...rest, reasons: [...causes, ...reasons] };
  };

  const tooOld = beforeVnuma(input);
  if (tooOld) return single(tooOld);
  if (input.cpuHotAdd) return single(HOT_ADD);
  const { minVcpus } = input;
  if (vcpus < minVcpus) {
    return single(documented(belowMinimum(vcpus, minVcpus), VNUMA_DOC_50));
  }
  const { maxPerVnumaNode } = input;
  const socket = input.coresPerSocket === "auto" ? 1 : input.coresPerSocket;
  if (maxPerVnumaNode > 0) {
    const text = `cores per socket (${socket}) also set the size of the nodes, and the documentation forbids both: no source shows which wins`;
    const candidates = [maxPerVnumaNode, socket].map((size) => {
      const { nodes, clients } = nodesOfSize(input, size);
      return { nodes, clients, source: size === socket ? VNUMA_DOC_50 : VNUMA_ATTRIBUTES_60 };
    });
    const byHand = sized(maxPerVnumaNode, documented(`numa.vcpu.maxPerVirtualNode sets nodes of ${maxPerVnumaNode}`, VNUMA_ATTRIBUTES_60));
    const isOpen = socket > 1 && socket !== maxPerVnumaNode;
    return answered(input, byHand, isOpen ? between(text, VNUMA_ATTRIBUTES_60, candidates) : undefined);
  }
  if (socket > 1) return sized(socket, documented(`cores per socket above 1 set the node size: ${socket}`, VNUMA_DOC_50));
  if (input.storedNodeSize !== undefined) {
    return sized(input.storedNodeSize, documented(`the first power-on stored nodes of ${input.storedNodeSize}`, VNUMA_ATTRIBUTES_60));
  }
  return withAutosize(input, autosize(input));
}

/** As few clients as hold the vCPUs, of equal size, each with a node. The count is not capped at the nodes of the host. */
function autosize(input: NumaInput): Layout {
  const { vcpus, capacity, host } = input;
  const count = Math.ceil(vcpus / capacity);
  const clients = share(vcpus, capacity);
  const [size = vcpus] = clients;
  const fewest = (reason: Reason): Layout => ({ nodes: clients, clients, reasons: [reason] });
  const text =
    count === 1
      ? fitsOne(vcpus, capacity)
      : `${plural(vcpus, "vCPU")} on nodes of ${capacity} make ${plural(count, "client")} of up to ${size}`;
  if (vcpus > 1 && count < host.numaNodes && !input.consolidate)
    return answered(input, { nodes: clients, clients, reasons: [] }, openSpread(text, input, clients));
  if (count === 1) return fewest(documented(text, DENNEMAN_2016_NUMA5));
  if (count > host.numaNodes && capacity < coresPerNode(host))
    return fewest(undecided(`${text}, more than the host has nodes: no source shows how many it makes`, VNUMA_ATTRIBUTES_60));
  // Where the share fills a node, "divide" and "fill" are the same; the 64-vCPU case of the study shows it.
  const isShown = vcpus % count === 0 || size === capacity;
  return fewest(isShown ? documented(text, SQL55) : derived(`${text}; uneven sizes follow from the even cases`, SQL55));
}

function openSpread(text: string, { vcpus, host }: NumaInput, clients: readonly number[]): Reason {
  const counts = sequence(host.numaNodes - clients.length, (i) => clients.length + 1 + i);
  const layouts = [clients, ...counts.map((count) => balance(vcpus, count))];
  const candidates = layouts.map((groups) => ({ nodes: groups, clients: groups, source: DENNEMAN_2017_MEMORY }));
  return between(`${text}; no source shows numa.consolidate = FALSE before 6.5`, DENNEMAN_2017_MEMORY, candidates);
}
