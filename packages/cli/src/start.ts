import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { Script } from "node:vm";

/**
 * Starts the command from V8's own form of it, which the build left beside it: compiling it anew takes about a third of a run on
 * one small file. Another release of Node refuses that form, and compiles the text.
 */
const filename = join(__dirname, "command.cjs");
const cachedData = ((): Buffer | undefined => {
  try {
    return readFileSync(join(__dirname, "command.cache"));
  } catch {
    return undefined; // A build whose last step was not run.
  }
})();
// The build writes ASCII alone: read as such, it stays one byte a character.
const script = new Script(readFileSync(filename, "latin1"), { filename, ...(cachedData && { cachedData }) });
const module = { exports: {} };
script.runInThisContext()(module.exports, createRequire(filename), module, filename, dirname(filename));

// For the build: what has been compiled by the end of a run is what the next one needs.
export const compiled = (): Buffer => script.createCachedData();
