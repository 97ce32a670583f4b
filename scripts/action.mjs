// Builds the command beside the action of GitHub, which a runner starts without a build.

import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const path = (relative) => fileURLToPath(new URL(relative, import.meta.url));
execFileSync(process.execPath, [path("build.mjs"), path("../integrations/github/dist")], { stdio: "inherit" });
