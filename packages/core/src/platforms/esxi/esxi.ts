import type { HostModel } from "../../model/host.ts";
import type { GuestView } from "../../model/topology.ts";
import type { Answer, Platform } from "../platform.ts";
import { deriveTopology, TOPOLOGY_SETTINGS, type Topology } from "./derive.ts";

export const esxi: Platform = {
  name: "esxi",
  runs: () => true,
  settings: TOPOLOGY_SETTINGS,
  needsHost: true,
  hostHint: "--host 2x16x2:512@8.0 for 2 sockets x 16 cores x 2 threads, 512 GiB, ESXi 8.0. vmlint init writes it down",
  // The host is there, because the view needs one.
  answer: (vm, host, workload, override) => deriveTopology(vm, host as HostModel, workload, override),
};

/** Returns the topology of a VM on ESXi; `undefined` for another platform, or without one. */
export const topologyIn = (answer: Answer | undefined): Topology | undefined =>
  answer?.ok && isOnEsxi(answer.topology) ? answer.topology : undefined;

const isOnEsxi = (view: GuestView): view is Topology => "esxi" in view;
