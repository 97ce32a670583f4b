import { printable } from "../printable.ts";
import { allPlaced, lines, type Reporter, whereIs } from "./reporter.ts";

/** `path:line:column: severity rule: message`, the form compilers made common. */
export const compact: Reporter = (results) =>
  lines(
    allPlaced(results).map((found) => {
      const { severity, ruleId } = found.diagnostic;
      return printable(`${whereIs(found)}: ${severity} ${ruleId}: ${found.text}`);
    }),
  );
