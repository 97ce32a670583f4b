import { lintJson } from "../json-report.ts";
import { asJson } from "../printable.ts";
import { lines, type Reporter } from "./reporter.ts";

/** Writes the JSON report as one value per line: the run, each finding, skipped check and suppressed finding, and the summary last. */
export const ndjson: Reporter = (results, about) => {
  const { diagnostics, skipped, suppressed, summary, ...run } = lintJson(results, about);
  const values = [
    { type: "run", ...run },
    ...diagnostics.map((item) => ({ type: "diagnostic", ...item })),
    ...skipped.map((item) => ({ type: "skipped", ...item })),
    ...suppressed.map((item) => ({ type: "suppressed", ...item })),
    { type: "summary", ...summary },
  ];
  return lines(values.map((value) => asJson(value)));
};
