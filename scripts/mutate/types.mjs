import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Returns the ids of mutants that do not compile and so need no test. It compiles a copy with one mutant per file at a time, so
 * each error belongs to the mutant of its file.
 */
export function notTyped(root, mutants) {
  const found = [];
  const waiting = new Map();
  // Mutants of the command are not compiled: its types come from the built core.
  for (const mutant of mutants)
    if (!mutant.file.startsWith("cli/")) waiting.set(mutant.file, [...(waiting.get(mutant.file) ?? []), mutant]);
  // Beside the sources, so that it finds the same packages.
  const copy = mkdtempSync(join(root, "packages/core/.types-"));
  try {
    cpSync(join(root, "packages/core/src"), join(copy, "src"), { recursive: true });
    cpSync(join(root, "packages/core/package.json"), join(copy, "package.json"));
    const { compilerOptions } = JSON.parse(readFileSync(join(root, "tsconfig.json"), "utf8"));
    const own = JSON.parse(readFileSync(join(root, "packages/core/tsconfig.json"), "utf8")).compilerOptions;
    const options = {
      ...compilerOptions,
      ...own,
      noEmit: true,
      noUnusedLocals: false,
      noUnusedParameters: false,
      composite: false,
      incremental: true,
      tsBuildInfoFile: "info",
      rootDir: "src",
    };
    writeFileSync(join(copy, "tsconfig.json"), JSON.stringify({ compilerOptions: options, include: ["src"] }));
    /** The files with errors. */
    const wrongFiles = () => {
      const { stdout } = spawnSync(join(root, "node_modules/.bin/tsc"), ["-p", copy, "--pretty", "false"], { cwd: copy, encoding: "utf8" });
      return new Set([...stdout.matchAll(/^src\/(\S+?)\(\d+,\d+\): error/gm)].map(([, file]) => file));
    };
    const [before] = wrongFiles();
    if (before !== undefined) throw new Error(`${before} does not compile without a mutant`);
    for (let round = [...waiting.values()]; round.length > 0; round = round.filter((left) => left.length > 0)) {
      const tried = new Map(round.map((left) => [left[0].file, left.shift()]));
      for (const { file, start, end, instead } of tried.values()) {
        const text = readFileSync(join(root, "packages/core/src", file), "utf8");
        writeFileSync(join(copy, "src", file), `${text.slice(0, start)}(${instead})${text.slice(end)}`);
      }
      const wrong = wrongFiles();
      for (const [file, { id }] of tried) if (wrong.has(file)) found.push(id);
      for (const file of tried.keys()) cpSync(join(root, "packages/core/src", file), join(copy, "src", file));
    }
  } finally {
    rmSync(copy, { recursive: true });
  }
  return found;
}
