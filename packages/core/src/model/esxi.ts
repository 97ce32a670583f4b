/** An ESXi release: `5.5`, `6.7 U2`, `8.0`. A patch number does not change a topology and is not kept. */
export interface EsxiVersion {
  readonly major: number;
  readonly minor: number;
  /** The update, 0 for the release itself; null where none is stated: any of them. */
  readonly update: number | null;
}

const SPELLING = /^(?:esxi?\s*)?(\d+)\.(\d+)(?:\.(\d+)|\s*u(?:pdate)?\s*(\d+)|\s*(ga))?[a-z]?$/i;

/** Before it the third number stays 0 through all updates: ESXi 6.7 U3 calls itself 6.7.0. */
const NUMBERS_UPDATES = 7;

/** Reads `5.5`, `6.7u2`, `6.7 U2`, `7.0.3` (= 7.0 U3), `8.0 GA` (= 8.0.0); `undefined` for anything else. */
export function parseEsxi(text: string): EsxiVersion | undefined {
  const match = SPELLING.exec(text.trim());
  if (!match) return undefined;
  const [major, minor, third, update] = [Number(match[1]), Number(match[2]), match[3], match[4] ?? (match[5] && "0")];
  const numbered = third !== undefined && (major >= NUMBERS_UPDATES || Number(third) > 0) ? third : undefined;
  const stated = update ?? numbered;
  return { major, minor, update: stated === undefined ? null : Number(stated) };
}

/** Whether `version` is the release `release` or a later one; a version of no stated update is taken for the oldest it may be. */
export function atLeast(version: EsxiVersion, release: EsxiVersion): boolean {
  const difference = version.major - release.major || version.minor - release.minor || (version.update ?? 0) - (release.update ?? 0);
  return difference >= 0;
}

/** Whether `version` may be the release `release` or a later one: a version of no stated update is taken for the newest it may be. */
export const maybeAtLeast = (version: EsxiVersion, release: EsxiVersion): boolean =>
  atLeast({ ...version, update: version.update ?? Number.POSITIVE_INFINITY }, release);

export function esxi(major: number, minor: number, update: number | null = null): EsxiVersion {
  return { major, minor, update };
}

/** `6.7 U2`; `8.0` where no update is stated, `8.0 GA` where it is none. */
export function formatEsxi({ major, minor, update }: EsxiVersion): string {
  return `${major}.${minor}${update === null ? "" : update === 0 ? " GA" : ` U${update}`}`;
}
