import { lintText } from "@vmlint/core";
import { expect, test } from "vitest";
import { diagnosticOf } from "../../packages/cli/src/serve/lsp/protocol.ts";
import { rvtools } from "../../packages/core/src/formats/rvtools/rvtools.ts";
import { csvFiles, exportOf } from "../support/write-workbook.ts";

test("a finding of an export begins with its cell", () => {
  const files = csvFiles(exportOf([{ name: "a", host: "esx01", cpus: 0 }], []));
  const [finding] = lintText(files["RVTools_tabvInfo.csv"] ?? "", { format: rvtools }).diagnostics;
  expect(finding && diagnosticOf(finding, () => undefined).message).toMatch(/^vInfo!E2: .*CPUs/);
});
