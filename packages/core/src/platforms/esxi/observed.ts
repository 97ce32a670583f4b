import type { HostModel } from "../../model/host.ts";
import { type Located, valueIfKnown } from "../../model/source.ts";
import type { Observed, SettingName, VmSpec } from "../../model/spec.ts";
import type { Workload } from "../../model/workload.ts";
import { isSure } from "./certainty.ts";
import { deriveTopology, type Topology } from "./derive.ts";

/** The observed state of a running VM, compared with its computed topology. */
export interface Comparison {
  readonly observed: Located<Observed>;
  readonly agrees: boolean;
  /** The settings of the VM that may explain a difference. */
  readonly explainedBy: readonly SettingName[];
}

/** Settings and stored values that may have changed since the VM started. */
const EXPLAIN = [
  "storedNodeSize",
  "coresPerNumaNode",
  "maxVcpusPerVnumaNode",
  "cpuHotAdd",
  "followCoresPerSocket",
] as const satisfies readonly SettingName[];

/** Compares the reported nodes and clients of a VM with its topology; `undefined` without a report, or if what it reports is uncertain. */
export function compareObserved({ observed, settings }: VmSpec, topology: Topology): Comparison | undefined {
  const { vnumaNodes, numaManaged, numaClients, threadsPerCore, certainties } = topology;
  // No source shows how a size in cores counts virtual threads.
  if (!observed || threadsPerCore > 1 || !isSure(certainties.vnumaNodes)) return undefined;
  const explainedBy = EXPLAIN.filter((name) => {
    const value = valueIfKnown<unknown>(settings[name]);
    return value !== undefined && value !== 0 && value !== false;
  });
  const { vnumaNodes: nodes, numaClients: clients } = observed.value;
  const knowsClients = numaManaged && isSure(certainties.numaClients);
  if (!nodes && !(clients && knowsClients)) return undefined;
  const agrees = (!nodes || isSame(nodes, vnumaNodes)) && (!clients || !knowsClients || isSame(clients, numaClients));
  return { observed, agrees, explainedBy };
}

/** Whether ESXi would choose the reported cores per socket, which a person may have set; `undefined` if either is unknown. */
export function agreesInSockets(vm: VmSpec, host: HostModel, workload?: Workload): boolean | undefined {
  const reported = vm.observed?.value.coresPerSocket;
  const chosen = reported === undefined ? undefined : deriveTopology(vm, host, workload, { coresPerSocket: "auto" });
  return chosen?.ok && isSure(chosen.topology.certainties.sockets) ? chosen.topology.coresPerSocket === reported : undefined;
}

const isSame = (sizes: readonly number[], others: readonly number[]): boolean => sizes.join() === others.join();
