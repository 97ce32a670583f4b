import type { HostModel } from "../../model/host.ts";
import type { VmSpec } from "../../model/spec.ts";
import { deriveTopology, type Topology } from "./derive.ts";
import { storedNodeSize } from "./input.ts";

/** A node size from an earlier power-on, compared with the size for this host. */
export interface StoredSize {
  readonly size: number;
  /** Whether the guest sees the same nodes as it would without the stored size. */
  readonly fits: boolean;
  /** The layout without it. */
  readonly anew: Topology;
}

/** Returns null without a stored size, or if it is no longer valid. `topology` is the VM's own on that host. */
export function storedSize(vm: VmSpec, host: HostModel, topology: Topology): StoredSize | null {
  const size = storedNodeSize(vm, topology.vcpus);
  if (size === undefined) return null;
  // A stored size without its cookie does not count.
  const result = deriveTopology(vm, host, undefined, { storedCookie: 0 });
  return result.ok ? { size, anew: result.topology, fits: result.topology.vnumaNodes.join() === topology.vnumaNodes.join() } : null;
}
