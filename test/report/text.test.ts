import { lint, requireHost, topologyText } from "@vmlint/core";
import { size, sizeText } from "@vmlint/core/size";
import { expect, test } from "vitest";
import { PLAIN } from "../../packages/core/src/report/palette.ts";
import { reporters } from "../../packages/core/src/report/reporters/index.ts";
import { textReport } from "../../packages/core/src/report/text-report.ts";
import { openWorkspace } from "../../packages/core/src/workspace/workspace.ts";

const vm = (name: string, vcpus: number) => `displayName = "${name}"\nnumvcpus = "${vcpus}"\nmemsize = "8192"\nvcpu.hotadd = "TRUE"\n`;

const resultsOf = async (files: Readonly<Record<string, string>>) =>
  (await openWorkspace({ files, host: "2x10x2:256@8.0" }).check()).results;

test("the most severe findings come first, and evidence once for each rule", async () => {
  const text = textReport(await resultsOf({ "a.vmx": vm("a", 18), "b.vmx": vm("b", 41), "c.vmx": vm("c", 16) }));
  const severities = [...text.matchAll(/^(error|warning|info) /gm)].map(([, severity]) => severity);
  expect(severities).toEqual(severities.toSorted((a, b) => "error warning info".indexOf(a ?? "") - "error warning info".indexOf(b ?? "")));
  expect(text.match(/^warning numa\/hidden-by-hotadd/gm)).toHaveLength(2);
  const rule = text.slice(text.indexOf("numa/hidden-by-hotadd"), text.lastIndexOf("numa/hidden-by-hotadd"));
  expect(text.slice(text.lastIndexOf("numa/hidden-by-hotadd")).split("\n\n", 1)[0]).not.toContain("why:");
  expect(rule).toContain("numa/hidden-by-hotadd a.vmx:4:16  a, host 2x10x2:256@8.0\n");
});

test("equal findings are one entry with their VMs", async () => {
  const files = Object.fromEntries(Array.from({ length: 9 }, (_, i) => [`${i}.vmx`, vm(`vm${i}`, 18)]));
  const text = textReport(await resultsOf(files));
  expect(text.match(/numa\/hidden-by-hotadd/g)).toHaveLength(1);
  expect(text).toContain("also: 1.vmx:4:16 vm1, 2.vmx:4:16 vm2, 3.vmx:4:16 vm3");
  expect(text).toContain("and 2 more");
});

test("lines fit the terminal, with hanging indents", async () => {
  const text = textReport(await resultsOf({ "a.vmx": vm("a", 18) }), { ...PLAIN, width: 60 });
  const lines = text.split("\n");
  expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(60);
  expect(text).toMatch(/^ {4}why: .+\n {9}\S/m);
});

test("500 VMs give at most 40 lines, and a summary, too", async () => {
  const files = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`${i}.vmx`, vm(`vm${i}`, (i % 60) + 1)]));
  const results = await resultsOf(files);
  const text = textReport(results);
  expect(text.trimEnd().split("\n").length).toBeLessThanOrEqual(40);
  expect(text).toMatch(/^Errors or warnings on \d+ of 500 VMs. Start with "[\w -]+" \([\w/-]+\): \d+ errors/);
  expect(text).toMatch(/^ {2}\d+ VMs: .* vCPUs/m);
  const summary = reporters.summary(results, { tool: { name: "vmlint", version: "0" }, failOn: "warning", palette: PLAIN });
  expect(summary.trimEnd().split("\n").length).toBeLessThanOrEqual(40);
  expect(summary).toContain("error cpu/exceeds-host-threads\n");
});

const layoutsOf = (files: Readonly<Record<string, string>>, width?: number) =>
  topologyText(
    Object.entries(files).map(([path, text]) => ({ path, text, ...lint(text, { host: "2x10x2:256@8.0" }) })),
    width === undefined ? PLAIN : { ...PLAIN, width },
  );

test("layouts and sizings fit the terminal, with hanging indents", () => {
  const layout = layoutsOf({ "a.vmx": vm("a", 18) }, 72);
  // An address is not broken, so that a terminal can open it.
  const drawn = /^ {4}(node \d|[*-]{8})|^ +https:\S+$/;
  expect(Math.max(...layout.split("\n").map((line) => (drawn.test(line) ? 0 : line.length)))).toBeLessThanOrEqual(72);
  expect(layout).toMatch(/^ {4}vsphere-\S+: .+\n {6}\S/m);
  const sizing = sizeText(size({ vcpus: 18 }, [requireHost("2x10x2:256@8.0")]), { ...PLAIN, width: 60 });
  const before = sizing.slice(0, sizing.indexOf("To write"));
  const rows = /^ {2}.{4}\d+ vCPUs /;
  expect(Math.max(...before.split("\n").map((line) => (rows.test(line) ? 0 : line.length)))).toBeLessThanOrEqual(60);
});

test("the layouts of 500 VMs are at most 120 lines, and count every VM", () => {
  const text = layoutsOf(Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`${i}.vmx`, vm(`vm${i}`, (i % 60) + 1)])));
  expect(text.split("\n").length).toBeLessThanOrEqual(120);
  const counts = [...text.matchAll(/^ {0,4}(\d+) {2}/gm)].map(([, count]) => Number(count));
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(500);
});
