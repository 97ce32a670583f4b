import type { Range } from "../../model/source.ts";
import type { ScsiType } from "../../model/spec.ts";
import type { Type } from "../../syntax/hcl/value.ts";
import type { ResourceInstance } from "../hcl/resource-instance.ts";
import type { Arguments } from "../hcl/setting-reader.ts";
import type { Versions } from "../hcl/versions.ts";
import type { ReadResource, VmInstance } from "../hcl/vm-instance.ts";

/** A resource of the same module, with its name in references and its block. */
export interface Sibling {
  readonly name: string;
  readonly resource: ResourceInstance;
  readonly block: Range;
}

/** Returns the resources of a type in the module that Terraform plans as written; none in a plan. */
export type Siblings = (type: string) => readonly Sibling[];

/** A resource type for VMs. */
export interface ResourceType {
  /** Sources of its providers, without registry; other providers with the same name do not match. */
  readonly providers: readonly string[];
  /** Arguments that are settings unchanged. */
  readonly arguments: Arguments;
  readonly scsi?: { readonly argument: string; readonly names: Readonly<Record<ScsiType, string>> };
  /** Arguments that Terraform plans as written, with their types; references to them have that value. */
  readonly planned?: ReadonlyMap<string, Type>;
  /** Returns the value that lets ESXi choose the cores per socket, if there is one. */
  readonly automatic?: (provider: Versions) => string | undefined;
  /** Whether a resource of the type is a VM; missing if each is. */
  readonly isVm?: (resource: ResourceInstance, siblings?: Siblings) => boolean;
  readonly vm: (instance: VmInstance, provider: Versions, siblings?: Siblings) => ReadResource;
}
