import type { Severity } from "../../model/diagnostic.ts";
import { fingerprints } from "./fingerprint.ts";
import { allPlaced, document, isFailure, type Reporter, whyUnchecked, withCell } from "./reporter.ts";

const SEVERITIES: Readonly<Record<Severity, string>> = { error: "major", warning: "minor", info: "info", hint: "info" };

/** GitLab's Code Quality report: the fields its documentation names, and the end of the finding, which Code Climate has too. */
export const gitlab: Reporter = (results, run) => {
  const findings = allPlaced(results);
  const names = fingerprints(findings);
  const lost = (run.notChecked ?? []).map((unchecked) => ({
    description: whyUnchecked(unchecked),
    check_name: "vmlint",
    fingerprint: `vmlint-unread:${unchecked.path}${isFailure(unchecked) ? "" : `:${unchecked.reason}`}`,
    severity: isFailure(unchecked) ? "blocker" : "info",
    location: { path: unchecked.path, lines: { begin: 1 } },
  }));
  return document([
    ...findings.map((finding, i) => ({
      description: withCell(finding),
      check_name: finding.diagnostic.ruleId,
      fingerprint: names[i],
      severity: SEVERITIES[finding.diagnostic.severity],
      location: { path: finding.file.path, lines: { begin: finding.place.line, end: finding.place.endLine } },
    })),
    ...lost,
  ]);
};
