import type { Inventory } from "../inventory/index.ts";
import type { Files } from "../model/files.ts";

/** Returns a function that reads the hosts that texts list. */
export async function inventoryReader() {
  const { hasFacts, inventoryOf, listingIn } = await import("../inventory/index.ts");
  return (listing: readonly { readonly path: string; readonly text: string }[], files: Files, aim?: string): Inventory | undefined => {
    const listings = listing.map(({ path, text }) => listingIn(text, { path, files }));
    return listings.some(hasFacts) ? inventoryOf(listings, aim) : undefined;
  };
}
