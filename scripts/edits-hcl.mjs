// Half-typed edits of a valid file: each attribute outside of the edit must keep its path and value, and the edit must not
// swallow the lines after it.
// "elsewhere" counts attributes that were still read, but in another block.
import { readFileSync } from "node:fs";
import { attributesOf, blocksOf, parseHcl, treeOf } from "./hcl.mjs";

/** Lines one is about to finish, put before an attribute, as deep as it. */
const LINES = [
  "num_cpus =",
  "num_c",
  "extra_config = {",
  'name = "${var.',
  "disk {",
  'dynamic "disk" {',
  'folder = "abc',
  "tags = merge(",
  "list = [",
  "s = <<EOT",
  "id = var.",
  "memory = 4 *",
  'size = var.large ? "L"',
  'note = "${join(',
];

const lineStart = (text, at) => text.lastIndexOf("\n", at - 1) + 1;
const lineEnd = (text, at) => (text.indexOf("\n", at) < 0 ? text.length : text.indexOf("\n", at));
const replace = (start, end, by, touched) => ({ start, end, by, touched });
/** By kind: an edit of one attribute or block; undefined where the kind does not fit. */
const OF_ATTRIBUTE = {
  ...Object.fromEntries(
    LINES.map((line) => [
      line,
      (text, { nameStart: at }) => {
        const start = lineStart(text, at);
        const indent = text.slice(start, at);
        return /^[ \t]*$/.test(indent) ? replace(start, start, `${indent}${line}\n`) : undefined;
      },
    ]),
  ),
  "value cut": (_, attribute) => replace(attribute.value.start, attribute.value.end, "", attribute),
  "name cut": (_, attribute) => {
    const { nameStart: start, nameEnd: end } = attribute;
    return replace(Math.floor((start + end + 1) / 2), attribute.end, "", attribute);
  },
  "mid-value cut": (_, attribute) => {
    const { start, end } = attribute.value;
    return end - start > 1 ? replace(Math.floor((start + end) / 2), end, "", attribute) : undefined;
  },
  'a " deleted': (text, attribute) => {
    const at = attribute.value.kind === "template" && !attribute.value.heredoc ? attribute.value.end - 1 : undefined;
    return at && text[at] === '"' ? replace(at, at + 1, "", attribute) : undefined;
  },
  "a ] deleted": (text, attribute) => {
    const at = attribute.value.kind === "tuple" ? attribute.value.end - 1 : undefined;
    return at && text[at] === "]" ? replace(at, at + 1, "", attribute) : undefined;
  },
  "a ) deleted": (text, attribute) => {
    const at = attribute.value.kind === "call" ? attribute.value.end - 1 : undefined;
    return at && text[at] === ")" ? replace(at, at + 1, "", attribute) : undefined;
  },
};
const OF_BLOCK = {
  "a } deleted": (_, block) => replace(block.end - 1, block.end, ""),
  "a } doubled": (text, block) => {
    const start = lineStart(text, block.end);
    const end = lineEnd(text, start);
    return text.slice(start, end).trim() === "}" ? replace(start, start, `${text.slice(start, end)}\n`) : undefined;
  },
  "a { deleted": (text, block) => (text[block.body.start] === "\n" ? replace(block.body.start - 1, block.body.start, "") : undefined),
  "end of file cut": (text, block) => {
    const { start, end } = block.body;
    return replace(Math.floor((start + end) / 2), text.length, "");
  },
};

export function checkEdits(files, perKind = 3) {
  const rows = new Map();
  for (const file of files) {
    const text = readFileSync(file, "utf8");
    const { body, errors } = parseHcl(text);
    if (errors.length > 0) continue;
    const attributes = [...attributesOf(body)].map((each) => ({ ...each, tree: JSON.stringify(treeOf(each.attribute.value)) }));
    const tally = (kinds, places) => {
      for (const [kind, edit] of Object.entries(kinds)) {
        const made = spread(places.map((place) => edit(text, place)).filter(Boolean), perKind);
        for (const each of made) add(rows, kind, check(text, attributes, each), file);
      }
    };
    tally(
      OF_ATTRIBUTE,
      attributes.map(({ attribute }) => attribute),
    );
    tally(OF_BLOCK, [...blocksOf(body)]);
  }
  print(rows);
}

const spread = (all, count) =>
  all.length <= count ? all : Array.from({ length: count }, (_, i) => all[Math.floor((i * all.length) / count)]);

function check(text, attributes, { start, end, by, touched }) {
  const edited = text.slice(0, start) + by + text.slice(end);
  const { body, errors } = parseHcl(edited);
  // The edited text is valid too, and has another meaning.
  if (errors.length === 0) return undefined;
  const moved = (at) => (at < end ? at : at + by.length - (end - start));
  const now = new Map([...attributesOf(body)].map((each) => [each.attribute.nameStart, each]));
  const isUntouched = (attribute) =>
    attribute.end <= start || attribute.start >= end || (start === end && attribute.start < start && attribute.end > end);
  const expected = attributes.filter(({ attribute }) => attribute !== touched && isUntouched(attribute));
  const lost = [];
  let elsewhere = 0;
  for (const { path, attribute, tree } of expected) {
    const at = start === end && attribute.nameStart === start ? start + by.length : moved(attribute.nameStart);
    const found = now.get(at);
    const kept = found?.path === path && found.attribute.name === attribute.name && JSON.stringify(treeOf(found.attribute.value)) === tree;
    if (!kept) lost.push(attribute.name);
    elsewhere += Number(found !== undefined && found.path !== path);
    now.delete(at);
  }
  // An attribute that was not there before, or was cut in two. It may be on the edited line if it holds nothing of the lines
  // after it.
  const first = lineStart(edited, start);
  const last = lineEnd(edited, start + Math.max(0, by.length - 1));
  for (const { attribute } of attributes) if (attribute.start < start && attribute.end > start) now.delete(attribute.start);
  const wrong = [...now.values()].filter(({ attribute: { nameStart: at, value } }) => {
    if (at < first || at > last) return !touched || at < touched.start || at >= moved(touched.end);
    return value.end > last && !JSON.stringify(treeOf(value)).includes('["missing"]');
  });
  return { expected: expected.length, lost, elsewhere, wrong: wrong.map(({ attribute }) => attribute.name), edited };
}

function add(rows, kind, result, file) {
  const row = rows.get(kind) ?? { valid: 0, variants: 0, whole: 0, expected: 0, kept: 0, elsewhere: 0, wrong: 0 };
  rows.set(kind, row);
  if (!result) {
    row.valid++;
    return;
  }
  const { expected, lost, elsewhere, wrong, edited } = result;
  row.variants++;
  row.whole += Number(lost.length === 0);
  row.expected += expected;
  row.kept += expected - lost.length;
  row.elsewhere += elsewhere;
  row.wrong += wrong.length;
  const isAsked = process.env.VERBOSE === kind ? lost.length > 0 || wrong.length > 0 : process.env.VERBOSE === "wrong" && wrong.length > 0;
  if (isAsked) console.log(kind, file, { lost, wrong }, process.env.SHORT ? "" : `\n${edited}`);
}

function print(rows) {
  const percent = (part, all) => `${((100 * part) / all).toFixed(2)} %`.padStart(8);
  const line = (kind, { valid, variants, whole, expected, kept, elsewhere, wrong }) =>
    `${kind.padEnd(24)} ${String(variants).padStart(7)} ${percent(kept, expected)} ${percent(whole, variants)} ${String(elsewhere).padStart(9)} ${String(wrong).padStart(6)} ${String(valid).padStart(10)}`;
  console.log(`${"edit".padEnd(24)} variants    kept  all kept  elsewhere  wrong  valid HCL`);
  const total = { valid: 0, variants: 0, whole: 0, expected: 0, kept: 0, elsewhere: 0, wrong: 0 };
  for (const [kind, row] of rows) {
    console.log(line(kind, row));
    for (const key of Object.keys(total)) total[key] += row[key];
  }
  console.log(line(`all ${rows.size} kinds`, total));
}
