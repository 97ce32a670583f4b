import type { Range } from "../model/source.ts";
import { type Facts, type ProposedFix, unsafeFix, type View } from "./define.ts";

/** The settings that decide how much memory is reserved. */
export const RESERVATION_SETTINGS = ["memoryMiB", "memoryReservationMiB", "memoryReservationLocked"] as const;

/** The data of a message about a missing reservation. */
export interface Unreserved {
  readonly reservedMiB: number;
  readonly memoryMiB: number;
  /** Whether a memory limit is below the size: with a reservation above its limit, the VM does not start. */
  readonly limited: boolean;
}

/** Returns the missing memory reservation with its fixes; `undefined` if the memory is fully reserved or the size is unknown. */
export function unreserved(
  { vm, ifKnown }: { readonly vm: View<(typeof RESERVATION_SETTINGS)[number]>; readonly ifKnown: Facts["ifKnown"] },
  memoryMiB = vm.memoryMiB?.value,
): { readonly data: Unreserved; readonly at: Range; readonly fixes: readonly ProposedFix[] } | undefined {
  const reservedMiB = vm.memoryReservationMiB?.value ?? 0;
  if (memoryMiB === undefined || vm.memoryReservationLocked?.value || reservedMiB >= memoryMiB) return undefined;
  return {
    data: { reservedMiB, memoryMiB, limited: isBelow(ifKnown("memoryLimitMiB"), memoryMiB) },
    at: (vm.memoryReservationMiB ?? vm.memoryMiB)?.range ?? vm.range,
    fixes: [unsafeFix(`Reserve ${memoryMiB} MiB`, { memoryReservationMiB: memoryMiB })],
  };
}

/** Whether a limit prevents the reservation. */
export const isBelow = (limit: number | "unlimited" | undefined, reservation: number): boolean =>
  typeof limit === "number" && limit < reservation;

/** Returns `1024 of this VM's 4096 MiB of memory are reserved`, or that no memory is reserved. */
export const reservedWords = ({ reservedMiB, memoryMiB }: Unreserved): string =>
  reservedMiB === 0
    ? `None of this VM's ${memoryMiB} MiB of memory is reserved`
    : `${reservedMiB} of this VM's ${memoryMiB} MiB of memory are reserved`;

/** Returns the advice that adds the reservation. */
export const reserveWords = ({ memoryMiB, limited }: Pick<Unreserved, "memoryMiB" | "limited">): string =>
  `Reserve ${memoryMiB} MiB${limited ? ", and remove the memory limit" : ""}`;
