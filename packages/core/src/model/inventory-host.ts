import type { Cell } from "./cell.ts";
import type { HostModel } from "./host.ts";
import type { Range } from "./source.ts";

/** Where a VM runs, as an inventory or a configuration says: on a host, or in a cluster. */
export interface HostReference {
  /** As its server refers to it: `host-21`. */
  readonly id?: string;
  readonly name?: string;
  /** The name of its vCenter, where the inventory may be of several. */
  readonly server?: string;
  /** The name of its cluster. */
  readonly cluster?: string;
}

/** A cluster of an inventory. */
export interface InventoryCluster {
  /** As its server refers to it: `domain-c8`. */
  readonly id: string;
  readonly name: string;
  /** The file that lists it. */
  readonly path: string;
}

/** A host of an inventory. */
export interface InventoryHost {
  readonly name: string;
  /** As its server refers to it: `host-21`. */
  readonly id?: string | undefined;
  /** The name of its cluster, or as its server refers to it. A host that stands alone has none. */
  readonly cluster?: string | undefined;
  readonly server?: string | undefined;
  /** The file that lists it. */
  readonly path: string;
  /** The place in that file; the start of the file if missing. */
  readonly at?: PlaceInFile;
  readonly model: { readonly host: HostModel } | { readonly reason: string };
}

/** A place in a text, and its cell in a table. */
interface PlaceInFile {
  readonly range: Range;
  readonly cell?: Cell;
}

/** Returns the machine of the VMs on a host of an inventory. */
export const machineOf = ({ server, path, id, name }: Pick<InventoryHost, "server" | "path" | "id" | "name">): string =>
  `inventory ${server ?? path} ${id ?? name}`;

/** A host of an inventory whose facts are known, with or without VMs. */
export interface ListedHost extends Pick<InventoryHost, "cluster" | "server" | "path" | "at"> {
  /** The `machine` of its VMs. */
  readonly machine: string;
  readonly host: HostModel;
}
