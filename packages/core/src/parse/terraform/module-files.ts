import { type Files, joinPath, type Sources } from "../../model/files.ts";
import { type BlockLabels, parseJsonSyntax } from "../hcl/json-syntax.ts";
import { parseHcl } from "../hcl/parse.ts";
import type { ReadFile } from "../hcl/project/declared.ts";

/** One file of a module, read. */
export interface ModuleFile extends ReadFile {
  /** Merged on top of the others (Terraform, files/override). */
  readonly isOverride: boolean;
}

const LABELS: BlockLabels = new Map([
  ["terraform", 0],
  ["locals", 0],
  ["variable", 1],
  ["output", 1],
  ["provider", 1],
  ["module", 1],
  ["resource", 2],
  ["data", 2],
]);

const ENDING = /\.(?:tf|tofu)(?:\.json)?$/;

/** Whether a file's name says that it is part of a module. Editors' backups are not (Terraform, IsIgnoredFile). */
export const isModuleFile = (name: string): boolean => ENDING.test(name) && !/^[.#]|~$/.test(name);

/** The files of a folder that make one module, in the order Terraform merges them. */
export function moduleFiles(folder: string, files: Files, sources: Sources): readonly ModuleFile[] {
  const names = files.list(folder).filter(isModuleFile).toSorted();
  const found = names
    .filter((name) => !isShadowed(name, names))
    .flatMap((name) => readModuleFile(joinPath(folder, name), files, sources) ?? []);
  return [...found.filter(({ isOverride }) => !isOverride), ...found.filter(({ isOverride }) => isOverride)];
}

/** OpenTofu reads `x.tofu` in place of `x.tf` beside it (OpenTofu, files: "Override files by extension"). */
const isShadowed = (name: string, names: readonly string[]): boolean =>
  name.replace(/\.tf(\.json)?$/, ".tofu$1") !== name && names.includes(name.replace(/\.tf(\.json)?$/, ".tofu$1"));

function readModuleFile(path: string, files: Files, sources: Sources): ModuleFile | undefined {
  const text = files.read(path);
  if (text === undefined) return undefined;
  const file = sources.add(path, text);
  const stem = path.slice(path.lastIndexOf("/") + 1).replace(ENDING, "");
  const parsed = path.endsWith(".json") ? parseJsonSyntax(text, LABELS) : parseHcl(text);
  return { ...parsed, file, isOverride: stem === "override" || stem.endsWith("_override") };
}
