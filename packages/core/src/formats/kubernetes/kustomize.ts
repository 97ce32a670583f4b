import { type FileContext, folderOf, joinPath } from "../../model/files.ts";
import { at, itemsOf, readDocuments, textOf } from "../../syntax/yaml/tree.ts";

const NAMES = ["kustomization.yaml", "kustomization.yml", "Kustomization"];

/** The folders above a patch that may have its kustomization. */
const ABOVE = 3;

/** Whether a kustomization names a file as a patch (Kubernetes, kustomize: `patches`, `patchesStrategicMerge`). */
export function isPatch({ path, files }: FileContext): boolean {
  let folder = folderOf(path);
  for (let i = 0; i < ABOVE; i++) {
    const names = files.list(folder);
    for (const name of NAMES) {
      const text = names.includes(name) ? files.read(joinPath(folder, name)) : undefined;
      if (text !== undefined && patchesIn(text).some((patch) => joinPath(folder, patch) === path)) return true;
    }
    if (folder === folderOf(folder)) return false;
    folder = folderOf(folder);
  }
  return false;
}

const patchesIn = (text: string): readonly string[] =>
  readDocuments(text).flatMap(({ root }) => [
    ...itemsOf(at(root, ["patches"])).flatMap((patch) => textOf(at(patch, ["path"])) ?? []),
    // An item may also be the patch itself.
    ...itemsOf(at(root, ["patchesStrategicMerge"])).flatMap((patch) => textOf(patch) ?? []),
  ]);
