import { applyEdits, builtinHosts, requireHost, rules } from "@vmlint/core";
import { parseConfig, readConfigTyped } from "@vmlint/core/config";
import { configLanguage } from "@vmlint/core/config-language";
import { configSchema } from "@vmlint/core/config-schema";
import { PRESETS } from "@vmlint/core/program";
import { specSchema } from "@vmlint/core/spec-schema";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { yamlLanguage } from "../../packages/core/src/formats/yaml/language.ts";
import { pageNamed } from "../support/rule-pages.ts";

/** `|` is where the cursor is. */
function complete(marked: string, path = "vmlint.yaml") {
  const offset = marked.indexOf("|");
  const text = marked.slice(0, offset) + marked.slice(offset + 1);
  return { text, items: configLanguage(path).complete(text, offset) };
}

const labels = (marked: string, path?: string) => complete(marked, path).items.map(({ label }) => label);

/** The text after choosing an item, with its placeholders filled in as an editor would. */
function chosen(marked: string, label: string, path?: string): string {
  const { text, items } = complete(marked, path);
  const item = items.find((one) => one.label === label);
  if (!item) throw new Error(`${label} is not offered`);
  const indent = /[ ]*$/.exec(/.*$/.exec(text.slice(0, item.range[0]))?.[0]?.replace(/\S.*$/, "") ?? "")?.[0] ?? "";
  const newText = item.snippet
    .replaceAll("\n", `\n${indent}`)
    .replace(/\$\{1\|([^,|]*)[^|]*\|\}/, "$1")
    .replace("$0", "|")
    .replace(/\\([\\$}])/g, "$1");
  return applyEdits(text, [{ range: item.range, newText }]);
}

describe("keys of a configuration are completed", () => {
  const top = Object.keys((configSchema as { properties: object }).properties);

  test.each([
    ["in an empty file", "|", top],
    ["those that are not there yet", "host: lab\nrules: {}\n|", top.filter((key) => key !== "host" && key !== "rules")],
    ["behind a byte order mark", "\ufeffhost: lab\n|", top.filter((key) => key !== "host")],
    ["while one is typed", "host: lab\nover|", top.filter((key) => key !== "host")],
    ["of a host", "hosts:\n  lab:\n    esxi: '8.0'\n    |\nhost: lab\n", undefined, ["cpu", "from"], ["esxi", "overrides"]],
    ["of a kubelet", "hosts:\n  node:\n    kvm:\n      kubernetes:\n        cpuManager: static\n        |", ["options", "reservedCpus"]],
    ["of a host in braces", "hosts: { lab: { esxi: '8.0', |", undefined, ["cpu", "from"], ["esxi", "overrides"]],
    ["of an item of a list", "overrides:\n  - |", ["files", "vms", "cluster", "host", "workload", "rules"]],
    ["of an item that goes on", "overrides:\n  - vms: [a]\n    |", ["files", "cluster", "host", "workload", "rules"]],
    ["of a rule", "rules:\n  |", rules.map(({ id }) => id)],
    ["of a workload that is nested", "overrides:\n  - workload:\n      kind: mssql\n      |", undefined, ["edition", "maxdop"], ["kind"]],
    ["of package.json, below vmlint alone", '{ "name": "x", "vmlint": { "|" } }', top],
  ] as const)("%s", (_, marked, all, some: readonly string[] = [], none: readonly string[] = []) => {
    const offered = labels(marked, marked.startsWith("{") ? "package.json" : undefined);
    if (all) expect(offered).toEqual(all);
    expect(offered).toEqual(expect.arrayContaining([...some]));
    for (const label of none) expect(offered).not.toContain(label);
  });

  test.each([
    ["a word", "ho|", "host", "host: |"],
    ["a mapping", "|", "hosts", "hosts:\n  |"],
    ["a list", "|", "extends", "extends: [|]"],
    ["a list of mappings", "|", "suppress", "suppress:\n  - |"],
    ["below a dash", "overrides:\n  - |", "workload", "overrides:\n  - workload:\n      |"],
    ["a few words", "rules:\n  numa/wide-un|", "numa/wide-uneven", "rules:\n  numa/wide-uneven: error|"],
    ["a key that has its value", "ho|: lab", "host", "host: lab"],
    ["in braces", "hosts: { lab: { ru| } }", "runs", "hosts: { lab: { runs: [|] } }"],
    ["JSON", "{ | }", "host", '{ "host": "|" }', "vmlint.json"],
    ["JSON, in quotes", '{ "ho|" }', "host", '{ "host" }', "vmlint.json"],
  ])("%s", (_, marked, label, after, path = "vmlint.yaml") => expect(chosen(marked, label, path)).toBe(after));
});

describe("values of a configuration are completed", () => {
  test.each([
    ["severities", "rules:\n  numa/wide-uneven: |", ["error", "warning", "info", "hint", "off"]],
    ["severities, for JSON", '{ "rules": { "numa/wide-uneven": "|" } }', ["error", "warning", "info", "hint", "off"]],
    ["presets", "extends: [|]", [...PRESETS, "root"]],
    ["presets, one a line", "extends:\n  - strict\n  - |", [...PRESETS, "root"]],
    [
      "hosts of the file before the built-in ones",
      "host: |\nhosts: { lab: {}, b: {} }",
      ["lab", "b", ...builtinHosts.map(({ name }) => name)],
    ],
    ["rules", "suppress:\n  - { rule: | }", rules.map(({ id }) => id)],
    ["yes or no", "root: |", ["true", "false"]],
    [
      "numbers rather than their text",
      "workload:\n  version: |",
      ["2012", "2013", "2014", "2016", "2017", "2019", "2022", "2025", "2008r2", "se"],
    ],
    ["nothing where any text may stand", "baseline: |", []],
    ["nothing in a comment", "# |\nhost: lab\n", []],
    ["nothing below a key that is not there", "hots:\n  |", []],
    ["nothing between a colon and a value", "host:| r640", []],
    ["nothing between the colon of a rule and its severity", "rules:\n  numa/wide-uneven:| off\n", []],
    ["nothing between a colon and a value, in braces", "{ host:| r640 }", []],
    ["nothing right before a comment", "host: |# note\n", []],
    ["nothing between a value and a comment", "host: r640 |# note\n", []],
    ["nothing where a dash is missing", "suppress:\n  - rule: numa/wide-uneven\n  |", []],
    ["nothing between two indentations", "hosts:\n  lab:\n    esxi: '8.0'\n |", []],
    ["behind a byte order mark as elsewhere", "\ufeffextends: [strict]\nroot: |", ["true", "false"]],
  ])("%s", (_, marked, all) => expect(labels(marked).sort()).toEqual([...all].sort()));

  test("processors, as many as are written", () => {
    expect(labels("hosts:\n  lab:\n    cpu: |")).toContain("2x Xeon Gold 6148");
    expect(chosen("hosts:\n  lab:\n    cpu: 4x Xeon Gold 61|\n    esxi: '8.0'\n", "4x Xeon Gold 6148")).toBe(
      "hosts:\n  lab:\n    cpu: 4x Xeon Gold 6148\n    esxi: '8.0'\n",
    );
  });

  test.each([
    ["in double quotes", `host: "|"\nhosts: { 'a"b\\c': {} }`, 'a"b\\c', `host: "a\\"b\\\\c"\nhosts: { 'a"b\\c': {} }`],
    ["in single quotes", `host: '|'\nhosts: { "it's": {} }`, "it's", `host: 'it''s'\nhosts: { "it's": {} }`],
    ["without quotes", "host: |\nhosts: { '#1': {} }", "#1", `host: "#1"\nhosts: { '#1': {} }`],
  ])("%s, as it is read there", (_, marked, label, after) => expect(chosen(marked, label)).toBe(after));

  test("hosts of a package.json", () => {
    expect(labels('{ "vmlint": { "hosts": { "lab": {} }, "host": "|" } }', "package.json")).toContain("lab");
  });

  test("hosts of a file that is extended", () => {
    const hosts = new Map([["shared", { ...requireHost("r640"), name: "shared" }]]);
    expect(
      configLanguage("vmlint.yaml", hosts)
        .complete("host: ", 6)
        .map(({ label }) => label),
    ).toContain("shared");
  });

  test("every host, preset and rule that is offered can be written", () => {
    for (const host of labels("host: |")) expect(() => parseConfig(`host: ${host}\n`, "vmlint.yaml")).not.toThrow();
    for (const preset of PRESETS) expect(() => parseConfig(`extends: [${preset}]\n`, "vmlint.yaml")).not.toThrow();
    const severities = labels("rules:\n  |").map((rule) => `  ${rule}: hint\n`);
    expect(() => parseConfig(`rules:\n${severities.join("")}`, "vmlint.yaml")).not.toThrow();
    for (const cpu of labels("hosts: { lab: { cpu: | } }").filter((_, i) => i % 50 === 0)) {
      expect(() => parseConfig(`hosts:\n  lab: { cpu: ${cpu} }\n`, "vmlint.yaml"), cpu).not.toThrow();
    }
  });
});

describe("hovers of a configuration", () => {
  const hover = (marked: string) => configLanguage("vmlint.yaml").hover(marked.replace("|", ""), marked.indexOf("|"))?.markdown;

  test.each([
    ["ho|st: lab", "The host of the VMs"],
    ["rules:\n  numa/wide-un|even: off", pageNamed("numa/wide-uneven").why],
    ["suppress: [{ rule: numa/wide-un|even }]", pageNamed("numa/wide-uneven").summary],
    ["host: dl58|0g7", "4 x 10 cores (40 cores, 80 logical CPUs)"],
    ["hosts: { lab: { cpu: 2x Xeon Gold 614|8 } }", "20 cores, 40 threads, 2400 MHz"],
    ["workload: { licen|sing: core }", "Values: `core`, `server-cal`"],
  ])("%s", (marked, words) => expect(hover(marked)).toContain(words));

  test("nothing of a key that is not there", () => expect(hover("hots|: lab")).toBeUndefined());

  test("every key has a description", () => {
    const walk = (schema: unknown, path: string): string[] => {
      if (typeof schema !== "object") return [];
      const { properties = {}, items, additionalProperties, anyOf = [], $defs = {} } = Object(schema);
      const missing = Object.entries(properties).flatMap(([key, value]) => {
        const isOthers = /\.(metadata|scsiControllers|otherControllers|disks|nics|passthrough)$/.test(path);
        return [...(isOthers || Object(value).description ? [] : [`${path}.${key}`]), ...walk(value, `${path}.${key}`)];
      });
      const others = [items, additionalProperties, ...anyOf, ...Object.values($defs)];
      return [...missing, ...others.flatMap((one) => walk(one, path))];
    };
    expect([...walk(configSchema, ""), ...walk(specSchema, "")]).toEqual([]);
  });
});

describe("errors that make a configuration unreadable", () => {
  const problems = async (text: string) =>
    (await readConfigTyped(text, "a/vmlint.yaml", { read: () => Promise.reject(new Error("ENOENT")) })).problems;

  test.each([
    ["hots: {}\n", "hots", 'There is no setting "hots". Did you mean "hosts"?'],
    [
      "host: lab\nrules:\n  numa/wide-unevn: off # x\n",
      "numa/wide-unevn: off # x",
      'There is no rule "numa/wide-unevn". Did you mean "numa/wide-uneven"?',
    ],
    ["host: dl580g8", "dl580g8", 'There is no host "dl580g8". Did you mean "dl580g7"?'],
    ["extends: [./base.yaml]\n", "./base.yaml]", "./base.yaml cannot be read. The path is relative to this file."],
  ])("%j", async (text, at, message) => {
    const [found, ...others] = await problems(text.replace("host: lab\n", "host: r640\n"));
    expect(others).toEqual([]);
    expect(found?.message).toBe(message);
    expect(text.replace("host: lab\n", "host: r640\n").slice(...(found?.range ?? [0, 0]))).toMatch(
      new RegExp(`^${at.replace(/[[\]/.]/g, "\\$&")}`),
    );
  });

  test("none, if it is readable", async () => expect(await problems("host: dl580g7\n")).toEqual([]));

  test("all mistakes at once, each at its line, and those of another file at its name", async () => {
    const text = "hots: {}\nextends: [./base.yaml]\nrules:\n  numa/wide-unevn: off\n  numa/wide-uneven: loud\n";
    const files = { read: async () => "baselin: x\nrules: { numa/no-such: off }\n" };
    const found = await readConfigTyped(text, "vmlint.yaml", files);
    expect(found.problems.map(({ range, message }) => [text.slice(...range), message])).toEqual([
      ["hots: {}", 'There is no setting "hots". Did you mean "hosts"?'],
      ["numa/wide-unevn: off", 'There is no rule "numa/wide-unevn". Did you mean "numa/wide-uneven"?'],
      ["loud", "rules.numa/wide-uneven must be one of error, warning, info, hint, off."],
      ["./base.yaml]", 'base.yaml:1:1: There is no setting "baselin". Did you mean "baseline"?'],
      ["./base.yaml]", expect.stringMatching(/^base\.yaml:2:10: There is no rule "numa\/no-such"\./)],
    ]);
  });

  test("a file that an extended file extends is part of this one", async () => {
    const text = "extends:\n  - ./a.yaml # ours\n  - ./b.yaml # theirs\n";
    const files: Record<string, string> = { "a.yaml": "host: r640\n", "b.yaml": "extends: [./c.yaml]\n", "c.yaml": "hots: {}\n" };
    const found = await readConfigTyped(text, "conf/vmlint.yaml", { read: async (path) => files[path] ?? "" });
    expect(found.problems.map(({ range, message }) => [text.slice(...range), message])).toEqual([
      ["./b.yaml # theirs", 'conf/c.yaml:1:1: There is no setting "hots". Did you mean "hosts"?'],
    ]);
  });

  test.each([
    ["a key", "hots: {}\n", "hosts: {}\n"],
    ["a key in JSON", '{ "hots": {} }\n', '{ "hosts": {} }\n'],
    ["a rule", "rules:\n  numa/wide-unevn: off # x\n", "rules:\n  numa/wide-uneven: off # x\n"],
    ["a rule in quotes", 'rules: { "numa/wide-unevn": off }\n', 'rules: { "numa/wide-uneven": off }\n'],
    ["a rule of an override", "overrides: [{ rules: { numa/wide-unevn: off } }]\n", "overrides: [{ rules: { numa/wide-uneven: off } }]\n"],
    ["a suppressed rule", "suppress: [{ rule: numa/wide-unevn }]\n", "suppress: [{ rule: numa/wide-uneven }]\n"],
    ["one of several", "suppress:\n  - rules: [vmx/type, vmx/duplicat-key]\n", "suppress:\n  - rules: [vmx/type, vmx/duplicate-key]\n"],
    ["a host", "host: dl580g8\n", "host: dl580g7\n"],
    ["a preset", "extends: [strickt]\n", "extends: [strict]\n"],
    ["a severity", "rules: { numa/wide-uneven: warnin }\n", "rules: { numa/wide-uneven: warning }\n"],
  ])("a fix mends %s", async (_, text, mended) => {
    const [{ fixes: [fix] = [] } = {}] = await problems(text);
    expect(applyEdits(text, fix?.edits ?? [])).toBe(mended);
    expect(await problems(mended)).toEqual([]);
  });

  test("an error in one place does not affect other places", async () => {
    const { config } = await readConfigTyped(
      "hosts:\n  a: { sockets: 2, coresPerSocket: 8 }\n  b: { sockets: two }\nhots: {}\n",
      "vmlint.yaml",
      { read: () => Promise.reject(new Error("ENOENT")) },
    );
    expect([...config.hosts.keys()]).toEqual(["a"]);
  });
});

describe("VM specs", () => {
  const SPEC = "apiVersion: vmlint.dev/v1\nkind: VirtualMachine\nspec:\n  vcpus: 8\n";
  const offered = (text: string, offset = text.length) =>
    yamlLanguage.complete(text, offset, { hardwareVersion: undefined, vcpus: undefined });
  const names = (text: string) => offered(text).map(({ label }) => label);

  test("keys, values and the kind of document", () => {
    expect(names(`${SPEC}  `)).toEqual(expect.arrayContaining(["coresPerSocket", "scsiControllers", "advanced"]));
    expect(names(`${SPEC}  `)).not.toContain("vcpus");
    expect(names(SPEC)).toEqual(["metadata", "host", "workload"]);
    expect(names("apiVersion: vmlint.dev/v1\nkind: VirtualMachineList\n")).toEqual(["items"]);
    expect(names("apiVersion: vmlint.dev/v1\nkind: ")).toEqual(["VirtualMachine", "VirtualMachineList"]);
    expect(names(`${SPEC}  latencySensitivity: `)).toEqual(["low", "normal", "medium", "high"]);
    expect(names(`${SPEC}host: `)).toContain("dl580g7");
    expect(names(`${SPEC}  scsiControllers:\n    - bus: 0\n      type: `)).toContain("pvscsi");
  });

  test("a hover explains the key of a .vmx", () => {
    expect(yamlLanguage.hover(SPEC, SPEC.indexOf("vcpus"))?.markdown).toContain("All vCPUs of the VM, not its sockets.");
  });

  test("another program's document gets nothing", () => {
    expect(offered("apiVersion: v1\nkind: Pod\n")).toEqual([]);
    const both = `${SPEC}---\napiVersion: v1\nkind: Pod\n`;
    expect(offered(both)).toEqual([]);
    expect(yamlLanguage.hover(both, both.indexOf("Pod"))).toBeUndefined();
  });
});

test("any text at any offset gives answers whose ranges lie inside it", () => {
  const pieces = fc.constantFrom(
    "hosts:",
    "\n",
    "  ",
    "- ",
    "{",
    "}",
    "[",
    "]",
    ": ",
    "lab",
    '"',
    "'",
    "rules",
    "&a ",
    "*a",
    "# ",
    "| ",
    "\t",
    "---\n",
    "{{ x }}",
  );
  const texts = fc.oneof(
    fc.array(pieces, { maxLength: 40 }).map((parts) => parts.join("")),
    fc.string({ unit: "binary" }),
  );
  fc.assert(
    fc.property(texts, fc.nat(), (text, seed) => {
      const offset = seed % (text.length + 1);
      for (const { complete, hover } of [configLanguage("vmlint.yaml"), configLanguage("package.json")]) {
        for (const { range } of complete(text, offset)) {
          expect(range[0]).toBeLessThanOrEqual(offset);
          expect(range[1]).toBeGreaterThanOrEqual(offset);
          expect(range[1]).toBeLessThanOrEqual(text.length);
          expect(text.slice(...range)).not.toMatch(/[\r\n]/);
        }
        const range = hover(text, offset)?.range;
        if (range) expect(0 <= range[0] && range[0] <= range[1] && range[1] <= text.length).toBe(true);
      }
    }),
  );
});

test("nesting deeper than the stack is no error", () => {
  const deep = "[".repeat(20_000);
  expect(configLanguage("vmlint.yaml").complete(deep, deep.length)).toEqual([]);
});
