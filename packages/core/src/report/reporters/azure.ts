import { printable, visible } from "../printable.ts";
import { allPlaced, type FindingAtPlace, lines, type Reporter, whereIs, withCell } from "./reporter.ts";

/**
 * Writes one logging command for each error and warning, because Azure Pipelines has only these two kinds of issue. Other findings are
 * plain log lines.
 */
export const azure: Reporter = (results) => lines(allPlaced(results).map((finding) => issue(finding) ?? logged(finding)));

function issue(finding: FindingAtPlace): string | undefined {
  const {
    file,
    diagnostic: { severity, ruleId },
    place,
  } = finding;
  if (severity !== "error" && severity !== "warning") return undefined;
  const properties = {
    type: severity,
    sourcepath: file.path,
    linenumber: place.line,
    columnnumber: place.column,
    code: ruleId,
  };
  const fields = Object.entries(properties).map(([key, value]) => `${key}=${property(String(value))};`);
  return `##vso[task.logissue ${fields.join("")}]${data(withCell(finding))}`;
}

/** The agent finds commands anywhere in a line, so file names and values must not contain one. */
const logged = (finding: FindingAtPlace): string => {
  const { severity, ruleId } = finding.diagnostic;
  return printable(`${whereIs(finding)}: ${severity} ${ruleId}: ${finding.text}`).replace(/#(?=#)/g, "# ");
};

/**
 * Escapes the characters that the agent unescapes (microsoft/azure-pipelines-agent, CommandStringConvertor and
 * docs/design/percentEncoding.md).
 */
const data = (text: string): string => visible(text).replaceAll("%", "%AZP25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");

const property = (text: string): string => data(text).replaceAll(";", "%3B").replaceAll("]", "%5D");
