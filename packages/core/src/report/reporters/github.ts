import { pageOrCommand } from "../../lint/finding.ts";
import type { Severity } from "../../model/diagnostic.ts";
import { visible } from "../printable.ts";
import { allPlaced, lines, type Reporter, withCell } from "./reporter.ts";

const COMMANDS: Readonly<Record<Severity, string>> = { error: "error", warning: "warning", info: "notice", hint: "notice" };

/** Writes a workflow command for each finding; the runner turns them into annotations. */
export const github: Reporter = (results) =>
  lines(
    allPlaced(results).map((finding) => {
      const { file, diagnostic, place } = finding;
      const { severity, ruleId, docsUrl } = diagnostic;
      const properties = {
        file: file.path,
        line: place.line,
        endLine: place.endLine,
        // Columns are only valid for ranges within one line.
        ...(place.line === place.endLine && { col: place.column, endColumn: place.endColumn }),
        title: ruleId,
      };
      const fields = Object.entries(properties).map(([key, value]) => `${key}=${property(String(value))}`);
      return `::${COMMANDS[severity]} ${fields.join(",")}::${data(`${withCell(finding)}\n${pageOrCommand(ruleId, docsUrl)}`)}`;
    }),
  );

/** Escapes the same characters as the library of the runner (actions/toolkit, packages/core/src/command.ts). */
const data = (text: string): string => visible(text).replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");

const property = (text: string): string => data(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
