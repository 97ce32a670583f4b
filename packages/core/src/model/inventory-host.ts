import type { HostModel } from "./host.ts";

/** The host that an inventory says a VM is on. */
export interface HostReference {
  /** As its server refers to it: `host-21`. */
  readonly id?: string;
  readonly name?: string;
  /** The name of its vCenter, where the inventory may be of several. */
  readonly server?: string;
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
