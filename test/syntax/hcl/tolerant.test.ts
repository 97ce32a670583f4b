import { describe, expect, test } from "vitest";
import { parseHcl } from "../../../packages/core/src/syntax/hcl/parse.ts";
import { values } from "../../support/hcl.ts";

const BEFORE = ['provider "vsphere" {', '  user = "root"', "}", 'resource "vm" "sql" {', '  name = "sql"'];
const AFTER = [
  "  memory = 4096",
  "  disk {",
  '    label = "disk0"',
  "  }",
  '  tags = ["a",',
  '    "b"]',
  "}",
  'output "x" {',
  "  value = 1",
  "}",
  "",
];
const AROUND = [
  'provider.vsphere/user = "root"',
  'resource.vm.sql/name = "sql"',
  "resource.vm.sql/memory = 4096",
  'resource.vm.sql/tags = ["a", "b"]',
  'resource.vm.sql/disk/label = "disk0"',
  "output.x/value = 1",
];

describe("a half-typed line does not change the values of its neighbours", () => {
  // The attributes or blocks that the line itself yields.
  test.each<[line: string, own: readonly string[]]>([
    ["  num_cpus =", ["resource.vm.sql/num_cpus = ?"]],
    ["  num_c", []],
    ["  num_cpus = 4 *", ["resource.vm.sql/num_cpus = (4 * ?)"]],
    ["  extra_config = {", ["resource.vm.sql/extra_config = ?"]],
    ["  list = [", ["resource.vm.sql/list = ?"]],
    ["  list = [1,", ["resource.vm.sql/list = ?"]],
    ["  tags2 = merge(", ["resource.vm.sql/tags2 = ?"]],
    ["  size = (1 +", ["resource.vm.sql/size = ?"]],
    ["  id = var.", ["resource.vm.sql/id = ?"]],
    ["  id = var.x[", ["resource.vm.sql/id = ?"]],
    ['  size = var.large ? "L"', ["resource.vm.sql/size = ?"]],
    ['  size = var.large ? "L" :', ['resource.vm.sql/size = (var.large ? "L" : ?)']],
    ['  folder = "abc', ["resource.vm.sql/folder = ?"]],
    [`  name2 = "\${var.`, ["resource.vm.sql/name2 = ?"]],
    [`  note = "\${join(`, ["resource.vm.sql/note = ?"]],
    ["  s = <<EOT", ["resource.vm.sql/s = ?"]],
    ["  s = <<", ["resource.vm.sql/s = ?"]],
    ["  x = [for v in", ["resource.vm.sql/x = ?"]],
    ["  x = { for k, v in c : k", ["resource.vm.sql/x = ?"]],
    ["  num_cpus = 4 5", ["resource.vm.sql/num_cpus = ?"]],
    ["  cdrom {", []],
    ['  dynamic "disk" {', []],
    ['  dynamic "disk', []],
    ["  }", []],
    ["  ]", []],
    ["  @", []],
    ["  = 4", []],
  ])("%s", (line, own) => {
    const parsed = parseHcl([...BEFORE, line, ...AFTER].join("\n"));
    expect(parsed.errors).not.toEqual([]);
    expect(values(parsed).toSorted()).toEqual([...AROUND, ...own].toSorted());
  });
});

describe("a deleted part", () => {
  const WHOLE = [...BEFORE, ...AFTER];
  test.each<[what: string, line: string, instead: readonly string[], lost: readonly string[]]>([
    ["the } of a block", "  }", [], []],
    ["the { of a block", "  disk {", ["  disk"], []],
    ["the ] of a list", '    "b"]', ['    "b"'], ['resource.vm.sql/tags = ["a", "b"]']],
    ["a quote", '  name = "sql"', ['  name = "sql'], ['resource.vm.sql/name = "sql"']],
    ["a value", "  memory = 4096", ["  memory ="], ["resource.vm.sql/memory = 4096"]],
  ])("%s", (_, line, instead, lost) => {
    const text = WHOLE.flatMap((each) => (each === line ? instead : [each])).join("\n");
    const kept = values(parseHcl(text));
    expect(kept.filter((value) => !value.endsWith("= ?")).toSorted()).toEqual(AROUND.filter((value) => !lost.includes(value)).toSorted());
  });

  test("the end of the file: the text before is kept", () => {
    const text = [...BEFORE, ...AFTER].slice(0, 8).join("\n");
    expect(values(parseHcl(text))).toEqual([...AROUND.slice(0, 3), 'resource.vm.sql/disk/label = "disk0"']);
  });
});

test("a heredoc that is not closed does not take the next one with its marker", () => {
  const text = "a = <<EOT\nb = 1\nc = <<EOT\nx\nEOT\nd =\n";
  expect(values(parseHcl(text))).toEqual(["a = ?", "b = 1", 'c = "x\\n"', "d = ?"]);
});

test("an oddly indented item elsewhere is read as usual", () => {
  const text = "a {\n  b =\n}\nc {\n    d = f({\n  e = 1\n})\n  g = 2\n  }\n";
  expect(values(parseHcl(text))).toEqual(["a/b = ?", 'c/d = f({"e" = 1})', "c/g = 2"]);
});

test("in a text without indentation, brackets decide", () => {
  const text = "a {\nb = 1\nc =\nd {\ne = 2\n}\nf = 3\n}\ng = 4\n";
  expect(values(parseHcl(text))).toEqual(["g = 4", "a/b = 1", "a/c = ?", "a/f = 3", "a/d/e = 2"]);
});

describe("brackets that are not typed in line", () => {
  const read = (...lines: readonly string[]) => values(parseHcl([...lines, ""].join("\n"))).toSorted();
  const OTHER = ["d {", "  e =", "}"];

  test("a brace that may close the line above or the block around it leaves both open", () => {
    // In a block that is whole there is no doubt.
    expect(read("a {", "  b {", "    c = {", "    y = 2", "    }", "    z = 3", "  }", "}", ...OTHER)).toEqual([
      'a/b/c = {"y" = 2}',
      "a/b/z = 3",
      "d/e = ?",
    ]);
    // Here the brace below y may be that of b.
    expect(read("a {", "  b {", "    c = {", "    y = 2", "    }", "  }", ...OTHER)).toEqual(["a/b/c = ?", "d/e = ?"]);
    expect(read("a {", "  b {", "    c {", "    y = 2", "    }", "  }", ...OTHER)).toEqual(["d/e = ?"]);
  });

  test("a block outside of all others may have lines that are no deeper", () => {
    const flush = ["a {", "b = {", "c = 1", "}", "}"];
    expect(read("f {", "  g = 1", "}", ...flush, ...OTHER)).toEqual(['a/b = {"c" = 1}', "d/e = ?", "f/g = 1"]);
    expect(read("f {", "  g = 1", "}", "a {", "b = 1", "x =", "c = 2", "}")).toEqual(["a/b = 1", "a/c = 2", "a/x = ?", "f/g = 1"]);
  });

  test("a block may close less deep than it opens", () => {
    expect(read("a {", "  b = 1", "    c {", "    y = 2", "  }", "  z = 3", "}", "f {", "  g = 1", "}", ...OTHER)).toEqual([
      "a/b = 1",
      "a/c/y = 2",
      "a/z = 3",
      "d/e = ?",
      "f/g = 1",
    ]);
    // Beside a half-typed line it is not known whether y is in it.
    expect(read("a {", "  b =", "    c {", "    y = 2", "  }", "  z = 3", "}", "f {", "  g = 1", "}")).toEqual([
      "a/b = ?",
      "a/z = 3",
      "f/g = 1",
    ]);
  });

  test("comments are at any depth", () => {
    expect(read("a {", "# one", "# two", " b = {", " c = 1", "}")).toEqual(["a/b = ?", "a/c = 1"]);
  });
});

test("the lines of a truncated call are not attributes of the block around it", () => {
  const text = "locals {\n  all = flatten([\n    for f in c\n      ) : {\n      name = f\n      size = 4\n";
  expect(values(parseHcl(text))).toEqual(["locals/all = ?"]);
});

test("each error names the missing part, once for each place", () => {
  const { errors } = parseHcl('a = \nb = "x\nc {\n');
  expect(errors.map(({ message }) => message)).toEqual(["A value is missing here.", '" is missing here.', "} is missing here."]);
});

describe("a template for HCL is one error, and is not read further", () => {
  test.each<[mark: string, text: string, at: string]>([
    ["{%", 'resource "vm" "a" {\n  cpus = 4\n{% if large %}\n  cpus = 8\n{% endif %}\n}\n', "{% if"],
    ["{{", 'resource "vm" "a" {\n  cpus = {{ cpus | default(4) }}\n}\n', "{{ cpus"],
    ["{{", '{{- range .VMs }}\nresource "vm" "{{ .Name }}" {\n}\n{{- end }}\n', "{{- range"],
  ])("%s", (mark, text, at) => {
    const { body, errors } = parseHcl(text);
    expect(body).toMatchObject({ attributes: [], blocks: [] });
    expect(errors).toHaveLength(1);
    expect(errors[0]?.message).toMatch(/is another program's, such as Jinja's/);
    expect(errors[0]?.range).toEqual([text.indexOf(at), text.indexOf(at) + mark.length]);
  });

  test.each([
    ["marks in quotes are HCL: Packer fills them in", 'a = 1\nboot = ["{{ .Name }}" "{% x %}"]\n'],
    ["and so are objects in objects", "a = 1\nb = { { c = 1 } = 2 }\nc = = 3\n"],
    ["or an open quote", 'a = 1\nb = "{{ x }}\n'],
  ])("%s", (_, text) => {
    const { body, errors } = parseHcl(text);
    expect(errors).not.toEqual([]);
    expect(body.attributes.map(({ name }) => name)).toContain("a");
  });

  test("a long line of open quotes is read once", () => {
    const text = `a = {${'"\\"'.repeat(200_000)} {{`;
    expect(parseHcl(text).errors).not.toEqual([]);
  });
});
