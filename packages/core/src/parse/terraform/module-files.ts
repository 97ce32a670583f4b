import { type Files, joinPath, type Sources } from "../../model/files.ts";
import { type BlockTypes, parseHclJson } from "../hcl/json.ts";
import { parseHcl } from "../hcl/parse.ts";
import type { ReadFile } from "../hcl/project/declared.ts";

/** One file of a module, read. */
export interface ModuleFile extends ReadFile {
  /** Merged on top of the others (Terraform, files/override). */
  readonly isOverride: boolean;
}

const LEAF = { labels: 0, blocks: {} } as const;
const DYNAMIC = { labels: 1, blocks: { content: LEAF } } as const;
const leaves = (...names: readonly string[]): BlockTypes => Object.fromEntries(names.map((name) => [name, LEAF]));

/** What is a block in JSON: those that are read, by all types of resources together. */
const BLOCKS: BlockTypes = {
  terraform: { labels: 0, blocks: leaves("required_providers") },
  locals: LEAF,
  variable: { labels: 1, blocks: {} },
  output: { labels: 1, blocks: {} },
  provider: { labels: 1, blocks: {} },
  module: { labels: 1, blocks: {} },
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

/** Whether a file's name says that it is part of a module. Editors' backups are not (Terraform, IsIgnoredFile). */
export const isModuleFile = (name: string): boolean => ENDING.test(name) && !/^[.#]|~$/.test(name);

/** The files of a folder that make one module, in the order Terraform merges them. */
export function moduleFiles(folder: string, files: Files, sources: Sources): readonly ModuleFile[] {
  const names = files.list(folder).filter(isModuleFile).toSorted();
  const tofu = new Set(names.filter((name) => name.includes(".tofu")));
  const found = names
    .filter((name) => !isShadowed(name, tofu))
    .flatMap((name) => readModuleFile(joinPath(folder, name), files, sources) ?? []);
  return [...found.filter(({ isOverride }) => !isOverride), ...found.filter(({ isOverride }) => isOverride)];
}

/** OpenTofu reads `x.tofu` in place of `x.tf` beside it (OpenTofu, files: "Override files by extension"). */
const isShadowed = (name: string, tofu: ReadonlySet<string>): boolean =>
  tofu.size > 0 && !tofu.has(name) && tofu.has(name.replace(/\.tf(\.json)?$/, ".tofu$1"));

function readModuleFile(path: string, files: Files, sources: Sources): ModuleFile | undefined {
  const text = files.read(path);
  if (text === undefined) return undefined;
  const file = sources.add(path, text);
  const stem = path.slice(path.lastIndexOf("/") + 1).replace(ENDING, "");
  const parsed = path.endsWith(".json") ? parseHclJson(text, BLOCKS) : parseHcl(text);
  return { ...parsed, file, isOverride: stem === "override" || stem.endsWith("_override") };
}
