// Puts the built command beside the action of GitHub, which a runner starts without a build.

import { cpSync, rmSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";

const path = (relative) => fileURLToPath(new URL(relative, import.meta.url));
await import("./build.mjs");
const dist = path("../integrations/github/dist");
rmSync(dist, { recursive: true, force: true });
// What the compiler of the workspace leaves beside the command is no part of it.
const isOfCompiler = (file) => ["types", "tsconfig.tsbuildinfo"].includes(basename(file));
cpSync(path("../packages/cli/dist"), dist, { recursive: true, filter: (file) => !isOfCompiler(file) });
