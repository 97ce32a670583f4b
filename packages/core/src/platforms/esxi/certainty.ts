import type { Certainty } from "../../model/topology.ts";
import type { Fact, Reason } from "./layout.ts";

/** How certain each fact of a topology is. */
export interface Certainties {
  readonly sockets: Certainty;
  readonly vnumaNodes: Certainty;
  readonly numaClients: Certainty;
  readonly placement: Certainty;
}

const WEAKEST_FIRST = ["unknown", "possible", "derived"] as const;

/** A whole is as certain as the least certain of its parts. */
export const weakest = (certainties: readonly Certainty[]): Certainty =>
  WEAKEST_FIRST.find((weak) => certainties.includes(weak)) ?? "documented";

/** Whether a fact has one value. */
export const isSure = (certainty: Certainty): boolean => certainty === "documented" || certainty === "derived";

/**
 * How certain each fact is, by the reasons about it. Sockets that ESXi chooses follow the nodes. Beyond the releases that sources describe,
 * nothing is documented.
 */
export function certaintiesOf(reasons: readonly Reason[], socketsFollowNodes: boolean, isBeyondSources: boolean): Certainties {
  const limit = (certainty: Certainty): Certainty => (isBeyondSources ? weakest([certainty, "derived"]) : certainty);
  const of = (...facts: readonly Fact[]): Certainty =>
    weakest(reasons.filter(({ about }) => (about === undefined ? facts[0] !== "placement" : facts.includes(about))).map(certaintyOf));
  const sockets = weakest(reasons.filter(({ about }) => about === "sockets").map(certaintyOf));
  return {
    sockets: limit(socketsFollowNodes ? weakest([sockets, of("nodes")]) : sockets),
    vnumaNodes: limit(of("nodes")),
    numaClients: limit(of("clients")),
    placement: limit(of("placement")),
  };
}

const certaintyOf = ({ certainty, candidates }: Reason): Certainty => (certainty === "unknown" && candidates ? "possible" : certainty);
