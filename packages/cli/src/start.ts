import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Script } from "node:vm";

/*
 * Starts the command from code that V8 compiled during the build, next to the command. Without it, a run on one .tf with a
 * vmlint.yaml takes nearly twice as long. Another release of Node rejects that code and compiles the text.
 */

// node:module would load all of Node's code for ES modules.
const Module = module.constructor as new (filename: string) => NodeJS.Module;
const scripts = new Map<string, Script>();

/** Loads a part of the command from its compiled code, or like Node if it has none. */
function load(name: string): unknown {
  if (!name.startsWith("./")) return require(name);
  const filename = join(__dirname, name);
  const loaded = require.cache[filename];
  if (loaded) return loaded.exports;
  const cachedData = readForm(formOf(filename));
  if (!cachedData) return require(name);
  const script = new Script(Buffer.concat([BEFORE, readFileSync(filename), BEHIND]).toString(), { filename, cachedData });
  scripts.set(filename, script);
  const part = new Module(filename);
  require.cache[filename] = part;
  script.runInThisContext()(part.exports, load, part, filename, dirname(filename));
  part.loaded = true;
  return part.exports;
}

/** As Node wraps a CommonJS module. Joined as bytes: texts that are joined are copied once more before they are compiled. */
const BEFORE = Buffer.from("(function (exports, require, module, __filename, __dirname) {");
const BEHIND = Buffer.from("\n})");

const formOf = (filename: string): string => `${filename.slice(0, -"cjs".length)}cache`;

function readForm(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}

(load("./command.cjs") as typeof import("./bin.ts")).run();

/** Returns the code compiled during this run, by the path for its cache file. The build stores it for later runs. */
export const compiled = (): ReadonlyMap<string, Buffer> =>
  new Map([...scripts].map(([filename, script]) => [formOf(filename), script.createCachedData()]));
