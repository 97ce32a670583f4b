import type { Severity } from "../../model/diagnostic.ts";
import { findingsAtPlaces, isFailure, lines, type Reporter, whyUnchecked, withCell } from "./reporter.ts";
import { element, XML } from "./xml-element.ts";

const SEVERITIES: Readonly<Record<Severity, string>> = { error: "error", warning: "warning", info: "info", hint: "info" };

/** Checkstyle's XML, which Jenkins, reviewdog and many others read. */
export const checkstyle: Reporter = (results, { notChecked = [] }) => {
  const files = results
    .filter(({ diagnostics }) => diagnostics.length > 0)
    .flatMap((file) =>
      element(
        "file",
        { name: file.path },
        findingsAtPlaces(file).flatMap((finding) => {
          const {
            diagnostic: { severity, ruleId },
            place,
          } = finding;
          return element("error", {
            line: place.line,
            column: place.column,
            severity: SEVERITIES[severity],
            message: withCell(finding),
            source: `vmlint.${ruleId.replaceAll("/", ".")}`,
          });
        }),
      ),
    );
  const lost = notChecked.flatMap((unchecked) =>
    element(
      "file",
      { name: unchecked.path },
      element("error", { line: 1, severity: isFailure(unchecked) ? "error" : "info", message: whyUnchecked(unchecked), source: "vmlint" }),
    ),
  );
  // 4.3 is the version that the readers of this form were written for; nothing has changed in it since.
  return lines([XML, ...element("checkstyle", { version: "4.3" }, [...files, ...lost])]);
};
