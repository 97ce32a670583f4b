import { type Files, joinPath, nameOf, type Sources } from "../../model/files.ts";
import type { Problem } from "../../model/problem.ts";
import { type BlockTypes, parseHclJson } from "../../syntax/hcl/hcl-json.ts";
import { parseHcl } from "../../syntax/hcl/parse.ts";
import type { ReadFile } from "../hcl/config-block.ts";
import { duplicateArgumentsIn, duplicateNamesIn } from "../hcl/duplicate-arguments.ts";

/** A parsed file of a module. */
export interface ModuleFile extends ReadFile {
  /** Whether it overrides the other files (Terraform, files/override). */
  readonly isOverride: boolean;
  /** Problems for duplicate arguments of its VM resources and module calls, and for duplicate locals. */
  readonly duplicates: readonly Problem[];
}

const LEAF = { labels: 0, blocks: {} } as const;
const DYNAMIC = { labels: 1, blocks: { content: LEAF } } as const;
const leaves = (...names: readonly string[]): BlockTypes => Object.fromEntries(names.map((name) => [name, LEAF]));

/** The blocks in JSON, with the nested blocks of all resource types. */
const BLOCKS: BlockTypes = {
  terraform: { labels: 0, blocks: { ...leaves("required_providers", "cloud"), backend: { labels: 1, blocks: {} } } },
  locals: LEAF,
  variable: { labels: 1, blocks: {}, strings: "plain" },
  output: { labels: 1, blocks: {} },
  provider: { labels: 1, blocks: {} },
  module: { labels: 1, blocks: leaves("lifecycle") },
  data: { labels: 2, blocks: {} },
  resource: {
    labels: 2,
    blocks: {
      dynamic: DYNAMIC,
      ...leaves("lifecycle", "clone", "ovf_deploy", "disk", "network_interface", "virtual_disks", "network_interfaces"),
      ...leaves("network", "override_template_disk", "internal_disk", "set_extra_config"),
    },
  },
};

const ENDING = /\.(?:tf|tofu)(?:\.json)?$/;

/** Whether a file name belongs to a module. Backups of editors do not (Terraform, IsIgnoredFile). */
export const isModuleFile = (name: string): boolean => ENDING.test(name) && !/^[.#]|~$/.test(name);

/**
 * Returns the files of a module in the order that Terraform merges them; `wanted` selects the resource types. Each file is parsed on
 * demand, so that the caller processes it while it is in the processor cache.
 */
export function* moduleFiles(folder: string, files: Files, sources: Sources, isWanted: (type: string) => boolean): Iterable<ModuleFile> {
  const names = files.list(folder).filter(isModuleFile).toSorted();
  const tofu = new Set(names.filter((name) => name.includes(".tofu")));
  const overrides: ModuleFile[] = [];
  for (const name of names) {
    const file = isShadowed(name, tofu) ? undefined : readModuleFile(joinPath(folder, name), files, sources, isWanted);
    if (file?.isOverride) overrides.push(file);
    else if (file) yield file;
  }
  yield* overrides;
}

/** OpenTofu reads `x.tofu` instead of `x.tf` in the same folder (OpenTofu, files: "Override files by extension"). */
const isShadowed = (name: string, tofu: ReadonlySet<string>): boolean =>
  tofu.size > 0 && !tofu.has(name) && tofu.has(name.replace(/\.tf(\.json)?$/, ".tofu$1"));

function readModuleFile(path: string, files: Files, sources: Sources, isWanted: (type: string) => boolean): ModuleFile | undefined {
  const text = files.read(path);
  if (text === undefined) return undefined;
  const file = sources.add(path, text);
  const stem = nameOf(path).replace(ENDING, "");
  // In JSON, a duplicate object is two blocks.
  const isJson = path.endsWith(".json");
  const { body, comments, errors } = isJson ? parseHclJson(text, BLOCKS) : parseHcl(text);
  const blocks = body.blocks.filter(({ type, labels }) => type === "module" || (type === "resource" && isWanted(labels[0]?.value ?? "")));
  const duplicates = isJson
    ? []
    : [...blocks.flatMap((block) => [...duplicateArgumentsIn(block.body, file)]), ...duplicateNamesIn(body, file, { variables: false })];
  return { body, comments, errors, file, isOverride: stem === "override" || stem.endsWith("_override"), duplicates };
}
