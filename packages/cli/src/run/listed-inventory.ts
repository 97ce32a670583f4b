import { decodeVmx, type Files, type Format, type FormatEntry } from "@vmlint/core";
import type { Inventory } from "@vmlint/core/inventory";
import type { UnlessLost } from "../files/find-files.ts";
import { bytesOf } from "../files/input-bytes.ts";
import { decode, toSlashes } from "../files/read-files.ts";
import type { Chosen } from "./choose.ts";

/** Returns the hosts that files list, or `undefined` if they list none; `aim` names a host or cluster of theirs for all VMs. */
export async function inventoryIn(
  files: readonly Chosen[],
  loaded: ReadonlyMap<FormatEntry, Format>,
  { files: beside, unlessLost, aim }: { readonly files: Files; readonly unlessLost: UnlessLost; readonly aim: string | undefined },
): Promise<Inventory | undefined> {
  if (files.length === 0) return undefined;
  const { hasFacts, inventoryOf, listingIn } = await import("@vmlint/core/inventory");
  const listings = files.flatMap((input) => {
    const format = input.format && loaded.get(input.format);
    return (
      unlessLost(input, () => listingIn(decodeVmx(bytesOf({ input, format }), decode), { path: toSlashes(input.path), files: beside })) ??
      []
    );
  });
  return listings.some(hasFacts) ? inventoryOf(listings, aim) : undefined;
}
