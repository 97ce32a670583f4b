import { isSure } from "../esxi/certainty.ts";
import type { PossibleTopologies } from "../esxi/possible.ts";
import type { HostModel } from "../model/host.ts";
import type { Source } from "../model/sources.ts";
import { caseLines, certaintyWords, possibleHeadline, stateWords } from "../report/headline.ts";
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

/** Returns the content of a VM's picture in words, with the reasons. Several possible layouts are listed. */
export function layoutTextOf(host: HostModel, result: PossibleTopologies): LayoutText {
  const { cases, certainties } = result;
  const [{ topology }] = cases;
  const reasons = [...new Map(cases.flatMap((one) => one.topology.reasons).map((reason) => [reason.text, reason])).values()];
  const possible = cases.length > 1 ? [...caseLines(result), stateWords(result)].filter((line) => line !== "") : [];
  return {
    headline: possibleHeadline(result, host),
    facts: [...possible, ...(isSure(certainties.numaClients) ? onHost(topology, host) : [])],
    certainty: certaintyWords(result),
    reasons: reasons.map(reasonLine),
    sources: [...new Set([...reasons, ...cases].flatMap(({ source }) => source ?? []))],
  };
}
