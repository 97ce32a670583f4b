import type { GuestView } from "../../model/topology.ts";
import type { Topology } from "../../platforms/esxi/derive.ts";
import type { Fill } from "./box.ts";
import { HUES } from "./picture-style.ts";
import { clientsByVcpu } from "./placement.ts";

/** Returns the fill of a vCPU: the colour of its client or node, or grey if no software can use it. */
export type Paint = (vcpu: number) => Fill & { readonly client: number };

/** Paints vCPUs, which have numbers from 0, in the colours of their groups. */
export function painter(
  { guestUsableVcpus, usableVcpus, vcpus }: Pick<GuestView, "guestUsableVcpus" | "usableVcpus" | "vcpus">,
  groupOf: (vcpu: number) => number,
): Paint {
  const usable = usableVcpus ?? vcpus;
  return (vcpu) => {
    const group = groupOf(vcpu);
    const { className, over } = hue(group);
    const greyed = vcpu >= guestUsableVcpus ? "guest" : vcpu >= usable ? "sql" : undefined;
    if (greyed) return { className: `vcpu off o${group % HUES}`, over: greyed, client: group };
    return { className: `vcpu ${className}`, over, client: group };
  };
}

/** Paints the vCPUs of a layout in the colours of their NUMA clients. */
export function clientPainter(topology: Topology): Paint {
  const clients = clientsByVcpu(topology);
  return painter(topology, (vcpu) => (topology.numaManaged ? (clients[vcpu] ?? 0) : 0));
}

export const hue = (client: number): Fill => ({
  className: `c${client % HUES}`,
  over: Math.floor(client / HUES) % 2 === 1 ? "stripe" : undefined,
});
