/** An ESXi release: `5.5`, `6.7 U2`, `8.0`. A patch number does not change a topology and is not kept. */
export interface EsxiVersion {
  readonly major: number;
  readonly minor: number;
  /** The update, 0 for the release itself; null if none is stated, so that any is possible. */
  readonly update: number | null;
}

/** Also ESXi's own notation: `VMware ESXi 6.7.0 Update 3`, `VMware ESXi 8.0.2 build-22380479`, `8.0.2-22380479`, and 9.0.0.0. */
const SPELLING =
  /^(?:(?:vmware\s+)?esxi?\s*)?(\d+)\.(\d+)(?:\.(\d+)(?:\.\d+)?)?(?:\s*u(?:pdate)?\s*(\d+)|\s*(ga))?[a-z]?(?:(?:\s+build)?-\d+)?$/i;

/** The oldest release that sources of vmlint describe. */
const OLDEST = 3;

/** The minor releases of each major release (Broadcom KB 316595, build numbers and versions of ESXi); later major releases may have any. */
const MINORS: Readonly<Record<number, readonly number[]>> = { 3: [0, 5], 4: [0, 1], 5: [0, 1, 5], 6: [0, 5, 7], 7: [0], 8: [0] };

/** Before it, the third number stays 0 through all updates: ESXi 6.7 U3 calls itself 6.7.0 (the same page). */
const NUMBERS_UPDATES = 7;

/**
 * Reads `5.5`, `6.7u2`, `6.7 U2`, `7.0.3` (= 7.0 U3), `8.0 GA` (= 8.0.0); `undefined` for other texts, such as a release that does not
 * exist.
 */
export function parseEsxi(text: string): EsxiVersion | undefined {
  const [, first, second, third, spelt, ga] = SPELLING.exec(text.trim()) ?? [];
  const [major, minor] = [Number(first), Number(second)];
  if (first === undefined || major < OLDEST || MINORS[major]?.includes(minor) === false) return undefined;
  const numbered = major >= NUMBERS_UPDATES || Number(third) > 0 ? third : undefined;
  const [update, ...otherUpdates] = new Set([numbered, ga ? 0 : spelt].filter((number) => number !== undefined).map(Number));
  return otherUpdates.length > 0 ? undefined : { major, minor, update: update ?? null };
}

/** Whether `version` is at least `release`; without an update, the oldest possible one counts. */
export function atLeast(version: EsxiVersion, release: EsxiVersion): boolean {
  const difference = version.major - release.major || version.minor - release.minor || (version.update ?? 0) - (release.update ?? 0);
  return difference >= 0;
}

/** Whether `version` may be at least `release`; without an update, the newest possible one counts. */
export const maybeAtLeast = (version: EsxiVersion, release: EsxiVersion): boolean =>
  atLeast({ ...version, update: version.update ?? Number.POSITIVE_INFINITY }, release);

export function esxi(major: number, minor: number, update: number | null = null): EsxiVersion {
  return { major, minor, update };
}

/** Returns `6.7 U2`; `8.0` without a stated update, `8.0 GA` for the release itself. */
export function formatEsxi({ major, minor, update }: EsxiVersion): string {
  return `${major}.${minor}${update === null ? "" : update === 0 ? " GA" : ` U${update}`}`;
}
