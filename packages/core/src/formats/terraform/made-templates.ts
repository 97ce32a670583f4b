import { type Files, nameOf, type Sources } from "../../model/files.ts";
import { addTo, getOrInsert } from "../../model/maps.ts";
import type { VmSpec } from "../../model/spec.ts";
import { filesBelow } from "../hcl/files-below.ts";
import { parsePacker } from "../packer/packer.ts";
import type { ProjectInputs } from "../project.ts";
import type { FoundTemplate } from "./data-template.ts";

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
  const paths = filesBelow(top, files, (name) => /\.pkr\.(hcl|json)$/.test(name)).filter((path) =>
    /vsphere-|vmware-/.test(files.read(path) ?? ""),
  );
  const found = new Map<string, VmSpec[]>();
  if (paths.length === 0) return found;
  // The values of the command line are for Terraform.
  for (const vm of parsePacker(paths, files, { ...inputs, environment: {}, options: [] }, sources).vms)
    if (vm.alias !== undefined) addTo(found, vm.alias, vm);
  return found;
}
