import type { Topology } from "../../esxi/derive.ts";
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
    const own = numaManaged ? (client[vcpu] ?? 0) : 0;
    const { className, over } = hue(own);
    const greyed = vcpu >= guestUsableVcpus ? "guest" : vcpu >= usable ? "sql" : undefined;
    if (greyed) return { className: `vcpu off o${own % HUES}`, over: greyed, client: own };
    return { className: `vcpu ${className}`, over, client: own };
  };
}

export const hue = (client: number): Fill => ({
  className: `c${client % HUES}`,
  over: Math.floor(client / HUES) % 2 === 1 ? "stripe" : undefined,
});
