import type { Expression } from "../hcl/ast.ts";
import { literalText } from "../hcl/convert.ts";
import { parseHcl } from "../hcl/parse.ts";
import type { ModuleSource } from "./module-source.ts";

/** The versions of a provider that a configuration allows; a bound that nothing sets is missing. */
export interface Versions {
  readonly least: Version | undefined;
  readonly most: Version | undefined;
}

type Version = readonly [major: number, minor: number, patch: number];

export const ANY_VERSION: Versions = { least: undefined, most: undefined };

const compare = (a: Version, b: Version): number => a[0] - b[0] || a[1] - b[1] || a[2] - b[2];

/** Whether every allowed version is `version` or later; `undefined` where some are and some are not. */
export function isAtLeast({ least, most }: Versions, version: Version): boolean | undefined {
  if (least && compare(least, version) >= 0) return true;
  return most && compare(most, version) < 0 ? false : undefined;
}

/** Reads `>= 2.4, < 3.0` (Terraform, expressions/version-constraints). */
export function parseVersions(text: string): Versions {
  let { least, most }: Versions = ANY_VERSION;
  for (const part of text.split(",")) {
    const match = /^\s*(=|!=|>=?|<=?|~>)?\s*v?(\d+)(?:\.(\d+))?(?:\.(\d+))?/.exec(part);
    if (!match) continue;
    const [, operator = "=", major = "0", minor = "0", patch = "0"] = match;
    const version: Version = [Number(major), Number(minor), Number(patch)];
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
    ? [major, minor, patch - 1]
    : minor > 0
      ? [major, minor - 1, Number.POSITIVE_INFINITY]
      : [major - 1, Number.POSITIVE_INFINITY, 0];

/** What two constraints together allow. */
export const bothVersions = (a: Versions, b: Versions): Versions => ({
  least: a.least && b.least ? (compare(a.least, b.least) > 0 ? a.least : b.least) : (a.least ?? b.least),
  most: a.most && b.most ? (compare(a.most, b.most) < 0 ? a.most : b.most) : (a.most ?? b.most),
});

/** What `required_providers` of a module says of a provider, by the last part of its source: `vmware/vsphere` and `hashicorp/vsphere`. */
export function requiredVersions({ settings }: ModuleSource, provider: string): Versions {
  let versions = ANY_VERSION;
  for (const { blocks } of settings) {
    for (const { block } of blocks) {
      if (block.type !== "required_providers") continue;
      for (const { name, value } of block.body.attributes) versions = bothVersions(versions, ofEntry(name, value, provider));
    }
  }
  return versions;
}

function ofEntry(name: string, value: Expression, provider: string): Versions {
  if (value.kind !== "object") return name === provider ? parseVersions(literalText(value) ?? "") : ANY_VERSION;
  const entries = new Map(value.items.map((item) => [literalText(item.key), literalText(item.value)]));
  const source = entries.get("source") ?? name;
  return source.slice(source.lastIndexOf("/") + 1) === provider ? parseVersions(entries.get("version") ?? "") : ANY_VERSION;
}

/** The version that `.terraform.lock.hcl` pins; `undefined` when it pins none. */
export function lockedVersion(text: string, provider: string): Versions | undefined {
  for (const { type, labels, body } of parseHcl(text).body.blocks) {
    if (type !== "provider" || !labels[0]?.value.endsWith(`/${provider}`)) continue;
    const version = body.attributes.find(({ name }) => name === "version");
    const exact = version && literalText(version.value);
    if (exact !== undefined) return parseVersions(exact);
  }
  return undefined;
}
