import type { Topology } from "../../platforms/esxi/derive.ts";
import type { Fill } from "./box.ts";
import { HUES } from "./picture-style.ts";
import { clientsByVcpu } from "./placement.ts";

/** Returns the fill of a vCPU: the colour of its client, or grey if no software can use it. */
export type Paint = (vcpu: number) => Fill & { readonly client: number };

export function painter(topology: Topology): Paint {
  const { numaManaged, guestUsableVcpus, vcpus } = topology;
  const usable = topology.usableVcpus ?? vcpus;
  const client = clientsByVcpu(topology);
  return (vcpu) => {
    const ownClient = numaManaged ? (client[vcpu] ?? 0) : 0;
    const { className, over } = hue(ownClient);
    const greyed = vcpu >= guestUsableVcpus ? "guest" : vcpu >= usable ? "sql" : undefined;
    if (greyed) return { className: `vcpu off o${ownClient % HUES}`, over: greyed, client: ownClient };
    return { className: `vcpu ${className}`, over, client: ownClient };
  };
}

export const hue = (client: number): Fill => ({
  className: `c${client % HUES}`,
  over: Math.floor(client / HUES) % 2 === 1 ? "stripe" : undefined,
});
