import { escapeXml } from "../../picture/text.ts";
import { linesOf } from "../../result.ts";
import type { Reporter } from "../reporter.ts";
import { filters, ruleTable, summary, suppressedTable } from "./overview.ts";
import { SCRIPT, SCRIPT_HASH } from "./script.ts";
import { STYLE } from "./style.ts";
import { groupsOf, pictureBudget, vmSection } from "./vm.ts";

/**
 * Writes a self-contained page: findings by VM, with filters and pictures of layouts. It is well-formed XML, so that tests can parse it
 * even with unusual names.
 */
export const html: Reporter = (results, { tool, rules, notChecked }) => {
  const groups = results.flatMap(groupsOf);
  const linesIn = linesOf(results);
  const drawn = pictureBudget();
  return [
    "<!doctype html>",
    '<html lang="en">',
    "<head>",
    '<meta charset="utf-8"/>',
    '<meta name="viewport" content="width=device-width, initial-scale=1"/>',
    `<meta http-equiv="Content-Security-Policy" content="${POLICY}"/>`,
    '<link rel="icon" href="data:,"/>',
    "<title>vmlint report</title>",
    `<style>${STYLE}</style>`,
    "</head>",
    "<body>",
    `<header>\n<h1>vmlint <small>${escapeXml(tool.version)}</small></h1>\n${summary(results, notChecked)}\n</header>`,
    "<main>",
    ...(groups.length > 0
      ? [ruleTable(groups, rules), filters(groups), ...groups.map((group, i) => vmSection(group, i, linesIn, drawn))]
      : []),
    ...suppressedTable(results),
    "</main>",
    `<footer><p>Made by vmlint ${escapeXml(tool.version)}. This page loads nothing.</p></footer>`,
    ...(groups.length > 0 ? [`<script>${SCRIPT}</script>`] : []),
    "</body>",
    "</html>",
    "",
  ].join("\n");
};

const POLICY = `default-src 'none'; style-src 'unsafe-inline'; script-src '${SCRIPT_HASH}'; img-src data:; base-uri 'none'; form-action 'none'`;
