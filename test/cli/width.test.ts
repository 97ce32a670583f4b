import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { rules } from "@vmlint/core";
import { expect, test } from "vitest";
import { COMMANDS } from "../../packages/cli/src/args/options.ts";
import { widthOf } from "../../packages/core/src/report/printable.ts";
import { estate as exportedEstate } from "../support/estate.ts";
import { onTerminal } from "../support/on-terminal.ts";
import { workbook } from "../support/write-workbook.ts";

const WIDTH = 80;

const estate = mkdtempSync(join(tmpdir(), "vmlint-width-"));
writeFileSync(
  join(estate, "sql01.vmx"),
  'displayName = "sql01"\nguestOS = "windows2019srv-64"\nnumvcpus = "22"\ncpuid.coresPerSocket = "1"\nmemSize = "614400"\nvcpu.hotadd = "TRUE"\n',
);

const printed = (words: readonly string[]): Promise<string> => onTerminal(estate, words, WIDTH);

writeFileSync(join(estate, "rvtools.xlsx"), workbook(exportedEstate()));

/** Returns the lines wider than the terminal. Addresses may be: a broken one leads nowhere. */
const wider = (text: string): readonly string[] =>
  text.split("\n").filter((line) => widthOf(line) > WIDTH && !/^\s*\(?https?:\S+$/.test(line));

test.each([
  ["--help"],
  ["--help-all"],
  ...COMMANDS.map((command) => [command, "--help"]),
  ["rules"],
  ["cpus"],
  ["doctor"],
  ["host", "r640"],
  ["host", "2x Xeon Gold 6148:768@8.0"],
  ["topology", "--host", "2x20x2:768@6.7"],
  ["size", "22", "--host", "2x20x2:768@8.0"],
  ["topology", "--host", "2x20x2:768@8.0"],
  ["topology", "--host", "2x20x2:768@8.0", "--host", "4x10x2:1024@7.0"],
  ["--host", "2x20x2:768@8.0"],
  ["--host", "2x20x2:768@8.0", "--format", "summary"],
  ["--print-config", "sql01.vmx", "--host", "2x20x2:768@8.0"],
  ["rvtools.xlsx"],
  ["rvtools.xlsx", "--host", "no such host of this very long name, which the message repeats in full and must wrap"],
])("vmlint %s %s %s %s: no line is wider than the terminal", async (...words) => {
  const text = await printed(words.filter((word) => typeof word === "string"));
  expect(text).not.toBe("");
  expect(wider(text)).toEqual([]);
});

test.each(rules.map(({ id }) => id))("vmlint explain %s: no line is wider than the terminal", async (id) => {
  expect(wider(await printed(["explain", id]))).toEqual([]);
});
