// Runs the command in this process, with the inputs of the step as its arguments. `npm run action` puts the command into dist; a release tag has it.

const { existsSync } = require("node:fs");
const { join } = require("node:path");

const { env } = process;
const lines = (input) => (env[`INPUT_${input}`] ?? "").split(/\r?\n/).filter((line) => line.trim() !== "");
const command = join(__dirname, "dist/vmlint.cjs");

if (existsSync(command)) {
  const summary = env.GITHUB_STEP_SUMMARY ? ["--format", `md:${env.GITHUB_STEP_SUMMARY}`] : [];
  // A path that begins with a dash is no option.
  process.argv.splice(2, Infinity, "--format", "github", ...summary, ...lines("ARGUMENTS"), "--", ...lines("PATHS"));
  require(command);
} else {
  console.log(
    "::error title=vmlint::This revision of the action has no command in it. Use a release tag, or run `npm run action` in vmlint first.",
  );
  process.exitCode = 2;
}
