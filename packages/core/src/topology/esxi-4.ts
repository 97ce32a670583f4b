import { esxi } from "../model/esxi.ts";
import { DENNEMAN_2011 } from "../model/sources.ts";
import { type Behaviour, documented, fill } from "./layout.ts";

/** ESX 4.x: no virtual NUMA; a VM wider than a node is cut into clients that are filled, not balanced. */
export const esxi4: Behaviour = {
  since: esxi(4, 0),
  virtualTopology: false,
  socketsSizeNodes: false,
  manualSize: () => ({}),
  layout: ({ vcpus, capacity }) => ({
    nodes: [vcpus],
    clients: fill(vcpus, capacity),
    reasons: [documented("ESX 4 has no virtual NUMA and fills one node before the next", DENNEMAN_2011)],
  }),
};
