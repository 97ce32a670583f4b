import { hoverAt } from "@vmlint/core/editor";
import { lintText } from "@vmlint/core/program";
import { expect, test } from "vitest";
import { diagnosticOf } from "../../packages/cli/src/serve/lsp/protocol.ts";
import { rvtools } from "../../packages/core/src/formats/rvtools/rvtools.ts";
import { csvFiles, exportOf } from "../support/write-workbook.ts";

test("a finding of an export begins with its cell", () => {
  const files = csvFiles(exportOf([{ name: "a", host: "esx01", cpus: 0 }], []));
  const [finding] = lintText(files["RVTools_tabvInfo.csv"] ?? "", { format: rvtools }).diagnostics;
  expect(finding && diagnosticOf(finding, () => undefined).message).toMatch(/^vInfo!E2: .*CPUs/);
});

test("a hover in an export shows the row with its titles, and marks the cell", () => {
  const text = csvFiles(exportOf([{ name: "a|b", host: "esx01", cpus: 4 }], []))["RVTools_tabvInfo.csv"] ?? "";
  const hovered = (at: string) =>
    hoverAt({ text, result: lintText(text, { format: rvtools }), comments: undefined, edit: () => undefined }, text.indexOf(at))
      ?.markdown ?? "";
  expect(hovered(",4,") + hovered("4,8192")).toContain("| vInfo | row 2 |\n|---|---|\n| VM | a\\|b |\n| Powerstate | poweredOn |");
  expect(hovered("4,8192")).toContain("| **CPUs** | **4** |\n| Memory | 8192 |");
});

test("a finding in another file of the export shows its row there", () => {
  const { "RVTools_tabvInfo.csv": text = "", ...others } = csvFiles(
    exportOf([{ name: "a", host: "esx01", cpus: 6, coresPerSocket: 4 }], []),
  );
  const files = { list: () => Object.keys(others), read: (path: string) => others[path] };
  const result = lintText(text, { format: rvtools, context: { path: "RVTools_tabvInfo.csv", files } });
  const { markdown = "" } = hoverAt({ text, result, comments: undefined, edit: () => undefined }, text.indexOf("\na,") + 1) ?? {};
  expect(markdown).toContain("| vCPU | row 2 |");
  expect(markdown).toContain("| **Cores p/s** | **4** |");
});
