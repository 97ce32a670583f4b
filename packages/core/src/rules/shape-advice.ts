import { plural } from "../model/words.ts";
import type { ProposedFix } from "./define.ts";

/** The advice where no shape of a count goes into a host's nodes. */
export const chooseCount = (physicalNodes: number, capacity: number): string =>
  physicalNodes === 1
    ? `Use at most ${plural(capacity, "vCPU")}.`
    : `Choose an even vCPU count that divides into at most ${physicalNodes} nodes of at most ${capacity}.`;

/** The advice where no sockets of a count are few enough. */
export const chooseForSockets = (most: number): string => `Choose a vCPU count that divides into at most ${most} sockets`;

/** Sockets of another size, or left to ESXi. */
export const setCoresPerSocket = (value: number | "auto"): ProposedFix => ({
  title: value === "auto" ? "Leave cores per socket to ESXi" : `Set ${plural(value, "core")} per socket`,
  safety: "unsafe",
  changes: [{ setting: "coresPerSocket", value }],
});

/** Another count. */
export const useVcpus = (count: number): ProposedFix => ({
  title: `Use ${plural(count, "vCPU")}`,
  safety: "unsafe",
  changes: [{ setting: "vcpus", value: count }],
});
