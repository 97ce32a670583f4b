import type { Topology } from "../esxi/derive.ts";
import type { HostModel } from "../model/host.ts";
import type { Source } from "../model/sources.ts";
import { headline } from "../report/headline.ts";
import { onHost, reasonLine } from "../report/topology-text.ts";

/** A layout in words, for those who read or copy rather than look. */
export interface LayoutText {
  readonly headline: string;
  /** The host, and what the VM gets of it. */
  readonly facts: readonly string[];
  readonly certainty: string;
  /** The steps to it, each with the key of its source. */
  readonly reasons: readonly string[];
  readonly sources: readonly Source[];
}

/** What the picture of a VM on a host shows, and why it is so. */
export const layoutTextOf = (name: string, host: HostModel, topology: Topology): LayoutText => ({
  headline: headline(name, topology, host),
  facts: onHost(topology, host),
  certainty: topology.certainty,
  reasons: topology.reasons.map(reasonLine),
  sources: [...new Set(topology.reasons.flatMap(({ source }) => source ?? []))],
});
