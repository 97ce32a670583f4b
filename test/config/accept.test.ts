import { applyEdits, lint, requireHost } from "@vmlint/core";
import { parseConfig } from "@vmlint/core/config";
import { acceptIn } from "@vmlint/core/config-language";
import { checkText } from "@vmlint/core/editor";
import { defaultFormat } from "@vmlint/core/program";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

const FINDING = { rule: "affinity/ht-siblings", vm: "sql01", path: "prod/a.vmx", reason: "the lab measures it" };
const ENTRY = "{ rule: affinity/ht-siblings, vm: sql01, path: prod/a.vmx, reason: the lab measures it }";
const JSON_ENTRY = '{ "rule": "affinity/ht-siblings", "vm": "sql01", "path": "prod/a.vmx", "reason": "the lab measures it" }';

function accepted(text: string, path = "vmlint.yaml", finding = FINDING): string | undefined {
  const edit = acceptIn(text, path, finding);
  return edit && applyEdits(text, [edit]);
}

describe("an entry is added, and every other character stays", () => {
  test.each([
    ["in an empty file", "", `suppress:\n  - ${ENTRY}\n`],
    ["in a file of comments", "# ours", `# ours\nsuppress:\n  - ${ENTRY}\n`],
    [
      "behind other keys",
      "host:   lab # theirs\nhosts: {lab: {sockets: 2,coresPerSocket: 8}}",
      `host:   lab # theirs\nhosts: {lab: {sockets: 2,coresPerSocket: 8}}\nsuppress:\n  - ${ENTRY}\n`,
    ],
    [
      "below a list",
      "suppress:\n- rule: cpu/cps-divides\n  reason: x # why\n\n# rest\nroot: true\n",
      `suppress:\n- rule: cpu/cps-divides\n  reason: x # why\n- ${ENTRY}\n\n# rest\nroot: true\n`,
    ],
    [
      "below a list that is indented, with CRLF",
      "suppress:\r\n    - { vm: a }  # one\r\nroot: true\r\n",
      `suppress:\r\n    - { vm: a }  # one\r\n    - ${ENTRY}\r\nroot: true\r\n`,
    ],
    [
      "below a text of several lines",
      "suppress:\n  - vm: a\n    reason: |\n      one\n      two\nroot: true\n",
      `suppress:\n  - vm: a\n    reason: |\n      one\n      two\n  - ${ENTRY}\nroot: true\n`,
    ],
    ["in brackets", "suppress: [{ vm: a }] # one\n", `suppress: [{ vm: a }, ${ENTRY}] # one\n`],
    ["in empty brackets", "suppress: []\n", `suppress: [${ENTRY}]\n`],
  ])("%s", (_, text, after) => expect(accepted(text)).toBe(after));

  test.each([
    ["in JSON", "vmlint.json", '{\n  "host": "r640"\n}\n', `{\n  "host": "r640",\n  "suppress": [${JSON_ENTRY}]\n}\n`],
    ["in JSON without a line", "vmlint.json", "{}", `{"suppress": [${JSON_ENTRY}]}`],
    [
      "in JSON below others",
      "vmlint.json",
      '{ "suppress": [\n    { "vm": "a" }\n  ] }',
      `{ "suppress": [\n    { "vm": "a" },\n    ${JSON_ENTRY}\n  ] }`,
    ],
    [
      "in package.json",
      "web/package.json",
      '{\n  "name": "x",\n  "vmlint": {\n    "host": "r640"\n  }\n}\n',
      `{\n  "name": "x",\n  "vmlint": {\n    "host": "r640",\n    "suppress": [${JSON_ENTRY}]\n  }\n}\n`,
    ],
  ])("%s", (_, path, text, after) => expect(accepted(text, path)?.replace(/^\{"/, '{"')).toBe(after));
});

test("an unreadable configuration is not changed, and the reason is given", () => {
  expect(() => acceptIn("hots: {}\n", "vmlint.yaml", FINDING)).toThrow('vmlint.yaml:1:1: There is no setting "hots"');
  expect(accepted("host: r640\n...\n# end\n")).toBeUndefined();
});

test("the accepted finding is hidden, and no other finding is", () => {
  const text = `virtualHW.version = "10"\ndisplayName = "sql01"\nnumvcpus = "8"\nsched.cpu.affinity = "0-7"\n`;
  const config = parseConfig(accepted("host: dl580g7\n") ?? "", "vmlint.yaml");
  const ids = (path: string, source = text) =>
    checkText(source, { format: defaultFormat, config, path, host: "", today: "2026-11-21" }).result.diagnostics.map(
      ({ ruleId }) => ruleId,
    );
  expect(lint(text, { target: { host: requireHost("dl580g7") } }).diagnostics.map(({ ruleId }) => ruleId)).toContain(FINDING.rule);
  expect(ids("prod/a.vmx")).not.toContain(FINDING.rule);
  expect(ids("prod/b.vmx")).toContain(FINDING.rule);
  expect(ids("prod/a.vmx", text.replace("sql01", "sql02"))).toContain(FINDING.rule);
});

test("with any names and any reason, the entry covers only this finding", () => {
  const word = fc.string({ unit: "grapheme", minLength: 1, maxLength: 12 }).filter((text) => text.trim() !== "");
  const name = fc.oneof(
    word,
    fc.constantFrom("sql[01]", "a*b", "!x", "(a|b)", "{a,b}", "a\\b", "a/b", "a b", "- x", "# x", "1", "true", "a: b", "+(a)", "@x"),
  );
  const texts = fc.constantFrom("", "host: r640\n", "suppress:\n  - { vm: other }\n", '{ "host": "r640" }', "suppress: []");
  fc.assert(
    fc.property(texts, name, name, fc.string(), (text, vm, path, reason) => {
      const after = accepted(text, "vmlint.yaml", { rule: FINDING.rule, vm, path, reason });
      const entry = parseConfig(after ?? "", "vmlint.yaml").suppress?.entries.at(-1);
      expect([entry?.rules, entry?.isVm(vm), entry?.inFile(path), entry?.reason]).toEqual([
        [FINDING.rule],
        true,
        true,
        reason.trim() || null,
      ]);
      expect(entry?.isVm(`${vm}x`) || entry?.inFile(`x${path}`)).toBe(false);
    }),
  );
});
