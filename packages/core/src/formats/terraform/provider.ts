import type { Expression } from "../../syntax/hcl/ast.ts";
import { literalText } from "../../syntax/hcl/convert.ts";
import { parseHcl } from "../../syntax/hcl/parse.ts";
import type { ConfigBlock } from "../hcl/config-block.ts";
import type { ModuleSource } from "./module-source.ts";

/** The versions of a provider that a configuration allows; an open bound is missing. */
export interface Versions {
  readonly least: Version | undefined;
  readonly most: Version | undefined;
}

type Version = readonly [major: number, minor: number, patch: number];

export const ANY_VERSION: Versions = { least: undefined, most: undefined };

const compare = (a: Version, b: Version): number => a[0] - b[0] || a[1] - b[1] || a[2] - b[2];

/** Whether every allowed version is at least `version`; `undefined` if only some are. */
export function isAtLeast({ least, most }: Versions, version: Version): boolean | undefined {
  if (least && compare(least, version) >= 0) return true;
  return most && compare(most, version) < 0 ? false : undefined;
}

/** Reads `>= 2.4, < 3.0` (Terraform, expressions/version-constraints). */
export function parseVersions(text: string): Versions {
  let { least, most }: Versions = ANY_VERSION;
  for (const part of text.split(",")) {
    const match = /^\s*(=|!=|>=?|<=?|~>)?\s*v?(\d+)(?:\.(\d+))?(?:\.(\d+))?(-\w)?/.exec(part);
    if (!match) continue;
    const [, operator = "=", major = "0", minor = "0", patch = "0", prerelease] = match;
    // A prerelease precedes its release and follows all earlier versions.
    const version: Version = [Number(major), Number(minor), Number(patch) - (prerelease === undefined ? 0 : 0.5)];
    if (["=", ">", ">=", "~>"].includes(operator) && (!least || compare(version, least) > 0)) least = version;
    const bound: Version | undefined =
      operator === "~>"
        ? match[4] === undefined
          ? [version[0], Number.POSITIVE_INFINITY, 0]
          : [version[0], version[1], Number.POSITIVE_INFINITY]
        : ["=", "<", "<="].includes(operator)
          ? // The versions below 2.16 end with 2.15.x.
            operator === "<"
            ? before(version)
            : version
          : undefined;
    if (bound && (!most || compare(bound, most) < 0)) most = bound;
  }
  return { least, most };
}

const before = ([major, minor, patch]: Version): Version =>
  patch > 0
    ? [major, minor, Math.ceil(patch) - 1]
    : minor > 0
      ? [major, minor - 1, Number.POSITIVE_INFINITY]
      : [major - 1, Number.POSITIVE_INFINITY, 0];

/** Returns the versions that both constraints allow. */
export const bothVersions = (a: Versions, b: Versions): Versions => ({
  least: a.least && b.least ? (compare(a.least, b.least) > 0 ? a.least : b.least) : (a.least ?? b.least),
  most: a.most && b.most ? (compare(a.most, b.most) < 0 ? a.most : b.most) : (a.most ?? b.most),
});

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
