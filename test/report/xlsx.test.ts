import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { reporters } from "@vmlint/core/reporters";
import { unzipSync } from "fflate";
import { expect, test } from "vitest";
import { openArchive } from "../../packages/core/src/formats/rvtools/unzip.ts";
import { readWorkbook } from "../../packages/core/src/formats/rvtools/workbook.ts";
import { workbookBytes } from "../../packages/core/src/report/workbook-file.ts";
import { vmlint } from "../support/cli.ts";
import { estate } from "../support/estate.ts";
import { folder } from "../support/folder.ts";
import { parseXml } from "../support/parse-xml.ts";
import { workbook } from "../support/write-workbook.ts";
import { RUN, sample } from "./results.ts";

type Rows = readonly Readonly<Record<string, string | undefined>>[];

/** Reads columns of a workbook with the reader of exports. */
function read(bytes: Uint8Array, titles: readonly string[]): ReadonlyMap<string, Rows> {
  const tables = readWorkbook(openArchive(bytes), () => new Set(titles)) ?? new Map();
  return new Map(
    Array.from(tables, ([name, { rows }]) => [
      name,
      rows.map((row: { cell: (title: string) => { value: string } | undefined }) =>
        Object.fromEntries(titles.map((title) => [title, row.cell(title)?.value])),
      ),
    ]),
  );
}

const FILES = { "estate.xlsx": workbook(estate()) };

test("the workbook of an estate has a sheet for each severity, and all VMs", async () => {
  const cwd = folder(FILES);
  const { out, code } = await vmlint(cwd, ["estate.xlsx", "--format", "json", "--format", "xlsx:report.xlsx"]);
  const { diagnostics, summary } = JSON.parse(out);
  const sheets = read(readFileSync(join(cwd, "report.xlsx")), [
    "VM",
    "Rule",
    "Finding",
    "Order",
    "Findings",
    "Errors",
    "On its host",
    "Place",
  ]);
  const names = [...sheets.keys()].map((name) => name.toLowerCase());
  expect([code, names]).toEqual([1, ["start", "summary", "errors", "warnings", "infos", "hints", "vms"]]);
  const rowsOf = (name: string): Rows => [...sheets].find(([key]) => key.toLowerCase() === name)?.[1] ?? [];
  for (const severity of ["error", "warning", "info", "hint"]) {
    const wanted = diagnostics.filter((one: { severity: string }) => one.severity === severity);
    expect(rowsOf(`${severity}s`).map(({ Finding }) => Finding)).toEqual(wanted.map(({ message }: { message: string }) => message));
  }
  const sum = (rows: Rows, title: string): number => rows.reduce((total, row) => total + Number(row[title]), 0);
  expect(sum(rowsOf("summary"), "Findings")).toBe(diagnostics.length);
  expect([rowsOf("vms").length, sum(rowsOf("vms"), "Errors")]).toEqual([summary.vms, summary.error]);
  expect(new Set(rowsOf("vms").map((row) => row["On its host"]))).toEqual(
    new Set(["fits one node", "spans nodes", "exceeds the host", "unknown: its values keep it from starting, as a finding says"]),
  );
  expect(rowsOf("errors")[0]?.Place).toMatch(/^estate\.xlsx v\w+![A-Z]+\d+$/);
});

test("findings of an export have the change that they advise", async () => {
  const cwd = folder(FILES);
  const { out } = await vmlint(cwd, ["estate.xlsx", "--format", "csv", "--format", "json:report.json"]);
  const { diagnostics } = JSON.parse(readFileSync(join(cwd, "report.json"), "utf8"));
  const wide = diagnostics.find(({ ruleId }: { ruleId: string }) => ruleId === "cpu/cps-exceeds-pnode");
  expect(wide).toMatchObject({ fixes: [], proposal: { changes: [{ setting: "coresPerSocket", value: 11 }] } });
  const { title } = wide.proposal;
  expect(out).toContain(`Cores p/s = 22,coresPerSocket = 11,${title} (changes how the VM runs),`);
});

test("a later run replaces it, and checks no VM of it", async () => {
  const cwd = folder(FILES);
  const first = await vmlint(cwd, [".", "--format", "xlsx:report.xlsx"]);
  const second = await vmlint(cwd, [".", "--format", "xlsx:report.xlsx", "--format", "json"]);
  expect([first.code, second.code, JSON.parse(second.out).summary.vms]).toEqual([1, 1, 140]);
  const other = await vmlint(cwd, ["report.xlsx"]);
  expect([other.code, other.err]).toEqual([2, expect.stringContaining("report.xlsx is not checked: ")]);
});

test("another workbook stays, and stdout takes no workbook", async () => {
  const cwd = folder({ ...FILES, "a.vmx": 'numvcpus = "2"\n' });
  expect(await vmlint(cwd, ["a.vmx", "--format", "xlsx:estate.xlsx"])).toMatchObject({
    code: 2,
    err: expect.stringContaining("Choose another name."),
  });
  expect(await vmlint(cwd, ["a.vmx", "--format", "xlsx"])).toMatchObject({
    code: 2,
    err: "vmlint: --format xlsx needs a file name: write --format xlsx:FILE.xlsx.\n",
  });
});

test("any text is a text, each file of it is XML, and the same findings are the same bytes", () => {
  const texts = ["=1+1", "@SUM(A1)", "a\u0000b\u001b[31m", "<b>&\"'", "x".repeat(40_000), "\ud800", " two  blanks "];
  const columns = [
    { title: "Text", width: 10 },
    { title: "More", width: 10, wraps: true as const },
  ];
  const rows = [...texts.map((text) => [text, 1.5]), [{ text: "page", url: 'https://example.com/?a=1&b="2"' }, undefined]];
  const bytes = workbookBytes([{ name: "A & B", columns, rows }]);
  expect(workbookBytes([{ name: "A & B", columns, rows }])).toEqual(bytes);
  for (const part of Object.values(unzipSync(bytes))) parseXml(new TextDecoder("utf-8", { fatal: true }).decode(part));
  const [read0] = [...read(bytes, ["Text", "More"]).values()];
  expect(read0?.map(({ Text }) => Text?.slice(0, 8))).toEqual([
    "=1+1",
    "@SUM(A1)",
    "a\ufffdb\ufffd[31m",
    "<b>&\"'",
    "xxxxxxxx",
    "\ufffd",
    " two  bl",
    "page",
  ]);
});

test("without a finding or a file it is still a workbook", () => {
  for (const results of [[], sample()]) expect(unzipSync(reporters.xlsx(results, RUN))["xl/worksheets/sheet1.xml"]).toBeDefined();
});

const hasOpenpyxl = spawnSync("python3", ["-c", "import openpyxl"]).status === 0;

test.skipIf(!hasOpenpyxl)("openpyxl opens it: filters, titles that stay, numbers", async () => {
  const cwd = folder(FILES);
  await vmlint(cwd, ["estate.xlsx", "--format", "xlsx:report.xlsx"]);
  writeFileSync(join(cwd, "read.py"), READ);
  const sheets = JSON.parse(execFileSync("python3", ["-W", "error", "read.py"], { cwd, encoding: "utf8" }));
  expect(sheets.map(([name]: [string]) => name)).toEqual(["Summary", "Errors", "Warnings", "Infos", "Hints", "VMs"]);
  for (const [, extent, filter, frozen] of sheets) expect([filter, frozen]).toEqual([extent, "A2"]);
  expect(sheets.at(-1)[4]).toMatchObject({ VM: "web000", vCPUs: 2, "Memory (GiB)": 8 });
});

const READ = `import json, openpyxl
book = openpyxl.load_workbook("report.xlsx")
rows = lambda sheet: list(sheet.values)
print(json.dumps([[s.title, s.dimensions, s.auto_filter.ref, s.freeze_panes, dict(zip(*rows(s)[:2]))] for s in book]))
`;
