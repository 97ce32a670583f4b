/** The versions of a provider or a plugin that a configuration allows; an open bound is missing. */
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
