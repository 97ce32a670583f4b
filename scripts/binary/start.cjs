// The entry of the executable file: loads the parts of the command, which are assets in it.

const { dirname, join } = require("node:path");
const { getAssetKeys, getRawAsset } = require("node:sea");
const { constants, Script } = require("node:vm");

const folder = dirname(process.execPath);
const names = new Set(getAssetKeys());
const loaded = new Map();

function load(name) {
  if (!name.startsWith("./")) return require(name);
  const file = name.slice("./".length);
  const known = loaded.get(file);
  if (known) return known.exports;
  const form = file.replace(/\.cjs$/, ".cache");
  const text = Buffer.from(getRawAsset(file)).toString();
  const script = new Script(`(function (exports, require, module, __filename, __dirname) {${text}\n})`, {
    filename: join(folder, file),
    // A plugin is a module on the disk.
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    ...(names.has(form) && { cachedData: Buffer.from(getRawAsset(form)) }),
  });
  const part = { exports: {} };
  loaded.set(file, part);
  script.runInThisContext()(part.exports, load, part, join(folder, file), folder);
  return part.exports;
}

load("./command.cjs").run();
