import { decodeVmx, type Files, type Format, type FormatEntry, plural, printable } from "@vmlint/core";
import type { Inventory } from "@vmlint/core/inventory";
import type { Chosen } from "./choose.ts";
import type { UnlessLost } from "./find-files.ts";
import { bytesOf } from "./input-bytes.ts";
import type { Io } from "./io.ts";
import { decode, toSlashes } from "./read-files.ts";

/** Returns the hosts that files list, or `undefined` if they list none; `aim` names a host or cluster of theirs for all VMs. */
export async function inventoryIn(
  files: readonly Chosen[],
  loaded: ReadonlyMap<FormatEntry, Format>,
  { files: beside, unlessLost, aim }: { readonly files: Files; readonly unlessLost: UnlessLost; readonly aim: string | undefined },
): Promise<Inventory | undefined> {
  if (files.length === 0) return undefined;
  const { inventoryOf, listingIn } = await import("@vmlint/core/inventory");
  const listings = files.flatMap((input) => {
    const format = input.format && loaded.get(input.format);
    return (
      unlessLost(input, () => listingIn(decodeVmx(bytesOf({ input, format }), decode), { path: toSlashes(input.path), files: beside })) ??
      []
    );
  });
  return listings.some(({ hosts }) => hosts.length > 0) ? inventoryOf(listings, aim) : undefined;
}

/** Prints missing hosts and assumptions about hosts to stderr, one line per kind. */
export function tellInventory(inventory: Inventory, io: Io): void {
  const assumed = new Map<string, string[]>();
  for (const { name, assumed: assumptions = [] } of inventory.usedHosts())
    for (const assumption of assumptions) assumed.set(assumption, [...(assumed.get(assumption) ?? []), name]);
  for (const [assumption, names] of assumed) io.err(`vmlint: ${printable(`${hosts(names)}: assumed ${assumption}`)}.\n`);
  const missing = [...inventory.missing()].sort(([, a], [, b]) => b - a);
  for (const [why, vms] of missing.slice(0, MOST_LINES)) io.err(`vmlint: ${printable(`${plural(vms, "VM")}: ${why}`)}.\n`);
  const rest = missing.slice(MOST_LINES);
  const vms = rest.reduce((sum, [, count]) => sum + count, 0);
  if (vms > 0)
    io.err(`vmlint: ${plural(vms, "VM")} on ${plural(rest.length, "other host")}: the inventory does not have these hosts, either.\n`);
}

/** More would bury the report. */
const MOST_LINES = 10;

const hosts = ([first = "", ...others]: readonly string[]): string =>
  others.length === 0 ? `host ${first}` : `host ${first} and ${others.length} more`;
