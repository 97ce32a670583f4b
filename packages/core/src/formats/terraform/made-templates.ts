import { type Files, joinPath, nameOf, type Sources } from "../../model/files.ts";
import { addTo, getOrInsert } from "../../model/maps.ts";
import type { VmSpec } from "../../model/spec.ts";
import { parsePacker } from "../packer/packer.ts";
import type { ProjectInputs } from "../project.ts";
import type { FoundTemplate } from "./data-template.ts";

/** More folders of a repository are not searched for sources of Packer. */
const MOST_FOLDERS = 3000;
const MOST_DEPTH = 8;

/** Rare names in a folder: those whose ending is not a number. */
const IS_FILE = /\.[a-z]\w*$/i;

/** Folders that tools fill. */
const NEVER = new Set(["node_modules", "vendor"]);

/** Returns a function that finds a template by its name: in the configuration of a folder, and among the sources of Packer around it. */
export function templateFinder({ topOf, templatesOf, ...inputs }: ProjectInputs, files: Files, sources: Sources) {
  const byTop = new Map<string, ReadonlyMap<string, readonly VmSpec[]>>();
  return (folder: string, name: string): FoundTemplate | undefined => {
    const names = [name, nameOf(name)];
    const stated = templatesOf?.(folder).findLast(({ matches }) => names.some(matches));
    const top = topOf?.(folder);
    const made =
      top === undefined ? undefined : getOrInsert(byTop, top, () => templatesBelow(top, inputs, files, sources)).get(nameOf(name));
    return stated || made ? { stated, made: made ?? [] } : undefined;
  };
}

/** Returns the VMs that sources of Packer make, by name. */
function templatesBelow(top: string, inputs: ProjectInputs, files: Files, sources: Sources): ReadonlyMap<string, readonly VmSpec[]> {
  const paths = sourcesBelow(top, files);
  const found = new Map<string, VmSpec[]>();
  if (paths.length === 0) return found;
  // The values of the command line are for Terraform.
  for (const vm of parsePacker(paths, files, { ...inputs, environment: {}, options: [] }, sources).vms)
    if (vm.alias !== undefined) addTo(found, vm.alias, vm);
  return found;
}

function sourcesBelow(top: string, files: Files): readonly string[] {
  const paths: string[] = [];
  let folders = [top];
  let remaining = MOST_FOLDERS;
  for (let depth = 0; depth < MOST_DEPTH && folders.length > 0; depth++) {
    const below: string[] = [];
    for (const folder of folders) {
      if (remaining-- <= 0) return paths;
      for (const name of files.list(folder)) {
        const path = joinPath(folder, name);
        if (/\.pkr\.(hcl|json)$/.test(name)) {
          if (/vsphere-|vmware-/.test(files.read(path) ?? "")) paths.push(path);
        } else if (!name.startsWith(".") && !NEVER.has(name) && !IS_FILE.test(name)) below.push(path);
      }
    }
    folders = below;
  }
  return paths;
}
