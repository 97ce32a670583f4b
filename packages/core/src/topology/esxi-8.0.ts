import { atLeast, esxi } from "../model/esxi.ts";
import type { HostModel } from "../model/host.ts";
import { DENNEMAN_2022_MEMORY } from "../model/sources.ts";
import { layout, maxPerVirtualNode } from "./esxi-6.5.ts";
import { AUTO_TOPOLOGY_HARDWARE } from "./hardware.ts";
import type { Behaviour } from "./layout.ts";

/** ESXi 8.0 and later: sized as before, with `numa.vcpu.coresPerNode` as a second way to set the size by hand. */
export const esxi80: Behaviour = {
  since: esxi(8, 0),
  virtualTopology: true,
  socketsSizeNodes: false,
  // Virtual topology is a feature of hardware version 20 (vSphere 8.0, hardware features by compatibility).
  manualSize: (size, hardware) => (hardware >= AUTO_TOPOLOGY_HARDWARE ? { coresPerNumaNode: size } : { maxVcpusPerVnumaNode: size }),
  layout: (input) => {
    const size = input.coresPerNumaNode;
    // That the size holds is read off the article's vmware.log: 12 vCPUs on 2 x 20 cores with 6 became 6+6.
    const byNode = { size, key: "numa.vcpu.coresPerNode", source: DENNEMAN_2022_MEMORY };
    return layout(input, size > 0 ? byNode : maxPerVirtualNode(input));
  },
};

/** Whether a host reads `numa.vcpu.coresPerNode`; one that is not named or does not state its release may. */
export const sizesNodesByHand = (host: HostModel | undefined): boolean => !host?.esxi || atLeast(host.esxi, esxi80.since);
