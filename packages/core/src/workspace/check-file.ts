import type { Config } from "../config/config.ts";
import { DISABLE } from "../formats/directive.ts";
import type { Format } from "../formats/format.ts";
import type { Inventory } from "../inventory/index.ts";
import type { LintedVm, Target } from "../lint/target.ts";
import type { Files } from "../model/files.ts";
import type { VmSpec } from "../model/spec.ts";
import type { FileSuppressions } from "../suppress/suppress.ts";

// The steps that the command, editors and the workspace share to check a file.

/** The configuration and target for the files of a folder. */
export interface FolderTarget {
  readonly config: Config;
  /** The folder of the configuration, with forward slashes, for its paths. */
  readonly folder: string;
  /** The path relative to the configuration, for its globs. */
  readonly relative: (path: string) => string;
  readonly targetOf: (vm: VmSpec, path: () => string, cluster?: string) => Target;
}

/** Returns a function that reads the hosts that texts list. */
export async function inventoryReader() {
  const { hasFacts, inventoryOf, listingIn } = await import("../inventory/index.ts");
  return (listing: readonly { readonly path: string; readonly text: string }[], files: Files, aim?: string): Inventory | undefined => {
    const listings = listing.map(({ path, text }) => listingIn(text, { path, files }));
    return listings.some(hasFacts) ? inventoryOf(listings, aim) : undefined;
  };
}

export interface SilencedFile {
  readonly path: string;
  readonly text: string;
  readonly vms: readonly LintedVm[];
  readonly comments: Format["comments"];
  readonly against?: Pick<FolderTarget, "config" | "relative"> | undefined;
}

/** Returns the comments and configuration entries that may hide findings of a file. */
export function suppressionsOf({ path, text, vms, comments, against }: SilencedFile): FileSuppressions {
  const { below = [], entries = [] } = against?.config.suppress ?? {};
  const configEntries = [...below, ...entries].filter(({ inFile }) => inFile(against?.relative(path) ?? path));
  // Nearly no file has suppression comments.
  return { text, comments: text.includes(DISABLE) ? (comments?.(text, path) ?? []) : [], configEntries, vms };
}
