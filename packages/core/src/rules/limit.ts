import { type Excess, excess, hardwareFor, type Limit } from "../limits/hardware.ts";
import type { HostModel } from "../model/host.ts";
import type { Located } from "../model/source.ts";

/** The data of a message about a limit of a hardware version. */
interface LimitData<Fits = number> extends Pick<Excess, "documented" | "reported"> {
  readonly value: number;
  readonly hardwareVersion: number;
  /** The largest value that every source allows. */
  readonly fits: Fits;
  /** The oldest hardware version that allows the value and runs on the host. */
  readonly newer: number | null;
}

/** Returns the finding for a value above the limits of a hardware version. */
export function beyond(limit: Limit, { value, range }: Located<number>, hardware: Located<number>, host: HostModel | undefined) {
  const over = excess(limit, value, hardware.value, host?.esxi);
  if (!over) return undefined;
  const { documented, reported, certain } = over;
  const newer = hardwareFor(limit, value, host?.esxi);
  return {
    messageId: certain ? "over" : "documented",
    data: { value, hardwareVersion: hardware.value, documented, reported, fits: documented, newer },
    at: range,
    related: [{ message: `hardware version ${hardware.value} is set here`, range: hardware.range }],
  } as const;
}

/** Returns `or upgrade to hardware version 18` if one helps. */
const orNewer = (newer: number | null): string => (newer === null ? "" : `, or upgrade to hardware version ${newer}`);

const useUpTo = (fits: number | null): string => `Use up to ${fits}`;

/** Describes a value above every documented or reported limit. */
export const overLimit =
  <Fits extends number | null = number>(words: string, todo: (fits: Fits) => string = useUpTo) =>
  ({ value, hardwareVersion, documented, reported, fits, newer }: LimitData<Fits>): string =>
    `${value} ${words} are more than hardware version ${hardwareVersion} allows: at most ${documented}${
      reported === null ? "" : ` according to the documentation, ${reported} on an ESX 9 host`
    }. ${todo(fits)}${orNewer(newer)}.`;

/** Describes a value between the documented limit and the limit that newer hosts report. */
export const overDocumentedLimit =
  <Fits extends number | null = number>(words: string, todo: (fits: Fits) => string = useUpTo) =>
  ({ value, hardwareVersion, documented, reported, fits, newer }: LimitData<Fits>): string =>
    `${value} ${words} are more than the ${documented} documented for hardware version ${hardwareVersion}; an ESX 9 host allows ${reported}, an older one may refuse. ${todo(fits)}${orNewer(newer)}.`;
