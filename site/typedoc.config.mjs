// The reference of @vmlint/core, as scripts/docs.mjs has it made. TypeDoc takes the TypeScript installed here, as it does not yet read with 7.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const core = new URL("../packages/core/", import.meta.url);
const { exports } = JSON.parse(readFileSync(new URL("package.json", core), "utf8"));
const path = (relative) => fileURLToPath(new URL(relative, core));
/** Public entry -> its file. */
const entries = Object.entries(exports).flatMap(([entry, { types }]) =>
  types ? [[entry, types.replace("./dist/", "./src/").replace(".d.ts", ".ts")]] : [],
);
/** What TypeDoc calls the module of a file -> what it is imported as. */
const names = new Map(
  entries.map(([entry, file]) => [file.slice("./src/".length).replace(/(\/index)?\.ts$/, ""), `@vmlint/core${entry.slice(1)}`]),
);

function named({ converter }) {
  converter.on("resolveBegin", ({ project }) => {
    for (const module of project.children ?? []) module.name = names.get(module.name) ?? module.name;
  });
}

export default {
  entryPoints: entries.map(([, file]) => path(file)),
  tsconfig: path("tsconfig.json"),
  out: fileURLToPath(new URL(".generated/public/api", import.meta.url)),
  name: "@vmlint/core",
  readme: "none",
  disableSources: true,
  treatWarningsAsErrors: true,
  // Its page names interfaces in another way than the links that lead to it.
  includeHierarchySummary: false,
  // Types that public ones are made of, and that nobody imports.
  plugin: ["typedoc-plugin-missing-exports", named],
};
