import { DISABLE } from "../formats/directive.ts";
import type { Format } from "../formats/format.ts";
import type { LintedVm } from "../lint/target.ts";
import type { FileSuppressions } from "../suppress/suppress.ts";
import type { FolderTarget } from "./folders.ts";

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
