import type { HostModel } from "./host.ts";

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
  readonly model: { readonly host: HostModel } | { readonly reason: string };
}
