import { plural } from "../../model/words.ts";
import { rules as builtin } from "../../rules/index.ts";
import { fixLine } from "../counts.ts";
import { entriesOf } from "../entries.ts";
import { countWords, type FindingGroup, groupedBy } from "../finding-groups.ts";
import { padded, printable, widthOf } from "../printable.ts";
import { vmsOf } from "../subject.ts";
import { summary as runSummary } from "../text-report.ts";
import type { Reporter } from "./reporter.ts";

/** The most rows of each table: all tables together have fewer than 200 lines. */
const ROWS = { rule: 60, cluster: 20, host: 40, vm: 40 };

/** Ranks clusters, hosts, rules and VMs by their findings, the worst first, for estates of thousands of VMs. */
export const summary: Reporter = (results, { palette, notChecked = [], fixed, rules = builtin }) => {
  const all = entriesOf(results).flat();
  const summaryOf = ({ name }: FindingGroup): string => rules.find(({ id }) => id === name)?.summary ?? "";
  const tables = [
    ...table(
      "Rules",
      groupedBy(all, ({ diagnostic }) => [diagnostic.ruleId]),
      ROWS.rule,
      summaryOf,
    ),
    ...table(
      "Clusters",
      groupedBy(all, ({ diagnostic }) => (diagnostic.cluster ? [diagnostic.cluster] : [])),
      ROWS.cluster,
      worstRule,
    ),
    ...table(
      "Hosts",
      groupedBy(all, ({ diagnostic }) => (diagnostic.host ? [diagnostic.host] : [])),
      ROWS.host,
      worstRule,
    ),
    ...table(
      "VMs",
      groupedBy(all, ({ file, diagnostic }) =>
        vmsOf(diagnostic).map((vm) => `${vm} (${diagnostic.host ?? diagnostic.vmPath ?? file.path})`),
      ),
      ROWS.vm,
      worstRule,
    ),
  ];
  const withoutVm = notChecked.filter(({ makesNoVm }) => makesNoVm);
  return [...tables, ...runSummary(results, palette, withoutVm), ...fixLine(results, { fixed }), ""].join("\n");
};

/** The rule of the most severe finding of a group. */
const worstRule = ({ first }: FindingGroup): string => `worst: ${first.diagnostic.ruleId}`;

/** The longest text of a cell. */
const WIDEST = 60;

/** Returns a table of groups; empty without groups. */
function table(title: string, groups: readonly FindingGroup[], most: number, aboutOf: (group: FindingGroup) => string): readonly string[] {
  if (groups.length === 0) return [];
  const rows = groups
    .slice(0, most)
    .map((group) => [cut(group.name), countWords(group), title === "VMs" ? "" : plural(group.vms, "VM"), cut(aboutOf(group))]);
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => widthOf(row[column] ?? ""))));
  const more = groups.length - rows.length;
  return [
    title,
    ...rows.map((row) =>
      `  ${row
        .map((cell, i) => (widths[i] === undefined ? cell : padded(cell, widths[i])))
        .filter((cell) => cell !== "")
        .join("  ")}`.trimEnd(),
    ),
    ...(more > 0 ? [`  and ${more} more`] : []),
    "",
  ];
}

const cut = (text: string): string => {
  const shown = printable(text);
  return shown.length > WIDEST ? `${shown.slice(0, WIDEST - 3)}...` : shown;
};
