import { type Config, severitiesIn } from "../config/config.ts";
import { DISABLE } from "../formats/directive.ts";
import type { Format } from "../formats/format.ts";
import type { ParsedProject, ProjectInputs } from "../formats/project.ts";
import type { Inventory } from "../inventory/index.ts";
import type { LintOptions } from "../lint/lint.ts";
import { type LintedFile, lintProject } from "../lint/lint-project.ts";
import type { LintedVm, Target } from "../lint/target.ts";
import { type FileContext, type Files, folderOf, joinPath } from "../model/files.ts";
import type { VmSpec } from "../model/spec.ts";
import type { Rule } from "../rules/define.ts";
import type { FileSuppressions } from "../suppress/suppress.ts";

// The steps that the command, editors and the workspace share to check a file.

/** The configuration and target for the files of a folder. */
export interface FolderTarget {
  readonly config: Config;
  /** The path relative to the configuration, for its globs. */
  readonly relative: (path: string) => string;
  readonly targetOf: (vm: VmSpec, path: () => string, cluster?: string) => Target;
}

/** Returns the target of each VM of a file, and the severities for findings of a file without VMs. */
export const targetsIn = ({ config, relative, targetOf }: FolderTarget, path: string, inventory?: Inventory) =>
  ({
    target: (vm: VmSpec): Target => {
      const target = targetOf(vm, () => relative(path), vm.runsOn?.cluster ?? inventory?.clusterOf(vm, path));
      return inventory?.place(target, vm, path) ?? target;
    },
    severities: () => severitiesIn(config, () => relative(path)),
  }) satisfies Pick<LintOptions, "target" | "severities">;

/** Returns the inputs that configurations give the projects in their folders. */
export const configuredInputs = (
  configOf: (folder: string) => { readonly config: Config; readonly folder: string } | undefined,
): Pick<ProjectInputs, "valueFilesOf" | "templatesOf"> => ({
  valueFilesOf: (folder) => {
    const found = configOf(folder);
    return found?.config.varFiles?.map((file) => joinPath(found.folder, file)) ?? [];
  },
  templatesOf: (folder) => configOf(folder)?.config.assumptions?.templates ?? [],
});

/** Returns the location of a file, with the `varFiles:` and `columns:` of its configuration. */
export function contextIn(
  { config: { varFiles, columns }, relative }: Omit<FolderTarget, "targetOf">,
  path: string,
  files: Files,
): FileContext {
  const up = "../".repeat(relative(path).split("/").length - 1);
  return { path, files, valueFiles: varFiles?.map((file) => joinPath(folderOf(path), up + file)), columns };
}

/** Returns a function that reads the hosts that texts list. */
export async function inventoryReader() {
  const { hasFacts, inventoryOf, listingIn } = await import("../inventory/index.ts");
  return (listing: readonly { readonly path: string; readonly text: string }[], files: Files, aim?: string): Inventory | undefined => {
    const listings = listing.map(({ path, text }) => listingIn(text, { path, files }));
    return listings.some(hasFacts) ? inventoryOf(listings, aim) : undefined;
  };
}

/** Returns the findings of a project by file: each VM and each finding follows the configuration of its own file. */
export function checkProject(
  project: ParsedProject,
  againstAt: (path: string) => FolderTarget | undefined,
  { rules, inventory }: { readonly rules?: readonly Rule[] | undefined; readonly inventory?: Inventory | undefined } = {},
): readonly LintedFile[] {
  const target = (vm: VmSpec): Target => {
    const path = project.pathOf(vm);
    const against = againstAt(path);
    return against ? targetsIn(against, path, inventory).target(vm) : {};
  };
  const severitiesOf = (path: string) => {
    const against = againstAt(path);
    return against && targetsIn(against, path).severities();
  };
  return lintProject(project, { rules, target, severitiesOf });
}

export interface SilencedFile {
  readonly path: string;
  readonly text: string;
  readonly vms: readonly LintedVm[];
  readonly comments: Format["comments"];
  readonly against?: Omit<FolderTarget, "targetOf"> | undefined;
}

/** Returns the comments and configuration entries that may hide findings of a file. */
export function suppressionsOf({ path, text, vms, comments, against }: SilencedFile): FileSuppressions {
  const { below = [], entries = [] } = against?.config.suppress ?? {};
  const configEntries = [...below, ...entries].filter(({ inFile }) => inFile(against?.relative(path) ?? path));
  // Nearly no file has suppression comments.
  return { text, comments: text.includes(DISABLE) ? (comments?.(text, path) ?? []) : [], configEntries, vms };
}
