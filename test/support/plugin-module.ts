import { fileURLToPath } from "node:url";
import { once } from "@vmlint/core/program";
import { buildSync } from "esbuild";

/** The module of `defineRule` as a plugin installs it: a copy that shares no code with the command. */
export const defineRuleModule = once(() => {
  const { outputFiles } = buildSync({
    entryPoints: [fileURLToPath(new URL("../../packages/core/src/rules/define.ts", import.meta.url))],
    bundle: true,
    format: "esm",
    write: false,
  });
  return outputFiles[0]?.text ?? "";
});

/** The text of a plugin with one rule, for a folder that has `define.mjs`. */
export const pluginOf = (own: string): string => `import { defineRule } from "./define.mjs";
export const rules = [defineRule({ ...${META}, ${own} })];
`;

const META = JSON.stringify({
  id: "acme/two",
  since: "1.0.0",
  severity: "warning",
  docsUrl: "https://acme.example/two",
  summary: "two vCPUs",
  why: "Nobody needs two.",
  whenNot: "Never.",
  evidence: null,
  sources: [],
  for: "any",
  reads: ["vcpus"],
  good: [],
});
