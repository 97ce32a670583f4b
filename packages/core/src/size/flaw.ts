import type { Topology } from "../esxi/derive.ts";
import type { HostModel } from "../model/host.ts";
import type { SettingValues } from "../model/spec.ts";
import type { Wish } from "./wish.ts";

/** What is wrong with a shape, worst first: the order in which shapes are ranked. */
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
  /** The host it holds on; null for all of them. */
  readonly host: string | null;
  /** One sentence with its numbers. */
  readonly text: string;
}

/** A shape on one host: what the flaws there are found in. */
export interface Placed {
  readonly host: HostModel;
  readonly topology: Topology;
  readonly settings: SettingValues;
  readonly wish: Wish;
}

/** A flaw of a host that is yet to be named. */
export type Found = readonly [kind: Flaw["kind"], text: string];
