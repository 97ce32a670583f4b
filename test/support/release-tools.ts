import { existsSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./checkout.ts";

/** The packages that scripts/setup-release.sh installs. */
export const TOOLS = join(ROOT, ".release-tools/node_modules");

export const hasReleaseTools = existsSync(join(ROOT, ".release-tools/.ok"));

/** The folder of a release of Node, to go first on the PATH. */
export const nodeFolder = (major: number): string => join(TOOLS, `node${major}/bin`);
