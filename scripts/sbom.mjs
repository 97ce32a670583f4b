// Lists what is inside the artefacts of a release, as CycloneDX.

import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const cwd = fileURLToPath(new URL("..", import.meta.url));

/** Everything in the lockfile. */
function everything() {
  const words = ["sbom", "--package-lock-only", "--sbom-format", "cyclonedx"];
  return JSON.parse(execFileSync("npm", words, { cwd, encoding: "utf8", shell: process.platform === "win32", maxBuffer: 1 << 28 }));
}

/** The packages whose licences a text of `noticesOf` quotes, as NAME@VERSION. */
export const packagesOf = (notices) =>
  new Set([...notices.matchAll(/^(@?[\w./-]+) (\d[\w.-]*), /gm)].map(([, name, version]) => `${name}@${version}`));

/** Returns the bill of materials of an artefact: the packages inside a bundle, or the dependencies of a library. */
export function billOf({ name, version, dependencies = {} }, bundled) {
  const { components, dependencies: edges, metadata, ...head } = everything();
  const next = new Map(edges.map(({ ref, dependsOn = [] }) => [ref, dependsOn]));
  const self = `${name}@${version}`;
  const refs = new Set(bundled ?? next.get(self)?.filter((ref) => ref.slice(0, ref.lastIndexOf("@")) in dependencies));
  if (!bundled) for (const ref of refs) for (const other of next.get(ref) ?? []) refs.add(other);
  const shown = components.filter(({ "bom-ref": ref }) => refs.has(ref));
  if (shown.length < refs.size) throw new Error(`The lockfile lacks a package of ${self}: ${[...refs].join(", ")}.`);
  const purl = `pkg:npm/${name.replace("@", "%40")}@${version}`;
  const component = { "bom-ref": self, type: bundled ? "application" : "library", name, version, purl };
  const within = [...refs].map((ref) => ({ ref, dependsOn: (next.get(ref) ?? []).filter((other) => refs.has(other)) }));
  return {
    ...head,
    metadata: { ...metadata, component },
    components: shown,
    dependencies: [{ ref: self, dependsOn: [...refs] }, ...within],
  };
}
