import { printable } from "../printable.ts";
import { allPlaced, lines, type Reporter, whereIs } from "./reporter.ts";

/** `path:line:column: severity rule: message`, the form compilers made common. */
export const compact: Reporter = (results) =>
  lines(
    allPlaced(results).map((finding) => {
      const { severity, ruleId } = finding.diagnostic;
      return printable(`${whereIs(finding)}: ${severity} ${ruleId}: ${finding.text}`);
    }),
  );
