import { sequence } from "../model/sequence.ts";
import { list } from "../model/words.ts";
import { coresPerSocketOf } from "./define.ts";

/** vCPUs that CPU hot add brings in whole sockets (CLOUD_DIRECTOR_API: a multiple of the cores per socket). */
export interface Growth {
  readonly perSocket: number;
  /** The largest count up to `most`; the current one if none is larger. */
  readonly upTo: (most: number) => number;
  /** The next counts, at most `count` of them up to `most`. */
  readonly next: (most: number, count: number) => readonly number[];
}

/** Sockets whose size ESXi chooses count as single cores. */
export function growthOf(vm: Parameters<typeof coresPerSocketOf>[0], vcpus: number): Growth {
  const stated = coresPerSocketOf(vm) ?? 1;
  const perSocket = vcpus % stated === 0 ? stated : 1;
  return {
    perSocket,
    upTo: (most) => Math.max(vcpus, Math.floor(most / perSocket) * perSocket),
    next: (most, count) => sequence(count, (i) => vcpus + (i + 1) * perSocket).filter((size) => size <= most),
  };
}

/** The settings that decide the growth. */
export const GROWTH_SETTINGS = ["coresPerSocket", "hardwareVersion"] as const;

/** Returns `in sockets of 12 (24 or 36)`, or nothing for single cores. */
export const stepWords = ({ perSocket, sizes }: { readonly perSocket: number; readonly sizes: readonly number[] }): string =>
  perSocket === 1 ? "" : ` in sockets of ${perSocket}${sizes.length > 0 ? ` (${list(sizes, "or")})` : ""}`;
