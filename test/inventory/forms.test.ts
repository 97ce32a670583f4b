import { strToU8, zipSync } from "fflate";
import { describe, expect, test } from "vitest";
import { rvtools } from "../../packages/core/src/formats/rvtools/rvtools.ts";
import type { Cell } from "../../packages/core/src/model/cell.ts";
import { vmlint } from "../support/cli.ts";
import { estate } from "../support/estate.ts";
import { folder } from "../support/folder.ts";
import { inDatabaseNames, inVersion, missingIn } from "../support/rvtools-versions.ts";
import { csvFiles, type Sheets, workbook } from "../support/write-workbook.ts";

type Files = Readonly<Record<string, string | Uint8Array>>;

interface Found {
  readonly ruleId: string;
  readonly severity: string;
  readonly vm: string | null;
  readonly host: string | null;
  readonly message: string;
  readonly cell: Cell;
}

async function check(files: Files, ...paths: readonly string[]) {
  const { out, err, code } = await vmlint(folder(files), [...paths, "--format", "json"]);
  const { diagnostics, summary, notChecked = [] } = JSON.parse(out);
  return { found: diagnostics as readonly Found[], summary, notChecked, err, code };
}

/** A finding with its cell, whichever column has the title. */
const rowOf = ({ ruleId, vm, host, message, cell }: Found): string =>
  [ruleId, vm, host, message, cell.sheet, cell.row, cell.value].join(" | ");

const rowsOf = (found: readonly Found[]): readonly string[] => found.map(rowOf).sort();

const ESTATE = estate();
let checked: ReturnType<typeof check> | undefined;
const asWorkbook = () => (checked ??= check({ "estate.xlsx": workbook(ESTATE) }, "estate.xlsx"));

describe("140 VMs in every form give the same findings, counts and cells", () => {
  const zip = zipSync(Object.fromEntries(Object.entries(csvFiles(ESTATE)).map(([name, text]) => [name, strToU8(text)])));
  const forms: readonly (readonly [string, Files, readonly string[]])[] = [
    ["a workbook with a prefix and texts in its cells", { "e.xlsx": workbook(ESTATE, { prefix: "x:", strings: "inline" }) }, ["e.xlsx"]],
    ["a folder with RVTools' names", csvFiles(ESTATE), ["."]],
    ["files with the names of sheets, and semicolons", csvFiles(ESTATE, ";", (sheet) => `${sheet}.csv`), ["."]],
    ["files with other names, and tabs", csvFiles(ESTATE, "\t", (sheet) => `2026 ${sheet.toLowerCase()} all.csv`), ["."]],
    ["an archive", { "estate.zip": zip }, ["estate.zip"]],
  ];

  test.each(forms)("%s", async (_, files, paths) => {
    const wanted = await asWorkbook();
    expect(wanted.found.length).toBeGreaterThan(100);
    const { found, summary, notChecked } = await check(files, ...paths);
    const { files: __, ...counts } = wanted.summary;
    expect([rowsOf(found), notChecked]).toEqual([rowsOf(wanted.found), []]);
    expect(summary).toMatchObject(counts);
  });

  test("each cell has the content that the finding quotes", async () => {
    const { found } = await asWorkbook();
    const places: Readonly<Record<string, string>> = {
      "net/emulated-card": "vNetwork Adapter",
      "host/hardware-behind": "vInfo HW version",
    };
    for (const { ruleId, cell } of found) {
      expect(`${cell.sheet} ${cell.title}`).toBe(places[ruleId] ?? `${cell.sheet} ${cell.title}`);
      const [titles = [], ...rows] = ESTATE[cell.sheet] ?? [];
      expect([titles[cell.column - 1], String(rows[cell.row - 2]?.[cell.column - 1])]).toEqual([cell.title, cell.value]);
    }
  });
});

/** Rules that need one column. */
const COLUMN_OF_RULE: Readonly<Record<string, string>> = { "host/power-policy": "Host Power Policy" };

const TEMPLATES = (ESTATE["vInfo"] ?? []).filter((row) => row[2] === true).map(([name]) => String(name));

describe("the estate as each version of RVTools exports it", () => {
  test.each(["3.6", "3.9.5", "3.11.6", "4.0.4", "4.1.2", "4.4.1", "4.6.1"])("%s", async (version) => {
    const lacks = missingIn(ESTATE, version);
    const { found, summary } = await check({ "e.xlsx": workbook(inVersion(ESTATE, version)) }, "e.xlsx");
    const wanted = await asWorkbook();
    expect(summary.vms).toBe(140);
    // Without the column, a template is a VM.
    const isKnown = ({ ruleId, vm }: Found) =>
      !lacks.has(COLUMN_OF_RULE[ruleId] ?? "") && !(lacks.has("Template") && TEMPLATES.includes(vm ?? ""));
    expect(rowsOf(found.filter(isKnown))).toEqual(rowsOf(wanted.found.filter(isKnown)));
    expect(found.map(({ cell }) => cell.title)).toContain(version === "3.6" ? "VM Version" : "HW version");
  });

  test.each([
    ["a workbook", { "e.xlsx": workbook(inDatabaseNames(ESTATE)) }, ["e.xlsx"]],
    ["a folder", csvFiles(inDatabaseNames(ESTATE)), ["."]],
  ] as const)("%s with the names of RVTools' database", async (_, files, paths) => {
    const { found } = await check(files, ...paths);
    expect(rowsOf(found)).toEqual(rowsOf((await asWorkbook()).found));
    expect(found.map(({ cell }) => cell.title)).toContain("vInfoCPUs");
  });
});

test("a column that is missing adds no VM with an error or a warning", async () => {
  const grave = (all: readonly Found[]) => all.flatMap(({ severity, vm }) => (severity === "error" || severity === "warning" ? [vm] : []));
  const wanted = new Set(grave((await asWorkbook()).found));
  for (const [sheet, column] of [
    ["vInfo", "Latency Sensitivity"],
    ["vInfo", "HW version"],
    ["vInfo", "OS according to the configuration file"],
    ["vCPU", "Cores p/s"],
    ["vCPU", "Hot Add"],
    ["vMemory", "Reservation"],
    ["vHost", "HT Active"],
    ["vHost", "ESX Version"],
  ] as const) {
    const { found, summary } = await check({ "e.xlsx": workbook(estate({ without: { [sheet]: [column] } })) }, "e.xlsx");
    expect([column, summary.vms, grave(found).filter((vm) => !wanted.has(vm))]).toEqual([column, 140, []]);
  }
});

test("without a sheet the others still count", async () => {
  for (const sheet of ["vCPU", "vMemory", "vDisk", "vNetwork", "vHost"]) {
    const { [sheet]: _, ...others } = ESTATE;
    const { summary, found, code } = await check({ "e.xlsx": workbook(others) }, "e.xlsx");
    expect([sheet, summary.vms, Number(code) < 2]).toEqual([sheet, 140, true]);
    expect(found.every(({ cell }) => cell.sheet !== sheet)).toBe(true);
  }
});

test("two vCenters in one file with the same names give each finding twice", async () => {
  const { found: once, summary: of } = await asWorkbook();
  const merged: Sheets = Object.fromEntries(
    Object.entries(ESTATE).map(([sheet, [head = [], ...rows]]) => [
      sheet,
      [head, ...rows, ...rows.map((row) => row.map((value) => (value === "vc01.example" ? "vc02.example" : value)))],
    ]),
  );
  const { found, summary } = await check({ "e.xlsx": workbook(merged) }, "e.xlsx");
  expect(summary.vms).toBe(280);
  expect([summary.error, summary.warning, summary.info, summary.hint]).toEqual(
    [of.error, of.warning, of.info, of.hint].map((count) => 2 * count),
  );
  const messages = (all: readonly Found[]): readonly string[] => all.map(({ ruleId, vm, message }) => `${ruleId} ${vm} ${message}`).sort();
  expect(messages(found)).toEqual(messages([...once, ...once]));
});

test("a VM UUID is the one of vCenter only beside a UUID of the BIOS: before version 4.3.1 it was the one of the BIOS", () => {
  const uuidsOf = (head: string, row: string) =>
    [...rvtools.parse(`VM,Powerstate,CPUs,Memory,${head}\na,poweredOn,2,4096,${row}\n`).vms][0]?.uuids?.();
  const [own, bios] = ["500b85c1ef0d37fb689761c47157f858", "420b85c1ef0d37fb689761c47157f858"];
  expect(uuidsOf("SMBIOS UUID,VM UUID", `${bios},${own}`)).toEqual({ bios, instance: own });
  expect(uuidsOf("VM UUID", own)).toEqual({ bios: undefined, instance: undefined });
});
