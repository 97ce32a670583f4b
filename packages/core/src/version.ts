/** One version for all packages; a test holds it against every package.json. */
export const VERSION = "0.1.0";
