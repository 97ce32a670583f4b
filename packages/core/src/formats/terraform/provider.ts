import type { Expression } from "../../syntax/hcl/ast.ts";
import { literalText } from "../../syntax/hcl/convert.ts";
import { parseHcl } from "../../syntax/hcl/parse.ts";
import type { ConfigBlock } from "../hcl/config-block.ts";
import { ANY_VERSION, bothVersions, parseVersions, type Versions } from "../hcl/versions.ts";
import type { ModuleSource } from "./module-source.ts";

interface Required {
  readonly source: string;
  readonly version: string;
}

/** Returns the provider of a resource. */
export function providerOf({ labels: [type = ""], attributes }: ConfigBlock, module: ModuleSource): string {
  const name = rootName(attributes.get("provider")?.value) ?? type.split("_", 1)[0] ?? "";
  return requiredIn(module).get(name)?.source ?? shortSource(name);
}

/** `provider = vsphere.dr`; a text in JSON. */
function rootName(reference: Expression | undefined): string | undefined {
  if (reference?.kind === "attribute") return rootName(reference.of);
  return reference && literalText(reference)?.split(".", 1)[0];
}

/**
 * Returns `vmware/vsphere` for any registry, because mirrors use their own. A single name is HashiCorp's (Terraform,
 * providers/requirements, "Source Addresses").
 */
export const shortSource = (source: string): string => ["hashicorp", ...source.split("/")].slice(-2).join("/");

/**
 * Returns `vmware/vsphere` for any registry, because mirrors use their own. A single name is HashiCorp's (Terraform,
 * providers/requirements, "Source Addresses").
 */
function requiredIn({ settings }: ModuleSource): ReadonlyMap<string, Required> {
  const blocks = settings.flatMap((setting) => setting.blocks.filter(({ block }) => block.type === "required_providers"));
  return new Map(blocks.flatMap(({ block }) => block.body.attributes.map(({ name, value }) => [name, requiredBy(name, value)] as const)));
}

function requiredBy(name: string, value: Expression): Required {
  if (value.kind !== "object") return { source: shortSource(name), version: literalText(value) ?? "" };
  const entries = new Map(value.items.map((item) => [literalText(item.key), literalText(item.value)]));
  return { source: shortSource(entries.get("source") ?? name), version: entries.get("version") ?? "" };
}

/** Returns the combined constraints of all modules: Terraform uses one version of a provider. */
export const requiredVersions = (modules: readonly ModuleSource[], source: string): Versions =>
  modules
    .flatMap((module) => [...requiredIn(module).values()])
    .filter((required) => required.source === source)
    .map(({ version }) => parseVersions(version))
    .reduce(bothVersions, ANY_VERSION);

/** Returns the version that `.terraform.lock.hcl` pins; `undefined` if it pins none. */
export function lockedVersion(text: string, source: string): Versions | undefined {
  for (const { type, labels, body } of parseHcl(text).body.blocks) {
    if (type !== "provider" || shortSource(labels[0]?.value ?? "") !== source) continue;
    const version = body.attributes.find(({ name }) => name === "version");
    const exact = version && literalText(version.value);
    if (exact !== undefined) return parseVersions(exact);
  }
  return undefined;
}
