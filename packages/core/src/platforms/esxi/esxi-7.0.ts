import { esxi } from "../../model/esxi.ts";
import { DENNEMAN_2021_CPS } from "../../model/sources.ts";
import { esxi65, layout, maxPerVirtualNode } from "./esxi-6.5.ts";
import type { Behaviour } from "./layout.ts";

/** ESXi 7.0: sized as 6.5 does, and a log shows clients of whole virtual sockets. */
export const esxi70: Behaviour = {
  ...esxi65,
  since: esxi(7, 0),
  layout: (input) => layout(input, maxPerVirtualNode(input), { words: "seen on 7.0", source: DENNEMAN_2021_CPS }),
};
