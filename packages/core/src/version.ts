// Written by `npm run gen` from the root package.json. Do not edit.
/**
 * The one version of all packages.
 *
 * @example
 * console.log(`vmlint ${VERSION}`);
 */
export const VERSION = "0.1.0";
/** The address of the site; undefined until the root package.json states it. */
export const HOMEPAGE: string | undefined = undefined;
/** The address where bugs are reported; undefined until the root package.json states it. */
export const BUGS: string | undefined = undefined;
/** The address of the sources; undefined until the root package.json states it. */
export const REPOSITORY: string | undefined = undefined;
