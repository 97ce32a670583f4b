import { type Config, deriveTopology, EMPTY_CONFIG, parseVmx, requireHost, type Topology, type VmSpec, type Workload } from "@vmlint/core";

/** The one VM of a .vmx text. */
export function vmOf(text: string): VmSpec {
  const [vm] = parseVmx(text).vms;
  if (!vm) throw new Error(`no VM in: ${text}`);
  return vm;
}

/** The topology of a .vmx text on a host by name or short form; fails where there is none. */
export function topologyOf(text: string, host: string, workload?: Workload, config: Config = EMPTY_CONFIG): Topology {
  const result = deriveTopology(vmOf(text), requireHost(host, config), workload);
  if (!result.ok) throw new Error(result.reasons.map((reason) => reason.text).join("; "));
  return result.topology;
}
