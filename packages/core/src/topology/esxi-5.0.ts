import { esxi } from "../model/esxi.ts";
import { DENNEMAN_2016_NUMA5, SQL55, VNUMA_ATTRIBUTES_60, VNUMA_DOC_50 } from "../model/sources.ts";
import { type Behaviour, backEach, derived, documented, fill, type Layout, type NumaInput, type Reason } from "./layout.ts";

/** ESXi 5.0 to 6.0: virtual NUMA follows the cores per socket, or the cores of a physical node when that is 1. */
export const esxi50: Behaviour = {
  since: esxi(5, 0),
  virtualTopology: false,
  socketsSizeNodes: true,
  manualSize: () => ({}),
  layout,
};

/** Also what 6.5 and later do under `numa.vcpu.followcorespersocket = 1`. */
export function layout(input: NumaInput): Layout {
  const { vcpus, capacity, minVcpus } = input;
  const { clients, reason } = autosize(vcpus, capacity);
  const single = (why: Reason): Layout => ({ nodes: [vcpus], clients, reasons: clients.length > 1 ? [why, reason] : [why] });
  const sized = (size: number, why: Reason): Layout => {
    const nodes = fill(vcpus, size);
    return { nodes, clients: backEach(nodes, capacity), reasons: [why] };
  };

  if (input.hardwareVersion !== undefined && input.hardwareVersion < 8) {
    return single(documented(`hardware version ${input.hardwareVersion} is older than 8, the first with virtual NUMA`, VNUMA_DOC_50));
  }
  if (input.cpuHotAdd) {
    return single(documented("CPU hot add is on, so the guest sees one node", VNUMA_ATTRIBUTES_60));
  }
  if (vcpus < minVcpus) {
    return single(documented(`${vcpus} vCPUs are fewer than numa.vcpu.min (${minVcpus}), so the guest sees one node`, VNUMA_DOC_50));
  }
  if (input.maxPerVnumaNode > 0) {
    return sized(
      input.maxPerVnumaNode,
      documented(`numa.vcpu.maxPerVirtualNode sets nodes of ${input.maxPerVnumaNode}`, VNUMA_ATTRIBUTES_60),
    );
  }
  if (input.coresPerSocket !== "auto" && input.coresPerSocket > 1) {
    return sized(input.coresPerSocket, documented(`cores per socket above 1 set the node size: ${input.coresPerSocket}`, VNUMA_DOC_50));
  }
  if (input.storedNodeSize !== undefined) {
    return sized(input.storedNodeSize, documented(`the first power-on stored nodes of ${input.storedNodeSize}`, VNUMA_ATTRIBUTES_60));
  }
  return { nodes: clients, clients, reasons: [reason] };
}

/** As few clients as hold the vCPUs, of equal size. The count is not capped at the nodes of the host. */
function autosize(vcpus: number, capacity: number): { clients: readonly number[]; reason: Reason } {
  const count = Math.ceil(vcpus / capacity);
  const size = Math.ceil(vcpus / count);
  const clients = fill(vcpus, size);
  if (count === 1) return { clients, reason: documented(`${vcpus} vCPUs fit one node of ${capacity}`, DENNEMAN_2016_NUMA5) };
  const text = `${vcpus} vCPUs on nodes of ${capacity} make ${count} clients of up to ${size}`;
  // Where the share fills a node, "divide" and "fill" are the same; the 64-vCPU case of the study shows it.
  const certain = vcpus % count === 0 || size === capacity;
  return { clients, reason: certain ? documented(text, SQL55) : derived(`${text}; uneven sizes follow from the even cases`, SQL55) };
}
