// npm run conformance:hcl -- DIR: compares our HCL parser with HashiCorp's on every file below DIR.
// npm run conformance:hcl -- --edits DIR: counts how much of these files the parser still reads while a line is half typed.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { isDeepStrictEqual, parseArgs } from "node:util";
import { checkEdits } from "./edits-hcl.mjs";
import { attributesOf, blocksOf, literalOf, parseHcl, treeOf } from "./hcl.mjs";

const { values, positionals } = parseArgs({ allowPositionals: true, options: { edits: { type: "boolean" } } });
const [folder] = positionals;
if (folder === undefined) {
  console.error("usage: npm run conformance:hcl -- [--edits] DIR");
  process.exit(2);
}
// A .pkrtpl.hcl file is a text template, not HCL.
const files = readdirSync(folder, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /\.(tf|tfvars|hcl)$/.test(entry.name) && !entry.name.endsWith(".pkrtpl.hcl"))
  .map((entry) => join(entry.parentPath, entry.name))
  .sort();

if (values.edits) checkEdits(files);
else if (spawnSync("go", ["version"]).status !== 0) console.log("skipped: Go is not installed, which runs HashiCorp's parser");
else compare(readReference());

function readReference() {
  const bin = mkdtempSync(join(tmpdir(), "vmlint-conformance-"));
  try {
    const program = join(bin, "reference");
    execFileSync("go", ["build", "-o", program, "."], {
      cwd: fileURLToPath(new URL("conformance-hcl", import.meta.url)),
      stdio: "inherit",
    });
    const output = execFileSync(program, { input: files.join("\n"), maxBuffer: 2 ** 31 - 1, encoding: "utf8" });
    return output
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  } finally {
    rmSync(bin, { recursive: true });
  }
}

/** Converts our offsets in UTF-16 units to the reference's offsets in UTF-8 bytes. */
function bytesOf(text) {
  const bytes = new Uint32Array(text.length + 1);
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    // Each half of a surrogate pair counts two of its four bytes.
    bytes[i + 1] = bytes[i] + (code < 0x80 ? 1 : code < 0x800 || (code & 0xf800) === 0xd800 ? 2 : 3);
  }
  return (offset) => bytes[offset];
}

function compare(reports) {
  const count = { files: 0, valid: 0, rejected: 0, accepted: 0, attributes: 0, found: 0, ranges: 0, trees: 0, blocks: 0, sameBlocks: 0 };
  let literals = 0;
  let sameLiterals = 0;
  const differences = [];
  const accepted = new Map();
  for (const { file, errors, attributes, blocks } of reports) {
    const text = readFileSync(file, "utf8");
    const { body, errors: ours } = parseHcl(text);
    count.files++;
    if (errors.length > 0) {
      if (ours.length > 0) continue;
      count.accepted++;
      accepted.set(errors[0], (accepted.get(errors[0]) ?? 0) + 1);
      continue;
    }
    count.valid++;
    if (ours.length > 0) {
      count.rejected++;
      differences.push(`${file}: rejected: ${ours[0].message} (at ${ours[0].range[0]})`);
    }
    const toBytes = bytesOf(text);
    const read = new Map([...attributesOf(body)].map((each) => [toBytes(each.attribute.nameStart), each]));
    count.attributes += attributes.length;
    if (read.size !== attributes.length) differences.push(`${file}: ${read.size} attributes, not ${attributes.length}`);
    for (const { path, name, start, value, tree, known } of attributes) {
      const mine = read.get(start);
      if (mine?.path !== path || mine.attribute.name !== name) {
        differences.push(`${file}: ${path} ${name}: not found at ${start}`);
        continue;
      }
      count.found++;
      const { value: expression } = mine.attribute;
      const range = [expression.start, expression.end].map(toBytes);
      if (isDeepStrictEqual(range, value)) count.ranges++;
      else differences.push(`${file}: ${path} ${name}: range ${range}, not ${value}`);
      const myTree = JSON.stringify(treeOf(expression));
      if (myTree === JSON.stringify(tree)) count.trees++;
      else differences.push(`${file}: ${path} ${name}: tree\n  ${myTree}, not\n  ${JSON.stringify(tree)}`);
      const literal = literalOf(expression);
      if (literal === undefined || known === undefined) continue;
      literals++;
      if (isDeepStrictEqual(literal, known)) sameLiterals++;
      else differences.push(`${file}: ${path} ${name}: value ${JSON.stringify(literal)}, not ${JSON.stringify(known)}`);
    }
    count.blocks += blocks.length;
    const ends = new Map([...blocksOf(body)].map((block) => [toBytes(block.start), toBytes(block.end)]));
    count.sameBlocks += blocks.filter(({ start, end }) => ends.get(start) === end).length;
  }
  for (const difference of differences) console.log(difference);
  console.log(`files ${count.files}: ${count.valid} valid to the reference, of which we reject ${count.rejected}`);
  const kinds = [...accepted].map(([error, times]) => `${times} ${error}`).join(", ");
  console.log(`  ${count.files - count.valid} invalid, of which we accept ${count.accepted}${kinds && ` (${kinds})`}`);
  console.log(
    `attributes ${count.attributes}: ${count.found} at the same place, ${count.ranges} with the same range, ${count.trees} with the same tree`,
  );
  console.log(`blocks ${count.blocks}: ${count.sameBlocks} with the same range`);
  console.log(`values written out ${literals}: ${sameLiterals} equal`);
  process.exitCode = differences.length > 0 ? 1 : 0;
}
