import { rules } from "@vmlint/core";
import { pluginsIn, readConfig } from "@vmlint/core/config";
import { checkText } from "@vmlint/core/editor";
import { defaultFormat, EMPTY_CONFIG } from "@vmlint/core/program";
import { expect, test } from "vitest";

const files = { read: () => Promise.reject(new Error("ENOENT")) };
const TEXT = "plugins: [./acme.mjs]\nrules: { acme/two: off }\nsuppress: [{ rule: acme/two, reason: so be it }]\n";

test("an editor ignores plugins and settings of their rules, but checks the spelling of built-in rules", async () => {
  const config = await readConfig(TEXT, "vmlint.yaml", { ...files, plugins: "ignored" });
  expect(config.rules).toEqual({ "acme/two": "off" });
  const misspelt = readConfig("rules: { numa/wide-unevn: off }", "vmlint.yaml", { ...files, plugins: "ignored" });
  await expect(misspelt).rejects.toThrow('vmlint.yaml:1:10: There is no rule "numa/wide-unevn". Did you mean "numa/wide-uneven"?');
});

test("every reader of a configuration rejects its plugins unless the user named the file", async () => {
  await expect(readConfig(TEXT, "vmlint.yaml", files)).rejects.toThrow(/^vmlint\.yaml:1:1: plugins: loads code, so[^\n]*$/);
  await expect(readConfig(TEXT, "vmlint.yaml", { ...files, isTrusted: true })).rejects.toThrow('There is no rule "acme/two"');
  const [rule] = rules;
  const acme = rule ? [{ ...rule, id: "acme/two" }] : [];
  await expect(readConfig(TEXT, "vmlint.yaml", { ...files, isTrusted: true, plugins: acme })).resolves.toBeTruthy();
  expect(pluginsIn(TEXT, "vmlint.yaml")).toEqual(["./acme.mjs"]);
});

test("in an editor, a suppression of a plugin rule is valid, and a misspelt built-in rule is reported", () => {
  const text = 'config.version = "8"\nnumvcpus = "2" # vmlint-disable-line acme/two, numa/wide-unevn -- so be it\n';
  const { result } = checkText(text, { format: defaultFormat, config: EMPTY_CONFIG, path: "a.vmx", host: "", today: "2026-01-01" });
  expect(result.diagnostics.map(({ message }) => message)).toEqual([expect.stringContaining('"numa/wide-unevn"')]);
});
