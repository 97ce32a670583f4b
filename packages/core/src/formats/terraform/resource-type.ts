import type { ScsiType } from "../../model/spec.ts";
import type { Type } from "../../syntax/hcl/value.ts";
import type { Arguments } from "../hcl/reader.ts";
import type { Instanced, ReadResource } from "../hcl/vm.ts";
import type { Versions } from "./provider.ts";

/** A type of resource that is a VM. */
export interface ResourceType {
  /** The sources of its providers, without their registry: others of that name are not known. */
  readonly providers: readonly string[];
  /** Arguments that are settings as they are. */
  readonly arguments: Arguments;
  readonly scsi?: { readonly argument: string; readonly names: Readonly<Record<ScsiType, string>> };
  /** Arguments of which Terraform plans what is written, with their types: references to them have that value. */
  readonly planned?: ReadonlyMap<string, Type>;
  /** What says that ESXi chooses the cores per socket, if anything does. */
  readonly automatic?: (provider: Versions) => string | undefined;
  readonly vm: (instance: Instanced, provider: Versions) => ReadResource;
}
