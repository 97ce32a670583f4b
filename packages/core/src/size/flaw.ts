import type { Topology } from "../esxi/derive.ts";
import type { HostModel } from "../model/host.ts";
import type { SettingValues } from "../model/spec.ts";
import type { SizeRequest } from "./request.ts";

/** The flaws of candidates, worst first; candidates are ranked in this order. */
export const FLAWS = [
  "no-power-on",
  "exceeds-hardware",
  "refused-by-sql-server",
  "memory-exceeds-host",
  "more-vcpus-than-cores",
  "fault-tolerance",
  "unsupported-node",
  "licence",
  "no-hana-size",
  "memory-beyond-share",
  "more-clients-than-nodes",
  "client-exceeds-node",
  "uneven",
  "odd",
  "hidden-nodes",
  "socket-spans-nodes",
  "moves",
  "member-exceeds-node",
  "memory-remote",
  "unknown",
] as const;

export interface Flaw {
  readonly kind: (typeof FLAWS)[number];
  /** The host with the flaw; null for all hosts. */
  readonly host: string | null;
  /** One sentence with its numbers. */
  readonly text: string;
}

/** A candidate on one host. */
export interface HostCandidate {
  readonly host: HostModel;
  readonly topology: Topology;
  readonly settings: SettingValues;
  readonly request: SizeRequest;
}

/** A flaw on a host that is added later. */
export type FlawText = readonly [kind: Flaw["kind"], text: string];
