import { esxi } from "../model/esxi.ts";
import { layout } from "./esxi-6.5.ts";
import type { Behaviour } from "./layout.ts";

/** ESXi 8.0 and later: sized as before, with `numa.vcpu.coresPerNode` as a second way to set the size by hand. */
export const esxi80: Behaviour = {
  since: esxi(8, 0),
  virtualTopology: true,
  layout: (input) =>
    input.coresPerNumaNode > 0
      ? layout(input, input.coresPerNumaNode, "numa.vcpu.coresPerNode")
      : layout(input, input.maxPerVnumaNode, "numa.vcpu.maxPerVirtualNode"),
};
