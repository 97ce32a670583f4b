import type { HostModel } from "../model/host.ts";
import type { Source } from "../model/sources.ts";
import type { GuestView } from "../model/topology.ts";
import { isSure } from "../platforms/esxi/certainty.ts";
import type { Topology } from "../platforms/esxi/derive.ts";
import type { PossibleTopologies } from "../platforms/esxi/possible.ts";
import { caseLines, certaintyWords, headline, possibleHeadline, stateWords } from "../report/headline.ts";
import { pinLines } from "../report/pins-text.ts";
import { guestHeadline, onHost, reasonLine } from "../report/topology-text.ts";

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
export function layoutTextOf(name: string, host: HostModel, layout: Topology | PossibleTopologies): LayoutText {
  if ("cases" in layout) return possibleText(host, layout);
  return {
    headline: headline(name, layout, host),
    facts: onHost(layout, host),
    certainty: layout.certainty,
    reasons: layout.reasons.map(reasonLine),
    sources: [...new Set(layout.reasons.flatMap(({ source }) => source ?? []))],
  };
}

/** Returns the view of a guest in words, if its definition decides it. */
export const guestTextOf = (view: GuestView): LayoutText => ({
  headline: guestHeadline(view),
  facts: pinLines(view, MOST_PINS),
  certainty: view.certainty,
  reasons: view.reasons.map(reasonLine),
  sources: [...new Set(view.reasons.flatMap(({ source }) => source ?? []))],
});

const MOST_PINS = 32;

function possibleText(host: HostModel, result: PossibleTopologies): LayoutText {
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
