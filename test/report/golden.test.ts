import { REPORT_FORMATS, type ReportFormat, reporters } from "@vmlint/core/reporters";
import { expect, test } from "vitest";
import { RUN, sample } from "./results.ts";

const ENDINGS: Partial<Record<ReportFormat, string>> = {
  json: "json",
  sarif: "json",
  gitlab: "json",
  junit: "xml",
  checkstyle: "xml",
  md: "md",
};

/** html.test.ts opens the HTML report in a browser, and xlsx.test.ts reads the workbook. */
const formats = (Object.keys(REPORT_FORMATS) as ReportFormat[]).filter((format) => format !== "html" && format !== "xlsx");

test.each(formats)("%s (npm run gen)", async (format) => {
  await expect(reporters[format](sample(), RUN)).toMatchFileSnapshot(`golden/${format}.${ENDINGS[format] ?? "txt"}`);
});
