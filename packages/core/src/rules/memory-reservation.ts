import type { Range } from "../model/source.ts";
import type { Facts, ProposedFix, View } from "./define.ts";

/** The settings that say how much of its memory a VM has for certain. */
export const RESERVATION_SETTINGS = ["memoryMiB", "memoryReservationMiB", "memoryReservationLocked"] as const;

/** What a message about a missing reservation prints. */
export interface Unreserved {
  readonly reservedMiB: number;
  readonly memoryMiB: number;
  /** Whether a limit is in the way: with a reservation above it the VM does not start. */
  readonly limited: boolean;
}

/** How a VM lacks a full memory reservation, and what would give it one; `undefined` where it has it, or its size is not known. */
export function unreserved(
  { vm, ifKnown }: { readonly vm: View<(typeof RESERVATION_SETTINGS)[number]>; readonly ifKnown: Facts["ifKnown"] },
  memoryMiB = vm.memoryMiB?.value,
): { readonly data: Unreserved; readonly at: Range; readonly fixes: readonly ProposedFix[] } | undefined {
  const reservedMiB = vm.memoryReservationMiB?.value ?? 0;
  if (memoryMiB === undefined || vm.memoryReservationLocked?.value || reservedMiB >= memoryMiB) return undefined;
  return {
    data: { reservedMiB, memoryMiB, limited: isBelow(ifKnown("memoryLimitMiB"), memoryMiB) },
    at: (vm.memoryReservationMiB ?? vm.memoryMiB)?.range ?? vm.range,
    fixes: [{ title: `Reserve ${memoryMiB} MiB`, safety: "unsafe", changes: [{ setting: "memoryReservationMiB", value: memoryMiB }] }],
  };
}

/** Whether a limit keeps a reservation from being made. */
export const isBelow = (limit: number | "unlimited" | undefined, reservation: number): boolean =>
  typeof limit === "number" && limit < reservation;

/** `1024 of this VM's 4096 MiB of memory are reserved`, or that none is. */
export const reservedWords = ({ reservedMiB, memoryMiB }: Unreserved): string =>
  reservedMiB === 0
    ? `None of this VM's ${memoryMiB} MiB of memory is reserved`
    : `${reservedMiB} of this VM's ${memoryMiB} MiB of memory are reserved`;

/** What makes up for it. */
export const reserveWords = ({ memoryMiB, limited }: Pick<Unreserved, "memoryMiB" | "limited">): string =>
  `Reserve ${memoryMiB} MiB${limited ? ", and remove the memory limit" : ""}`;
