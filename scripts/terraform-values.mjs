// node scripts/terraform-values.mjs: evaluates every expression of test/syntax/hcl/terraform-values.json with the terraform
// command (`terraform plan`, then `terraform show -json`) and writes the result next to the expression, as JSON or ERROR.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const table = new URL("../test/syntax/hcl/terraform-values.json", import.meta.url);
const expressions = JSON.parse(readFileSync(table, "utf8")).map(([expression]) => expression);
const folder = mkdtempSync(join(tmpdir(), "vmlint-terraform-"));

try {
  const outputs = expressions.map((e, i) => `output "o${i}" {\n  value = can(${e}) ? jsonencode(${e}) : "ERROR"\n}\n`);
  writeFileSync(join(folder, "main.tf"), outputs.join(""));
  const terraform = (...args) => execFileSync("terraform", args, { cwd: folder, encoding: "utf8", maxBuffer: 1 << 28 });
  terraform("init", "-backend=false");
  terraform("plan", "-out", "plan");
  const { output_changes: changes } = JSON.parse(terraform("show", "-json", "plan"));
  const rows = expressions.map((expression, i) => `  ${JSON.stringify([expression, changes[`o${i}`].after])}`);
  writeFileSync(table, `[\n${rows.join(",\n")}\n]\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
