// Builds the command into the folder of the GitHub Action, because a runner starts an action without a build.

import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const path = (relative) => fileURLToPath(new URL(relative, import.meta.url));
execFileSync(process.execPath, [path("build.mjs"), path("../integrations/github/dist")], { stdio: "inherit" });
