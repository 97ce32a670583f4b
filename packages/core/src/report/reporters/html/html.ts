import { pagesOf } from "../../../rules/page-of.ts";
import { foundWords, scopeWords } from "../../counts.ts";
import { entriesOf, type FindingInFile } from "../../entries.ts";
import { estateVms } from "../../estate-vms.ts";
import { groupedBy } from "../../finding-groups.ts";
import { noteHint, startWords } from "../../overview.ts";
import { pageStyles } from "../../picture/drawing.ts";
import { escapeXml } from "../../picture/svg-text.ts";
import { linesOf } from "../../result.ts";
import { vmNames } from "../../subject.ts";
import type { Reporter } from "../reporter.ts";
import { folded, pageHead } from "./elements.ts";
import { estate } from "./estate.ts";
import { about, filters, hostList, ruleList, summary, suppressedTable } from "./overview.ts";
import { SCRIPT, SCRIPT_HASH } from "./script.ts";
import { pictureBudget, vmSection, worstGroups } from "./vm-section.ts";

/** Returns one of the most severe findings, whose message ends with what to set. */
function example(finding: FindingInFile | undefined): readonly string[] {
  if (!finding) return [];
  const { message } = finding.diagnostic;
  return [
    `<p class="about">For example <bdi>${escapeXml(vmNames(finding.diagnostic) || finding.file.path)}</bdi>: ${escapeXml(message)}</p>`,
  ];
}

/** With more VMs, the page shows each as one line until it is opened. */
const OPEN = 10;

/** The VMs after these are under one more line. */
const SHOWN = 50;

/**
 * Writes a self-contained page: findings by rule, by host and by VM, the worst first, with filters, the lines that fixes change, and pictures
 * of layouts. It is well-formed XML, so that tests can parse it even with unusual names.
 */
export const html: Reporter = (results, run) => {
  const { tool, rules } = run;
  const rulePage = pagesOf(rules);
  const groups = worstGroups(results);
  const texts = new Map(results.flatMap(({ path, text, isSecret }) => (text && !isSecret ? [[path, text] as const] : [])));
  const isOpen = groups.length <= OPEN;
  const page = { linesIn: linesOf(results), textOf: (path: string) => texts.get(path), drawn: pictureBudget(), isOpen, rulePage };
  const sections = groups.map((group, i) => vmSection(group, i, page));
  const vms = estateVms(results);
  const sectionOf = new Map(
    groups.flatMap(({ vms: names, host }, i) => names.map((name) => [`${name}\n${host}`, `#vm-${i}`] as const)).reverse(),
  );
  const inEstate = estate(vms, ({ spec, host }) => sectionOf.get(`${spec.name}\n${host?.name ?? ""}`), run);
  const [worst] = groupedBy(entriesOf(results).flat(), ({ diagnostic }) => [diagnostic.ruleId]);
  const start = startWords(results, worst, rulePage);
  const severityCounts = foundWords(results).map(({ words }) => words);
  return [
    ...pageHead(`vmlint: ${severityCounts[0] ?? "no findings"} in ${scopeWords(results)}`, SCRIPT_HASH),
    "<body>",
    pageStyles(),
    `<header>\n<h1>vmlint report</h1>\n${about(results, run)}\n${summary(results, run)}`,
    ...(start === undefined ? [] : [`<p class="start">${escapeXml(start)}</p>`, ...example(worst?.first)]),
    "</header>",
    "<main>",
    ...(groups.length > 0
      ? [
          ruleList(groups, rulePage),
          ...noteHint(results).map((line) => `<p class="about">${line}</p>`),
          ...inEstate,
          ...hostList(groups),
          filters(groups),
          ...folded(sections, "VM", SHOWN),
        ]
      : inEstate),
    ...suppressedTable(results),
    "</main>",
    `<footer><p>Made by vmlint ${escapeXml(tool.version)}. This page loads nothing.</p></footer>`,
    ...(groups.length + vms.length > 0 ? [`<script>${SCRIPT}</script>`] : []),
    "</body>",
    "</html>",
    "",
  ].join("\n");
};
