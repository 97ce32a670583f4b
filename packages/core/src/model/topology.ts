import type { Source } from "./sources.ts";

/**
 * How certain a fact is. `documented`: stated by documentation or visible in a published guest, log or screenshot. `derived`: follows from
 * documented facts by a rule that no source confirms for this case. `possible`: no source decides between the listed cases. `unknown`: no
 * source decides it or lists cases.
 *
 * @example
 * const isSure = (certainty: Certainty) => certainty === "documented";
 */
export type Certainty = "documented" | "derived" | "possible" | "unknown";

/** A step of an answer, with its source. */
export interface Step {
  readonly text: string;
  readonly source: Source | null;
  readonly certainty: Exclude<Certainty, "possible">;
}

/** The view of a guest on any platform. */
export interface GuestView {
  readonly vcpus: number;
  readonly sockets: number;
  /** vCPUs of each socket. */
  readonly coresPerSocket: number;
  /** vCPUs of each virtual core. */
  readonly threadsPerCore: number;
  /** vCPUs of each virtual NUMA node; with one element, the guest sees no NUMA. Empty if they are unknown. */
  readonly vnumaNodes: readonly number[];
  /** The sets behind the counts; missing if vCPUs fill sockets and nodes in order. */
  readonly sets?: GuestSets;
  /** The vCPUs within the limits of a declared SQL Server edition and licence; null if the declaration leaves it undecided. */
  readonly usableVcpus: number | null;
  /** The vCPUs within the socket limit of the guest OS. */
  readonly guestUsableVcpus: number;
  /** The certainty of its least certain fact. */
  readonly certainty: Certainty;
  readonly certainties: { readonly sockets: Certainty; readonly vnumaNodes: Certainty };
  readonly reasons: readonly Step[];
}

/** Which vCPUs belong together. */
export interface GuestSets {
  /** The most vCPUs after hot plug; null if the cluster decides. */
  readonly possibleVcpus: number | null;
  /** Cores that the guest sees in each socket; missing if all sockets are alike, null if they differ. */
  readonly cores?: number | null;
  /** The vCPUs of each socket; missing if vCPUs fill sockets in order. */
  readonly sockets?: readonly (readonly number[])[];
  /** In the order of the guest. A node may be interleaved, or have no vCPU. */
  readonly nodes: readonly GuestNode[];
  /** The vCPUs of each shared L3 cache; null if unknown. */
  readonly sharedL3: readonly (readonly number[])[] | null;
  /** The host CPU of each vCPU; null if the VM is not pinned or the host is unknown. */
  readonly placement: readonly number[] | null;
  /** Missing without pins. */
  readonly pins?: GuestPins | undefined;
}

/** The host CPUs that the threads of a VM may use. */
export interface GuestPins {
  /** The CPUs of each vCPU by its number; without an entry it may use any. */
  readonly vcpus: ReadonlyMap<number, readonly number[]>;
  /** Threads that run no vCPU, in words: `emulator threads`. */
  readonly others: readonly { readonly name: string; readonly cpus: readonly number[] }[];
}

interface GuestNode {
  readonly vcpus: readonly number[];
  readonly memoryMiB: number | null;
  readonly hostNodes?: readonly number[] | undefined;
}
