import { describe, expect, test } from "vitest";
import { COMMANDS, OPTIONS } from "../../packages/cli/src/args/options.ts";
import { formats } from "../../packages/core/src/formats/index.ts";
import { lintVm, rules } from "../../packages/core/src/index.ts";
import { parseWorkload, WORKLOAD_KINDS } from "../../packages/core/src/model/workload.ts";
import { REPORT_FORMATS } from "../../packages/core/src/report/reporters/formats.ts";
import { PRESETS } from "../../packages/core/src/rules/preset-names.ts";
import { vmlint } from "../support/cli.ts";
import { folder } from "../support/folder.ts";

const VM = 'numvcpus = "4"\n';
const said = (...args: string[]): string => vmlint(folder({ "a.vmx": VM }), args).err;
const ofComment = (comment: string): string => vmlint(folder({ "a.vmx": `# ${comment}\n${VM}` }), []).out;
const ofConfig = (config: string): string => vmlint(folder({ "a.vmx": VM, "vmlint.yaml": config }), []).err;
const ofError = (run: () => unknown): string => {
  try {
    return String(run());
  } catch (error) {
    return String(error);
  }
};
const ids = rules.map(({ id }) => id);

/** Every place where a name can be misspelt: its names, and its answer to another word. */
const DOORS: Readonly<Record<string, readonly [names: readonly string[], answer: (word: string) => string | Promise<string>]>> = {
  command: [COMMANDS, said],
  option: [Object.keys(OPTIONS), (word) => said(`--${word}`)],
  "--format": [Object.keys(REPORT_FORMATS), (word) => said("--format", word)],
  "--format-in": [formats.map(({ name }) => name), (word) => said("--format-in", word, "a.vmx")],
  "--workload": [WORKLOAD_KINDS, (word) => said("size", "8", "--workload", word)],
  explain: [ids, (word) => said("explain", word)],
  schema: [["output", "spec", "config"], (word) => said("schema", word)],
  "rules of a configuration": [ids, (word) => ofConfig(`rules:\n  ${word}: off\n`)],
  "suppressions of a configuration": [ids, (word) => ofConfig(`suppress:\n  - { rule: ${word}, reason: a }\n`)],
  "presets of a configuration": [PRESETS, (word) => ofConfig(`extends: [${word}]\n`)],
  "workload of a configuration": [WORKLOAD_KINDS, (word) => ofConfig(`workload: { kind: ${word} }\n`)],
  "workload of a comment": [WORKLOAD_KINDS, (word) => ofComment(`vmlint: workload=${word}`)],
  "rule of a comment": [ids, (word) => ofComment(`vmlint-disable-file ${word} -- a`)],
  "rule of the library": [ids, (word) => ofError(() => lintVm({}, { severities: { [word]: "off" } }))],
  "option of the library": [["host", "workload", "severities"], (word) => ofError(() => lintVm({}, { [word]: 1 }))],
  "workload of the library": [WORKLOAD_KINDS, (word) => String(parseWorkload(word))],
};

/** Typing errors, parts and initial letters, with a part of the name that is meant. */
const WORDS: readonly (readonly [word: string, meant: string])[] = [
  ["topolgy", "topology"],
  ["Completoin", "completion"],
  ["test", "test-rules"],
  ["unsafe", "fix-unsafe"],
  ["fu", "fix-unsafe"],
  ["warnings", "max-warnings"],
  ["sarfi", "sarif"],
  ["sqlserver", "mssql"],
  ["postgres", "postgresql"],
  ["sap", "hana"],
  ["fault-tolerance", "ft"],
  ["nmua", "numa"],
  ["numa", "numa/"],
  ["cps", "cps"],
  ["align", "misaligned"],
  ["ht-siblings", "affinity/ht-siblings"],
  ["Siblings", "affinity/ht-siblings"],
  ["ht_sibligns", "affinity/ht-siblings"],
];

describe.each(Object.entries(DOORS))("%s", (_, [names, answer]) => {
  test("a typing error, a part and initial letters of a name lead to it", async () => {
    for (const [word, meant] of WORDS)
      if (!names.includes(word) && names.some((name) => name.includes(meant))) expect(await answer(word), word).toContain(meant);
  });

  test("each name is found for a slip of the finger", async () => {
    for (const name of names.slice(0, 20).filter(({ length }) => length > 4)) {
      const slip = `${name.slice(0, -2)}${name.at(-1)}${name.at(-2)}`;
      if (slip !== name) expect(await answer(slip), slip).toMatch(new RegExp(`Did you mean [^?]*${name}`));
    }
  });
});

test("help for a misspelt command names the command", () => {
  expect(vmlint(folder({}), ["topolgy", "--help"])).toMatchObject({
    code: 2,
    err: expect.stringContaining("Did you mean vmlint topology?"),
  });
});
