import type { Topology } from "../esxi/derive.ts";
import type { HostModel } from "../model/host.ts";
import type { Source } from "../model/sources.ts";
import { headline } from "../report/headline.ts";
import { onHost, reasonLine } from "../report/topology-text.ts";

/** A layout in words, for reading and copying. */
export interface LayoutText {
  readonly headline: string;
  /** The host, and the resources that the VM gets. */
  readonly facts: readonly string[];
  readonly certainty: string;
  /** The steps of the layout, each with the key of its source. */
  readonly reasons: readonly string[];
  readonly sources: readonly Source[];
}

/** Returns the content of a VM's picture in words, with the reasons. */
export const layoutTextOf = (name: string, host: HostModel, topology: Topology): LayoutText => ({
  headline: headline(name, topology, host),
  facts: onHost(topology, host),
  certainty: topology.certainty,
  reasons: topology.reasons.map(reasonLine),
  sources: [...new Set(topology.reasons.flatMap(({ source }) => source ?? []))],
});
