// npm runs this after `npm install` here, and when the repository itself is installed, as pre-commit does with
// `npm install -g --install-links git+https://...`. npm then passes its --global to the install in the clone, which installs
// nothing,
// so this script installs the dependencies of the build.
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const cwd = fileURLToPath(new URL("..", import.meta.url));
const node = (...args) => execFileSync(process.execPath, args, { cwd, stdio: "inherit" });
const npm = (...args) => node(process.env.npm_execpath, ...args, "--global=false", "--ignore-scripts");

if (!existsSync(`${cwd}/node_modules`)) npm("ci", "--workspace=vmlint", "--include=dev", "--prefer-offline", "--no-audit", "--no-fund");
node("scripts/build.mjs");
// npm links a command only if its file exists, which is now the case.
npm("rebuild", "vmlint");
