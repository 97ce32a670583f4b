import { strToU8, zipSync } from "fflate";
import { describe, expect, test } from "vitest";
import type { Cell } from "../../packages/core/src/model/cell.ts";
import { vmlint } from "../support/cli.ts";
import { type EstateOptions, estate } from "../support/estate.ts";
import { folder } from "../support/folder.ts";
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
    for (const { cell } of found) {
      const [titles = [], ...rows] = ESTATE[cell.sheet] ?? [];
      expect([titles[cell.column - 1], String(rows[cell.row - 2]?.[cell.column - 1])]).toEqual([cell.title, cell.value]);
    }
  });
});

/** Rules that need one column. */
const COLUMN_OF_RULE: Readonly<Record<string, string>> = { "host/power-policy": "Host Power Policy" };

describe("older versions of RVTools", () => {
  const OLD_TITLES = { "Size MiB": "Size MB", "Capacity MiB": "Capacity MB" };
  // No public list of columns by version was found (2026-11). No variant is one version in full.
  // Notes of a public reader cite release notes: version 3.10 added Latency Sensitivity and Host Power Policy.
  // A version without a column only knows less.
  const VERSIONS: Readonly<Record<string, EstateOptions>> = {
    "sizes in MB": { titles: OLD_TITLES },
    "the guest as OS": { titles: { ...OLD_TITLES, "OS according to the configuration file": "OS" } },
    "no identifiers of VMs": {
      titles: OLD_TITLES,
      without: { vInfo: ["VM ID", "VM UUID"], vCPU: ["VM ID"], vMemory: ["VM ID"], vDisk: ["VM ID"], vNetwork: ["VM ID"] },
    },
    "no columns of later versions": {
      titles: OLD_TITLES,
      without: {
        vInfo: ["SRM Placeholder", "Latency Sensitivity"],
        vCPU: ["Numa Hotadd Exposed"],
        vMemory: ["Memory Reservation Locked To Max"],
        vDisk: ["Eagerly Scrub"],
        vHost: ["Host Power Policy"],
      },
    },
  };

  test.each(Object.entries(VERSIONS))("%s", async (_, options) => {
    const lacks = new Set(Object.values(options.without ?? {}).flat());
    const { found, summary } = await check({ "e.xlsx": workbook(estate(options)) }, "e.xlsx");
    const wanted = await asWorkbook();
    expect(summary.vms).toBe(140);
    expect(rowsOf(found)).toEqual(rowsOf(wanted.found.filter(({ ruleId }) => !lacks.has(COLUMN_OF_RULE[ruleId] ?? ""))));
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
