// The files that a package contains besides its code: LICENSE, README and the licences of bundled packages. The repository stores
// them once.

import { copyFileSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

/** Copies LICENSE and README.md into a package's folder. */
export function copyPapers(folder, names = ["LICENSE", "README.md"]) {
  for (const name of names) copyFileSync(join(ROOT, name), join(folder, name));
}

/** The licences of the packages that some files of a bundle come from. */
export function noticesOf(files) {
  const folders = new Set(files.flatMap((file) => /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(resolve(file))?.[0] ?? []));
  const notices = [...folders].map((folder) => {
    const { name, version, license, author } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    const texts = readdirSync(folder).filter((file) => /^(licen[cs]e|notice|copying)/i.test(file));
    const head = [`${name} ${version}`, license, author?.name ?? author].filter(Boolean).join(", ");
    const licences = texts.map((text) => readFileSync(join(folder, text), "utf8").trim());
    // Some name their licence and leave its text out: it is taken from their repository.
    return [head, ...(licences.length > 0 ? licences : [readFileSync(join(ROOT, "scripts/licences", `${name}.txt`), "utf8").trim()])].join(
      "\n\n",
    );
  });
  return `vmlint bundles what follows.\n\n${notices.sort().join(`\n\n${"-".repeat(80)}\n\n`)}\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) copyPapers(process.cwd());
