import { printable } from "../printable.ts";
import { fails, findingsAtPlaces, isFailure, lines, type Reporter, whereIs, whyUnchecked } from "./reporter.ts";

/** TAP 14: a test for each finding, which fails where the command fails for it. A clean file is one test that passes. */
export const tap: Reporter = (results, run) => {
  const tests = results.flatMap((file) => {
    const findings = findingsAtPlaces(file).map((finding) => {
      const { ruleId, severity } = finding.diagnostic;
      return { ok: !fails(finding, run), text: `${whereIs(finding)} ${severity} ${ruleId}: ${finding.text}` };
    });
    return findings.length > 0 ? findings : [{ ok: true, text: file.path }];
  });
  const unchecked = (run.notChecked ?? []).map((unchecked) => ({
    ok: !isFailure(unchecked),
    text: `${unchecked.path} ${whyUnchecked(unchecked)}`,
  }));
  const all = [...tests, ...unchecked];
  return lines([
    "TAP version 14",
    `1..${all.length}`,
    ...all.map(({ ok, text }, i) => `${ok ? "ok" : "not ok"} ${i + 1} - ${description(text)}`),
  ]);
};

/** A hash begins a directive, and a backslash escapes it (TAP 14, "Escaping"). */
const description = (text: string): string => printable(text).replace(/[\\#]/g, "\\$&");
