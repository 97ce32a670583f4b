import { type Config, deriveTopology, requireHost, type Topology, type VmSpec, type Workload } from "@vmlint/core";
import { EMPTY_CONFIG, parseVmx } from "@vmlint/core/program";

/** The one VM of a .vmx text. */
export function vmOf(text: string): VmSpec {
  const [vm] = parseVmx(text).vms;
  if (!vm) throw new Error(`no VM in: ${text}`);
  return vm;
}

/** Returns the topology of a .vmx text on a host, given by name or short form. Fails if the topology is unknown. */
export function topologyOf(text: string, host: string, workload?: Workload, config: Config = EMPTY_CONFIG): Topology {
  const result = deriveTopology(vmOf(text), requireHost(host, config), workload);
  if (!result.ok) throw new Error(result.reasons.map((reason) => reason.text).join("; "));
  return result.topology;
}
