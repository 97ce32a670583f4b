// What npm runs after an install in this folder, and when the repository itself is installed, as pre-commit does it:
// `npm install -g --install-links git+https://...`. That installs nothing before it (npm hands its own --global down to the install in
// the clone), so that what builds the command is fetched here.
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const cwd = fileURLToPath(new URL("..", import.meta.url));
const node = (...args) => execFileSync(process.execPath, args, { cwd, stdio: "inherit" });
const npm = (...args) => node(process.env.npm_execpath, ...args, "--global=false", "--ignore-scripts");

if (!existsSync(`${cwd}/node_modules`)) npm("ci", "--workspace=vmlint", "--include=dev", "--prefer-offline", "--no-audit", "--no-fund");
node("scripts/build.mjs");
// npm links a command only where its file is there, which it now is.
npm("rebuild", "vmlint");
