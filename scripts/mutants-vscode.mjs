// Breaks the extension on purpose, one way after the other, and runs the VS Code suite on each: every broken build must fail a test.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { bundle } from "../packages/vscode-ext/build.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));

const MUTANTS = [
  { name: "no findings", file: "extension.ts", from: "findings.set(uri, diagnostics);", to: "findings.set(uri, []);" },
  {
    name: "wrong range",
    file: "places.ts",
    from: "new Range(start.line, start.column,",
    to: "new Range(start.line, start.column + 1,",
  },
  {
    name: "wrong fix text",
    file: "features.ts",
    from: "location.range, newText);",
    to: "location.range, `${newText}0`);",
  },
  { name: "files that are not open are forgotten", file: "checker.ts", from: "system.looked.add(path);", to: "" },
  {
    name: "stale diagnostics after close",
    file: "extension.ts",
    from: "      forget(document.uri);\n      showElsewhere([document.uri.toString()]);\n",
    to: "",
  },
];

/** Changes one place of one file; a place that is not there, or there twice, is a mistake of this script. */
const breaking = ({ name, file, from, to }) => ({
  name,
  setup({ onLoad }) {
    onLoad({ filter: new RegExp(`vscode-ext[\\\\/]src[\\\\/]${file.replace(".", "\\.")}$`) }, ({ path }) => {
      const [before, after, ...others] = readFileSync(path, "utf8").split(from);
      if (after === undefined || others.length > 0) throw new Error(`${name}: ${file} does not hold its text exactly once.`);
      return { contents: before + to + after, loader: "ts" };
    });
  },
});

// Arguments: names of mutants, then after a second `--` the arguments for vitest, such as -t NAME.
const words = process.argv.slice(2);
const end = words.includes("--") ? words.indexOf("--") : words.length;
const [names, vitestArguments] = [words.slice(0, end), words.slice(end + 1)];
let survivors = 0;
for (const mutant of MUTANTS.filter(({ name }) => names.length === 0 || names.includes(name))) {
  const folder = mkdtempSync(join(tmpdir(), "vmlint-mutant-"));
  const report = join(folder, "report.json");
  try {
    await bundle([breaking(mutant)], join(folder, "dist"));
    const options = ["--bail", "1", "--no-file-parallelism", "--reporter", "json", "--outputFile", report, ...vitestArguments];
    const env = { ...process.env, VMLINT_VSCODE_DIST: join(folder, "dist") };
    spawnSync("npx", ["vitest", "run", "test/vscode", ...options], { cwd: root, env, stdio: ["ignore", "ignore", "inherit"] });
    const tests = JSON.parse(readFileSync(report, "utf8")).testResults.flatMap(({ assertionResults }) => assertionResults);
    if (!tests.some(({ status }) => status === "passed" || status === "failed")) throw new Error("No test of VS Code ran.");
    const caught = tests.find(({ status }) => status === "failed");
    if (!caught) survivors++;
    console.log(`${mutant.name}: ${caught ? `caught by "${caught.fullName}"` : "NOT CAUGHT"}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
process.exitCode = survivors > 0 ? 1 : 0;
