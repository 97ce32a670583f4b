import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { CONFIG_NAMES } from "@vmlint/core/program";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { vmlint } from "../support/cli.ts";
import { folder } from "../support/folder.ts";

const EXTENSION = fileURLToPath(new URL("../../packages/vscode-ext", import.meta.url));
const { contributes } = JSON.parse(readFileSync(join(EXTENSION, "package.json"), "utf8"));

interface Association {
  readonly fileMatch: string | readonly string[];
  readonly url: string;
}

const associations: readonly Association[] = [...contributes.jsonValidation, ...contributes.yamlValidation];

test("the problem matcher reads only the findings of a task, each with its place", () => {
  const [{ pattern }] = contributes.problemMatchers;
  const [{ regexp }] = pattern as readonly [{ readonly regexp: string }];
  const vm = `virtualHW.version = "10"\ndisplayName = "web01"\nnumvcpus = "8"\nsched.cpu.affinity = "0-7"\n`;
  const two = ["a", "b"].map(
    (name) => `apiVersion: vmlint.dev/v1\nkind: VirtualMachine\nmetadata: { name: ${name} }\nspec: { vcpus: four }\n`,
  );
  const cwd = folder({ "prod vms/a.vmx": vm, "two.yaml": two.join("---\n"), "vmlint.yaml": "host: dl580g7\n" });
  const lines = vmlint(cwd, ["--format", "compact"]).out.split("\n");
  const found = lines.flatMap((line) => new RegExp(regexp).exec(line)?.slice(1) ?? []);
  expect(found).toEqual([
    ...["prod vms/a.vmx", "4", "23", "warning", "affinity/ht-siblings", expect.stringMatching(/^8 vCPUs are pinned to 8 /)],
    ...["4", "9"].flatMap((line) => ["two.yaml", line, "16", "error", "spec/type", expect.stringContaining("four")]),
  ]);
});

test("every file that may be a configuration has a schema, and no schema comes from the network", () => {
  const named = associations.flatMap(({ fileMatch }) => fileMatch);
  expect(named).toEqual(expect.arrayContaining(CONFIG_NAMES));
  for (const { url } of associations) expect(url).toMatch(/^\.\/schemas\/[a-z-]+\.schema\.json$/);
});

test("each step of the walkthrough has a picture of its own, and the page's pictures exist", () => {
  const steps: readonly { readonly media: { readonly image: string } }[] = contributes.walkthroughs[0].steps;
  const ofSteps = steps.map(({ media }) => media.image);
  expect(new Set(ofSteps).size).toBe(steps.length);
  const page = readFileSync(join(EXTENSION, "README.md"), "utf8");
  const ofPage = [...page.matchAll(/!\[[^\]]+\]\(([^)]+)\)/g)].map(([, image = ""]) => image);
  expect(ofPage.length).toBeGreaterThan(2);
  for (const image of [...ofSteps, ...ofPage]) expect(readFileSync(join(EXTENSION, image)).toString("latin1", 0, 4), image).toBe("\x89PNG");
});

test.skipIf(!existsSync(join(EXTENSION, "schemas")))(
  "the package contains the schemas of the project, and package.json's schema covers only its key",
  () => {
    const schemaFor = (file: string) => {
      const url = associations.find(({ fileMatch }) => [fileMatch].flat().includes(file))?.url ?? "";
      return new Ajv2020({ strict: false }).compile(JSON.parse(readFileSync(join(EXTENSION, url), "utf8")));
    };
    const [ofPackage, ofJson] = [schemaFor("package.json"), schemaFor("vmlint.json")];
    expect([{ name: "x", private: true }, { vmlint: { host: "r640" } }, { vmlint: { hots: {} } }].map((json) => ofPackage(json))).toEqual([
      true,
      true,
      false,
    ]);
    expect([{ rules: { "numa/wide-uneven": "off" } }, { rules: { "numa/wide-uneven": "of" } }].map((json) => ofJson(json))).toEqual([
      true,
      false,
    ]);
  },
);
