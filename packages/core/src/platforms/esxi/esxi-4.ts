import { esxi } from "../../model/esxi.ts";
import { DENNEMAN_2010_ESX41, DENNEMAN_2011 } from "../../model/sources.ts";
import { type Behaviour, documented, fill, fitsOne } from "./layout.ts";

/** ESX 4.1: no virtual NUMA; a VM wider than a node is split into clients that are filled, not balanced. */
export const esxi41: Behaviour = {
  since: esxi(4, 1),
  virtualTopology: false,
  socketsSizeNodes: false,
  manualSize: () => ({}),
  layout: ({ vcpus, capacity }) => ({
    nodes: [vcpus],
    clients: fill(vcpus, capacity),
    reasons: [documented("ESX 4 has no virtual NUMA and fills one node before the next", DENNEMAN_2011)],
  }),
};

/** ESX 3.5 and 4.0: a VM is one client, or none if it is wider than a node. */
export const esxi40: Behaviour = {
  ...esxi41,
  since: esxi(4, 0),
  layout: ({ vcpus, capacity }) => {
    const managed = vcpus <= capacity;
    const wide = `ESX before 4.1 has no virtual NUMA and leaves a VM wider than a node of ${capacity} out of NUMA scheduling`;
    const text = managed ? fitsOne(vcpus, capacity) : wide;
    return { nodes: [vcpus], clients: [vcpus], managed, reasons: [documented(text, DENNEMAN_2010_ESX41)] };
  },
};
