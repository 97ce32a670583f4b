import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { spawned as vmlint } from "../support/cli.ts";
import { folder } from "../support/folder.ts";
import { defineRuleModule, pluginOf } from "../support/plugin-module.ts";

const VM = 'virtualHW.version = "19"\ndisplayName = "db"\nnumvcpus = "2"\n';

const TWO = `
  messages: { two: ({ vcpus }) => \`\${vcpus} vCPUs; write 4.\` },
  bad: [{ title: "two", vmx: 'numvcpus = "2"', expect: "two" }],
  *check({ vm }) {
    if (vm.vcpus?.value !== 2) return;
    const fixes = [{ title: "Write 4", safety: "unsafe", changes: [{ setting: "vcpus", value: 4 }] }];
    yield { messageId: "two", data: { vcpus: 2 }, at: vm.vcpus.range, fixes };
  }`;

const acme = (own = TWO) => ({ "define.mjs": defineRuleModule(), "acme.mjs": pluginOf(own) });

test("a rule of a plugin is a rule like ours: found, listed, explained, suppressed, in SARIF and in the baseline", () => {
  const cwd = folder({ ...acme(), "a.vmx": VM });
  const plugin = ["--plugin", "./acme.mjs"];
  const plain = vmlint(cwd, [...plugin]);
  expect([plain.code, plain.err]).toEqual([1, ""]);
  expect(plain.out).toContain('warning acme/two a.vmx:3:13  db\n  2 vCPUs; write 4.\n    3 | numvcpus = "2"');
  expect(vmlint(cwd, []).out).toMatch(/^Nothing found so far in 1 VM/);

  expect(vmlint(cwd, ["rules", ...plugin]).out).toMatch(/^acme\/two +warning +two vCPUs$/m);
  expect(vmlint(cwd, ["explain", "acme/two", ...plugin]).out).toContain("warning: 2 vCPUs; write 4.");
  const [run] = JSON.parse(vmlint(cwd, [...plugin, "--format", "sarif"]).out).runs;
  expect(run.tool.driver.rules).toMatchObject([{ id: "acme/two", helpUri: "https://acme.example/two" }]);
  expect(vmlint(cwd, [...plugin, "--diff", "--fix-unsafe"]).out).toContain('+numvcpus = "4"');

  expect(vmlint(cwd, [...plugin, "--update-baseline"]).code).toBe(0);
  expect(vmlint(cwd, plugin).out).toContain("1 finding hidden: 1 in the baseline.");
  const commented = folder({ ...acme(), "a.vmx": VM.replace(/(numvcpus.*)/, "$1 # vmlint-disable-line acme/two, acme/too -- so be it") });
  const said = vmlint(commented, plugin);
  expect(said.out).toContain('There is no rule "acme/too". Did you mean "acme/two"?');
  expect(said.out).not.toContain('"acme/two" is there');
  expect(said.out).toContain("1 finding hidden: 1 by comment.");
});

const END = { line: 4, column: 1, offset: VM.length };

test("a finding beyond the end of a file is at its end", () => {
  const own = TWO.replace("at: vm.vcpus.range", "at: [99999, 100000]");
  const { code, out } = vmlint(folder({ ...acme(own), "a.vmx": VM }), ["--plugin", "./acme.mjs", "--format", "compact"]);
  expect([code, out]).toEqual([1, "a.vmx:4:1: warning acme/two: 2 vCPUs; write 4.\n"]);
  const [found] = JSON.parse(vmlint(folder({ ...acme(own), "a.vmx": VM }), ["--plugin", "./acme.mjs", "--format", "json"]).out).diagnostics;
  expect(found.range).toEqual({ start: END, end: END });
});

test("a plugin that never finishes loading is reported, and no run passes without it", () => {
  const cwd = folder({ "acme.mjs": "await new Promise(() => {});\n", "a.vmx": VM });
  const { code, out, err } = vmlint(cwd, ["--plugin", "./acme.mjs", "--format", "json"]);
  expect([code, err]).toEqual([
    2,
    expect.stringMatching(/^vmlint: plugin acme\.mjs cannot be loaded: Error: it waits for a promise that never settles/),
  ]);
  expect(JSON.parse(out)).toMatchObject({ error: { code: "PLUGIN_INVALID" } });
});

test("a configuration that is named loads plugins and gives their rules severities", () => {
  const config = "plugins: [./acme.mjs]\nrules: { acme/two: error }\nsuppress: [{ rule: acme/two, vm: lab, reason: small }]\n";
  const cwd = folder({ ...acme(), "a.vmx": VM, "ci/vmlint.yaml": config.replace("./acme", "../acme"), "lab.vmx": VM.replace("db", "lab") });
  const { code, out } = vmlint(cwd, ["--config", "ci/vmlint.yaml"]);
  expect(code).toBe(1);
  expect(out).toContain("error acme/two a.vmx:3:13");
  expect(out).toContain("1 finding hidden");
  expect(vmlint(cwd, ["--print-config", "a.vmx", "--config", "ci/vmlint.yaml"]).out).toMatch(
    /^ +rules\.acme\/two +error +ci\/vmlint\.yaml:2:20$/m,
  );
});

test.each([
  [
    "that is only found",
    { "vmlint.yaml": "plugins: [./acme.mjs]\n" },
    [],
    "vmlint.yaml:1:1: plugins: loads code, so it works only if the command line names the configuration (--config vmlint.yaml) or each plugin (--plugin NAME).",
  ],
  [
    "that is extended by one that is found",
    { "vmlint.yaml": "extends: [./b.yaml]\n", "b.yaml": "plugins: [./acme.mjs]\n" },
    [],
    "b.yaml:1:1: plugins: loads code, so it works only if the command line names the configuration (--config b.yaml) or each plugin (--plugin NAME).",
  ],
  [
    "that is extended by one that is named",
    { "a.yaml": "extends: [./b.yaml]\n", "b.yaml": "plugins: [./acme.mjs]\n" },
    ["--config", "a.yaml"],
    "b.yaml:1:1: plugins: loads code, so it works only in the file that --config names, not in one it extends: write it there.",
  ],
  [
    "that is only found, with another plugin named",
    { "vmlint.yaml": "plugins: [./acme.mjs]\n" },
    ["--plugin", "./other.mjs"],
    "vmlint.yaml:1:1: plugins: loads code, so it works only if the command line names the configuration (--config vmlint.yaml) or each plugin (--plugin NAME).",
  ],
])("a configuration %s runs no code", (_, configs, args, sentence) => {
  const trap = "import { writeFileSync } from 'node:fs';\nwriteFileSync('ran', '');\nexport const rules = [];\n";
  const other = { "define.mjs": defineRuleModule(), "other.mjs": pluginOf(TWO) };
  const cwd = folder({ "acme.mjs": trap, ...other, "a.vmx": VM, ...configs });
  for (const command of [[], ["topology"], ["doctor"], ["rules"], ["--print-config", "a.vmx"], ["size", "4", "--host", "r640"]]) {
    vmlint(cwd, [...command, ...args]);
    expect(() => readFileSync(join(cwd, "ran")), command.join(" ")).toThrow("ENOENT");
  }
  expect(vmlint(cwd, args)).toMatchObject({ code: 2, out: "", err: expect.stringContaining(`vmlint: ${sentence}\n`) });
});

test("a rule of a plugin that is not loaded is named with how to load it", () => {
  const cwd = folder({ "a.vmx": VM, "vmlint.yaml": "rules: { acme/two: off }\n" });
  expect(vmlint(cwd, []).err).toBe(
    'vmlint: vmlint.yaml:1:10: There is no rule "acme/two". Did you mean "kvm/two-vcpus-one-cpu"? For a rule of a plugin, pass --plugin.\n' +
      "vmlint: vmlint.yaml: the other entries apply.\n",
  );
});

const FAILING = (throws: string) => `messages: { two: () => "two" }, bad: [], *check({ vm }) { ${throws} }`;

test.each([
  ["throws", "throw new RangeError('no such field')", "RangeError: no such field (at"],
  ["reads what is not there", "vm.nothing.value", "TypeError: Cannot read properties of undefined (reading 'value') (at"],
  ["throws what has no words", "throw Object.create(null)", "an error without words"],
  [
    "throws what fails to say its words",
    "throw Object.defineProperty(new Error(), 'message', { get() { throw 1; } })",
    "an error without words",
  ],
  ["yields no place", "yield { messageId: 'two', data: {} }", "TypeError: it yields an invalid finding at at"],
  ["yields a message it does not have", "yield { messageId: 'three', data: {}, at: vm.range }", 'TypeError: it has no message "three".'],
  [
    "yields data that is none in JSON",
    "yield { messageId: 'two', data: { toJSON() {} }, at: vm.range }",
    "TypeError: it yields an invalid finding at data",
  ],
  ["changes what the others see", "vm.vcpus.value = 99", "TypeError: Cannot assign to read only property 'value'"],
  [
    "yields what no JSON can hold",
    "yield { messageId: 'two', data: { n: 1n }, at: vm.range }",
    "TypeError: Do not know how to serialize a BigInt",
  ],
  [
    "would have a VM of -1 vCPUs",
    "yield { messageId: 'two', data: {}, at: vm.range, fixes: [{ title: 't', safety: 'safe', changes: [{ setting: 'vcpus', value: -1 }] }] }",
    "TypeError: it yields an invalid finding at fixes.0.changes.0",
  ],
])("a rule that %s is the plugin's fault: the run goes on, and fails", (_, body, words) => {
  const cwd = folder({ ...acme(FAILING(body)), "a.vmx": VM.replace('"2"', '"6"\ncpuid.coresPerSocket = "4"'), "b.vmx": VM });
  const { code, out, err } = vmlint(cwd, ["--plugin", "./acme.mjs", "--fix-unsafe"]);
  expect(err).toContain(`vmlint: rule acme/two failed. This is a bug in its plugin acme.mjs. The run continues without the rule: ${words}`);
  expect(
    err
      .trimEnd()
      .split("\n")
      .filter((line) => line.includes("acme/two")),
  ).toHaveLength(1);
  expect(out).toContain("2 checks skipped: the rule failed.");
  expect(out).toContain("2 VMs (2 files)");
  expect(code).toBe(2);
});

test.each([
  ["a promise that a check leaves", FAILING("Promise.reject(new Error('late'));"), "", "Error: late (at"],
  ["a promise that the module leaves", TWO, "Promise.reject(new Error('late'));", "Error: late (at"],
  ["something that is thrown later", TWO, "process.nextTick(() => { throw new Error('late'); });", "Error: late (at"],
  ["a promise without an error", FAILING("Promise.reject();"), "", "undefined"],
])("%s to fail is the plugin's fault: the report is complete, and the run fails", (_, own, more, words) => {
  const cwd = folder({ ...acme(own), "acme.mjs": `${pluginOf(own)}${more}`, "a.vmx": VM, "b.vmx": VM });
  const { code, out, err } = vmlint(cwd, ["--plugin", "./acme.mjs", "--format", "json"]);
  expect(err).toContain(`vmlint: a task of plugin acme.mjs failed: ${words}`);
  expect(JSON.parse(out).summary).toMatchObject({ vms: 2 });
  expect(code).toBe(2);
});

test("a late failure of a plugin appears in the reports of its run", () => {
  const cwd = folder({ ...acme(FAILING("throw 1;")), "a.vmx": VM });
  expect(vmlint(cwd, ["--plugin", "./acme.mjs", "--fail-on", "never", "--format", "json:a.report"]).code).toBe(2);
  const { skipped } = JSON.parse(readFileSync(join(cwd, "a.report"), "utf8"));
  expect(skipped).toContainEqual(expect.objectContaining({ ruleId: "acme/two", reason: "rule-failed" }));
});

test.each(["Promise.reject(new Error('late'));", "setTimeout(() => { throw new Error('late'); }, 0);"])(
  "asynchronous work fails the run too: %s",
  (late) => {
    const cwd = folder({ ...acme(FAILING(late)), "a.vmx": VM });
    expect(vmlint(cwd, ["--plugin", "./acme.mjs", "--format", "json:a.report"]).code).toBe(2);
    expect(JSON.parse(readFileSync(join(cwd, "a.report"), "utf8"))).toMatchObject({ pluginsFailed: true });
  },
);

test.each<[string, string, string]>([
  ["no rules", "export const rule = {};", "acme.mjs exports no rules: export a list named rules."],
  [
    "our prefix",
    pluginOf(`id: "numa/two", ${TWO}`),
    `acme.mjs: "numa/two" has a prefix of vmlint's rules: write your own, such as acme/two.`,
  ],
  [
    "no prefix",
    pluginOf(`id: "Two", ${TWO}`),
    `acme.mjs: "Two" is not a valid rule id: write your own prefix and a name, such as acme/wo.`,
  ],
  [
    "a page that is none",
    pluginOf(`docsUrl: "acme/two", ${TWO}`),
    'acme.mjs: rule "acme/two" is not complete: its docsUrl is not valid: "acme/two".',
  ],
  [
    "a plain object without check",
    'export const rules = [{ id: "acme/two", severity: "warning", summary: "Two vCPUs", messages: { two: "Two." } }];',
    'acme.mjs: rule "acme/two" has no check: add a function named check.',
  ],
  [
    "a plain object without severity",
    'export const rules = [{ id: "acme/two", summary: "Two vCPUs", messages: { two: "Two." }, *check() {} }];',
    'acme.mjs: rule "acme/two" is not complete: its severity is missing.',
  ],
  [
    "a message that is a number",
    'export const rules = [{ id: "acme/two", severity: "warning", summary: "Two vCPUs", messages: { two: 2 }, *check() {} }];',
    "acme.mjs: a message is neither a string nor a function that returns one.",
  ],
  [
    "a misspelt setting",
    pluginOf(`${TWO}, reads: ["vcpu"]`),
    'acme.mjs: rule "acme/two" is not complete: its reads.0 is not valid: "vcpu". Did you mean "vcpus"?',
  ],
  ["no rule", "export const rules = [7];", "acme.mjs: its rule number 1 is not complete: it is not a rule."],
  ["a rule without a check", pluginOf("messages: {}, bad: []"), 'acme.mjs: rule "acme/two" has no check: add a function named check.'],
  ["one rule twice", pluginOf(TWO).replace(/\[(.*)\];/s, "[$1, $1];"), 'acme.mjs: rule "acme/two" exists twice: rename one of the two.'],
  [
    "a rule without messages",
    pluginOf(TWO.replace("messages:", "words:")),
    'plugin acme.mjs: defineRule: rule "acme/two" needs messages, each of them a function.',
  ],
  ["a mistake", "export const rules = [", "plugin acme.mjs cannot be loaded: SyntaxError: Unexpected end of input."],
])("a plugin with %s is refused", (_, text, sentence) => {
  const cwd = folder({ "define.mjs": defineRuleModule(), "acme.mjs": text, "a.vmx": VM });
  const { code, out, err } = vmlint(cwd, ["--plugin", "./acme.mjs"]);
  expect([code, out, err.replace(/ \(at .*acme.mjs:\d+:\d+\)/, "")]).toEqual([2, "", `vmlint: ${sentence}\n`]);
});

test("an example with an unknown host is reported with its rule", () => {
  const cwd = folder(acme(TWO.replace("bad: [{", 'bad: [{ host: "r64",')));
  expect(vmlint(cwd, ["explain", "acme/two", "--plugin", "./acme.mjs"])).toEqual({
    code: 2,
    out: "",
    err: 'vmlint: An example of rule "acme/two" cannot be checked: There is no host "r64". Did you mean "r640"?\n',
  });
});

test("two plugins with the same rule, a missing file and a missing package are rejected by name", () => {
  const cwd = folder({ ...acme(), "b.mjs": pluginOf(TWO), "a.vmx": VM });
  const said = (...args: string[]) =>
    vmlint(
      cwd,
      args.flatMap((name) => ["--plugin", name]),
    ).err;
  expect(said("./acme.mjs", "./b.mjs")).toBe('vmlint: b.mjs: rule "acme/two" exists in acme.mjs too: leave one of the two plugins out.\n');
  expect(said("./c.mjs")).toBe("vmlint: plugin ./c.mjs: there is no file c.mjs: write the path of the module file.\n");
  expect(said("acme.mjs")).toBe(
    "vmlint: plugin acme.mjs: no such package is installed for this folder: install it there, or write ./acme.mjs for the file.\n",
  );
  expect(vmlint(cwd, ["--plugin", "./acme.mjs", "--plugin", "./acme.mjs"]).code).toBe(1);
  expect(vmlint(cwd, ["lsp", "--plugin", "./acme.mjs"]).err).toBe("vmlint: vmlint lsp has no --plugin: editors do not load plugins.\n");
});

test("a package is resolved from the working directory, as ES module or CommonJS", () => {
  const esm = { name: "vmlint-plugin-acme", type: "module", exports: { import: "./acme.js" } };
  const packages = "node_modules/vmlint-plugin-acme";
  const common = pluginOf(TWO.replaceAll("two", "three"))
    .replace(/import .*\n/, "")
    .replace("export const rules =", "exports.rules =")
    .replaceAll("acme/two", "acme/three");
  const cwd = folder({
    "a.vmx": VM,
    [`${packages}/package.json`]: JSON.stringify(esm),
    [`${packages}/acme.js`]: pluginOf(TWO),
    [`${packages}/define.mjs`]: defineRuleModule(),
    "node_modules/common/index.js": `const { defineRule } = require("./define.cjs");\n${common}`,
    "node_modules/common/define.cjs": defineRuleModule().replace(/export \{[^}]*\};/s, "exports.defineRule = defineRule;"),
  });
  const { out } = vmlint(cwd, ["--plugin", "vmlint-plugin-acme", "--plugin", "common", "--format", "compact"]);
  expect(out).toContain("acme/two");
  expect(out).toContain("acme/three");
});

test("a package with modules only for require is loaded, and one without any module differs from a missing one", () => {
  const exported = { "i.cjs": "exports.rules = 7;", "i.js": "" };
  const said = (name: string, manifest: object, word = name) => {
    const packages = { [`node_modules/${name}/package.json`]: JSON.stringify({ name, ...manifest }) };
    for (const [file, text] of Object.entries(exported)) packages[`node_modules/${name}/${file}`] = text;
    return vmlint(folder({ "a.vmx": VM, ...packages }), ["--plugin", word]).err;
  };
  expect(said("common", { exports: { require: "./i.cjs" } })).toMatch(/^vmlint: common exports no rules/);
  expect(said("inner", { exports: { "./rules": "./i.cjs" } })).toMatch(/^vmlint: plugin inner, installed .* No "exports" main/);
  expect(said("inner", { exports: { "./rules": "./i.cjs" } }, "inner/rules")).toMatch(/^vmlint: inner\/rules exports no rules/);
  expect(said("@acme/empty", { main: "gone.js" })).toMatch(
    /^vmlint: plugin @acme\/empty, installed for this folder, has no module to load/,
  );
  expect(said("other", {}, "acme")).toBe("vmlint: plugin acme: no such package is installed for this folder: install it there.\n");
});

test("a rule of a plugin about the VMs of one machine", () => {
  const pair = `needs: ["host"], messages: { pair: ({ vms }) => \`\${vms} VMs\` }, bad: [], over: "host",
    *check({ vms }) { yield { messageId: "pair", data: { vms: vms.length }, on: vms[1], at: vms[1].vm.vcpus.range, related: [{ on: vms[0], at: vms[0].vm.range, message: "the other" }] }; }`;
  const cwd = folder({ ...acme(pair), "a.vmx": VM, "b.vmx": VM });
  const { code, out, err } = vmlint(cwd, ["--plugin", "./acme.mjs", "--together", "--host", "r640"]);
  expect([code, err]).toEqual([1, ""]);
  expect(out).toContain("acme/two b.vmx:3:13");
  const broken = folder({ ...acme(pair.replace("on: vms[1]", "on: {}")), "a.vmx": VM, "b.vmx": VM });
  const failed = vmlint(broken, ["--plugin", "./acme.mjs", "--together", "--host", "r640"]);
  expect(failed.err).toContain("a finding is about a VM that the rule did not get");
  expect(failed.code).toBe(2);
});

test("a plain object works as a rule, without an installed package", () => {
  const plugin = `export const rules = [{
  id: "acme/two", severity: "warning", summary: "VM has 2 vCPUs", docs: "Our hosts start no such VM.", reads: ["vcpus"],
  messages: { two: "2 vCPUs are too few. Use 4." },
  *check({ vm }) {
    if (vm.vcpus?.value === 2) yield { messageId: "two", at: vm.vcpus.range };
  },
}];`;
  const cwd = folder({ "acme.mjs": plugin, "a.vmx": 'numvcpus = "2"\n', "b.vmx": 'numvcpus = "4"\n' });
  const { out, code } = vmlint(cwd, ["--plugin", "./acme.mjs", "--format", "compact"]);
  expect([code, out.match(/.*acme.*/g)]).toEqual([1, ["a.vmx:1:13: warning acme/two: 2 vCPUs are too few. Use 4."]]);
  expect(vmlint(cwd, ["--plugin", "./acme.mjs", "explain", "acme/two"]).out).toContain("Our hosts start no such VM.");
  const sarif = JSON.parse(vmlint(cwd, ["--plugin", "./acme.mjs", "--format", "sarif", "a.vmx"]).out);
  const [rule] = sarif.runs[0].tool.driver.rules.filter(({ id }: { readonly id: string }) => id === "acme/two");
  expect(rule).not.toHaveProperty("helpUri");
});

test("a plugin without a project of its own imports @vmlint/core from the command, and nothing hides a rule that is not ignorable", () => {
  const rule = `import { defineRule } from "@vmlint/core";
export const rules = [defineRule({ ...${JSON.stringify({ id: "acme/two", since: "1.0.0", severity: "warning", summary: "x", why: "x", whenNot: "x", evidence: null, sources: [], for: "any", ignorable: false, reads: ["vcpus"], good: [] })}, ${TWO} })];`;
  const cwd = folder({ "rules.mjs": rule, "a.vmx": VM.replace(/(numvcpus.*)/, "$1 # vmlint-disable-line acme/two -- known") });
  const plugin = ["--plugin", "./rules.mjs", "--format", "compact"];
  const found = expect.stringContaining("a.vmx:3:13: warning acme/two: 2 vCPUs; write 4.\n");
  expect(vmlint(cwd, plugin)).toMatchObject({ code: 1, out: found });
  expect(vmlint(cwd, [...plugin, "--update-baseline"])).toMatchObject({ code: 1, out: found });
  expect(vmlint(cwd, [...plugin, "--timing"]).err).toMatch(/^vmlint: [\d.]+ ms acme\/two, \d checks?\.$/m);
});
