/** An ESXi release: `5.5`, `6.7 U2`, `8.0`. A patch number does not change a topology and is not kept. */
export interface EsxiVersion {
  readonly major: number;
  readonly minor: number;
  /** The update, 0 when none is stated. */
  readonly update: number;
}

const SPELLING = /^(?:esxi?\s*)?(\d+)\.(\d+)(?:\.(\d+)|\s*u(?:pdate)?\s*(\d+))?[a-z]?$/i;

/** By major release, the minor ones there have been (Broadcom KB 316595, build numbers and versions of ESXi); of later ones there may be any. */
const MINORS: Readonly<Record<number, readonly number[]>> = { 4: [0, 1], 5: [0, 1, 5], 6: [0, 5, 7], 7: [0], 8: [0] };

/** Reads `5.5`, `6.7u2`, `6.7 U2`, `7.0.3` (= 7.0 U3); `undefined` for anything else, such as a release that never was. */
export function parseEsxi(text: string): EsxiVersion | undefined {
  const [, major, minor, ...updates] = (SPELLING.exec(text.trim()) ?? []).map(Number);
  if (major === undefined || minor === undefined || MINORS[major]?.includes(minor) === false) return undefined;
  return { major, minor, update: updates.find((update) => update > 0) ?? 0 };
}

/** Whether `version` is the release `release` or a later one. */
export function atLeast(version: EsxiVersion, release: EsxiVersion): boolean {
  const difference = version.major - release.major || version.minor - release.minor || version.update - release.update;
  return difference >= 0;
}

export function esxi(major: number, minor: number, update = 0): EsxiVersion {
  return { major, minor, update };
}

/** `6.7 U2`, `8.0`. */
export function formatEsxi({ major, minor, update }: EsxiVersion): string {
  return `${major}.${minor}${update ? ` U${update}` : ""}`;
}
