import { sequence } from "../../model/sequence.ts";
import type { MigrationTarget } from "../importer.ts";

/** The known parts of the view of a guest on ESXi. */
export interface GuestShape {
  readonly vcpus: number;
  /** vCPUs of each socket; null if unknown. */
  readonly coresPerSocket: number | null;
  /** The vCPUs that a socket may have, if no source or no file decides. */
  readonly possibleCores?: readonly number[];
  readonly threadsPerCore: number;
  /** vCPUs of each NUMA node; null if unknown. */
  readonly nodes: readonly number[] | null;
}

/** A VM whose shape a definition keeps. */
export interface KeptVm extends GuestShape {
  readonly name: string;
  readonly coresPerSocket: number;
  readonly memoryMiB: number | undefined;
  readonly cpuHotAdd: boolean;
}

/** A definition with the view of ESXi, the parts it misses, and commands in its place; or the reason why there is none. */
export type Kept = { readonly text: string; readonly misses?: string; readonly commands?: string } | { readonly why: string };

/** A platform to leave ESXi for. */
export interface Target {
  readonly name: MigrationTarget;
  readonly title: string;
  /** The name of the format that reads its definitions, and a file name of it. */
  readonly format: string;
  readonly path: string;
  /** Returns the definition that keeps the shape of a guest. */
  readonly keep: (vm: KeptVm) => Kept;
  /** The text between two definitions in a file. */
  readonly separator: string;
  /** Returns the shape in the words of the target. */
  readonly words: (vm: KeptVm) => string;
  /** Returns a size of memory in the words of the target. */
  readonly memory: (memoryMiB: number) => string;
  /** Settings of the target in place of settings of ESXi; missing if its defaults have the same effect. */
  readonly instead: Readonly<Partial<Record<Lost, string>>>;
}

/** The settings of ESXi that no importer carries. */
export type Lost = "cpuReservation" | "memoryReservation" | "latency" | "affinity" | "cpuHotAdd" | "memoryHotAdd";

/** Sockets, cores and threads of a shape; a text if ESXi shows a part of a socket. */
export function countsOf({ vcpus, coresPerSocket, threadsPerCore }: KeptVm): { sockets: number; cores: number; threads: number } | string {
  const counts = { sockets: vcpus / coresPerSocket, cores: coresPerSocket / threadsPerCore, threads: threadsPerCore };
  return Object.values(counts).every(Number.isInteger)
    ? counts
    : `${vcpus} vCPUs are no whole number of sockets with ${coresPerSocket} vCPUs`;
}

/** Divides memory over nodes: equal parts, and the rest, unit by unit, in the first ones. */
export function partsOf(total: number, nodes: number): readonly number[] {
  const least = Math.floor(total / nodes);
  return sequence(nodes, (node) => least + (node < total - least * nodes ? 1 : 0));
}
