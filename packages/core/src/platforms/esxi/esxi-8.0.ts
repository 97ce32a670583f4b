import { AUTO_TOPOLOGY_HARDWARE, FIRST_HARDWARE } from "../../limits/hardware.ts";
import { atLeast, esxi } from "../../model/esxi.ts";
import type { HostModel } from "../../model/host.ts";
import {
  DENNEMAN_2022_DEVICES,
  DENNEMAN_2022_MEMORY,
  VIRTUAL_NUMA_API,
  VM_OPERATOR,
  VNUMA_CONTROLS_67,
  VTOPO_DOC_80,
} from "../../model/sources.ts";
import { plural } from "../../model/words.ts";
import { layout, maxPerVirtualNode, sizeByHand, type WholeSockets } from "./esxi-6.5.ts";
import { type Behaviour, derived, fill, type Layout, type NumaInput, type Reason, undecided } from "./layout.ts";

/** ESXi 8.0 and later: sized as before, with `numa.vcpu.coresPerNode` as a second manual size. */
export const esxi80: Behaviour = {
  since: esxi(8, 0),
  virtualTopology: true,
  socketsSizeNodes: false,
  // Virtual topology is a feature of hardware version 20 (vSphere 8.0, hardware features by compatibility).
  manualSize: (size, vcpus, hardware) => (hardware >= AUTO_TOPOLOGY_HARDWARE ? { coresPerNumaNode: size } : sizeByHand(size, vcpus)),
  layout: (input) => {
    if (input.fixedAutoAffinity) return fixedNodes(input);
    const size = input.coresPerNumaNode;
    // The article's vmware.log shows that the size applies: 12 vCPUs on 2 x 20 cores with 6 became 6+6.
    const byNode = {
      size,
      key: "numa.vcpu.coresPerNode",
      source: DENNEMAN_2022_MEMORY,
      settle: (sized: Layout) => ({ ...sized, reasons: [...sized.reasons, ...openCoresPerNode(input)] }),
    };
    return layout(input, size > 0 ? byNode : maxPerVirtualNode(input), WHOLE_SOCKETS);
  },
};

/** The article has one example, 24 vCPUs in sockets of 12 on 2 x 20 cores, which would look the same if ESXi ignored the sockets. */
const WHOLE_SOCKETS: WholeSockets = {
  words: "seen on 7.0, and 8.0 makes the nodes by cores per socket if they are left to it",
  source: DENNEMAN_2022_DEVICES,
};

/**
 * Returns a NUMA node for each virtual socket, or a single one for automatic sockets, each kept on one physical node ("vCPUs are placed
 * equally across N = total vCPU count / CoresPerSocket virtual NUMA nodes").
 */
function fixedNodes(input: NumaInput): Layout {
  const { vcpus, coresPerSocket, hardwareVersion, nodeLimit, host } = input;
  const size = coresPerSocket === "auto" ? vcpus : coresPerSocket;
  const nodes = fill(vcpus, size);
  const text = `fixed automatic NUMA affinity keeps ${plural(nodes.length, "node")} of ${size} on as many physical nodes`;
  const first = FIRST_HARDWARE.fixedAutoAffinity;
  const reasons = [derived(text, VM_OPERATOR)];
  if ((hardwareVersion ?? first) < first)
    reasons.push(undecided(`it needs hardware version ${first}: no source shows its effect on ${hardwareVersion}`, VM_OPERATOR));
  if (nodes.length > host.numaNodes || size > nodeLimit)
    reasons.push(
      undecided(`the host has ${plural(host.numaNodes, "node")} of ${nodeLimit}: no source shows what ESXi then does`, VM_OPERATOR),
    );
  return { nodes, clients: nodes, reasons };
}

/** Returns the open questions about `numa.vcpu.coresPerNode` for a VM. */
function openCoresPerNode(input: NumaInput): readonly Reason[] {
  const { vcpus, minVcpus, hardwareVersion, threadsPerCore, coresPerNumaNode: size, maxPerVnumaNode } = input;
  const reasons: Reason[] = [];
  // The API divides "total number of cores".
  if (threadsPerCore > 1) {
    const text = `no source shows whether numa.vcpu.coresPerNode counts vCPUs or cores with cpuid.numSMT = ${threadsPerCore}`;
    reasons.push(undecided(text, VIRTUAL_NUMA_API));
  }
  if (hardwareVersion === undefined)
    reasons.push(derived(`nodes set by hand need hardware version ${AUTO_TOPOLOGY_HARDWARE}, and the VM states none`, VTOPO_DOC_80));
  if (hardwareVersion !== undefined && hardwareVersion < AUTO_TOPOLOGY_HARDWARE) {
    const text = `nodes set by hand need hardware version ${AUTO_TOPOLOGY_HARDWARE}: no source shows their effect on ${hardwareVersion}`;
    reasons.push(undecided(text, VTOPO_DOC_80));
  }
  if (maxPerVnumaNode > 0 && maxPerVnumaNode !== size)
    reasons.push(
      undecided(`numa.vcpu.maxPerVirtualNode asks for ${maxPerVnumaNode}: no source shows which of the two wins`, VNUMA_CONTROLS_67),
    );
  if (vcpus < minVcpus && size < vcpus) {
    const text = `the API accepts any size; according to the documentation of 6.7, fewer vCPUs than numa.vcpu.min (${minVcpus}) see one node`;
    reasons.push(derived(text, VIRTUAL_NUMA_API));
  }
  return reasons;
}

/** Whether a host reads `numa.vcpu.coresPerNode`; a host without a stated release may. */
export const readsCoresPerNode = (host: HostModel | undefined): boolean => !host?.esxi || atLeast(host.esxi, esxi80.since);

/** Whether the option makes nodes as documented; for older virtual hardware no source describes its effect. */
export const sizesNodesByHand = (host: HostModel | undefined, hardwareVersion: number | undefined): boolean =>
  readsCoresPerNode(host) && (hardwareVersion ?? AUTO_TOPOLOGY_HARDWARE) >= AUTO_TOPOLOGY_HARDWARE;
