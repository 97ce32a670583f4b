import type { Diagnostic } from "../../model/diagnostic.ts";
import { plural } from "../../model/words.ts";
import { pagesOf } from "../../rules/page-of.ts";
import { fixLine } from "../counts.ts";
import { entriesOf, type FindingInFile } from "../entries.ts";
import { countWords, type FindingGroup, groupedBy } from "../finding-groups.ts";
import { overview } from "../overview.ts";
import { padded, printable, widthOf } from "../printable.ts";
import { vmsOf } from "../subject.ts";
import { summary as runSummary } from "../text-report.ts";
import { wrapped } from "../wrap.ts";
import type { Reporter } from "./reporter.ts";

/** The lines of the first screen, and the most rows of each table on it. */
const FIRST_SCREEN = 40;
const ROWS = { cluster: 2, host: 3, vm: 4 };

/** Tells what is wrong, on how many VMs, and what to do first, in 40 lines for any number of VMs. */
export const summary: Reporter = (results, { palette, notChecked = [], fixed, rules }) => {
  const all = entriesOf(results).flat();
  const tables = [
    ...table(
      "Clusters",
      groupedBy(all, ({ diagnostic }) => (diagnostic.cluster ? [diagnostic.cluster] : [])),
      ROWS.cluster,
      palette.width,
    ),
    ...table(
      "Hosts",
      groupedBy(all, ({ diagnostic }) => (diagnostic.host ? [diagnostic.host] : [])),
      ROWS.host,
      palette.width,
    ),
    ...table(
      "VMs",
      groupedBy(all, ({ file, diagnostic }) =>
        isOfHost(diagnostic) ? [] : vmsOf(diagnostic).map((vm) => vmTitle(vm, file.path, diagnostic)),
      ),
      ROWS.vm,
      palette.width,
    ),
  ];
  const withoutVm = notChecked.filter(({ makesNoVm }) => makesNoVm);
  const end = [...runSummary(results, palette, withoutVm), ...fixLine(results, { fixed })];
  const most = FIRST_SCREEN - tables.length - end.length - 1;
  const head = ({ diagnostic: { severity, ruleId } }: FindingInFile): readonly string[] => [`${severity} ${palette.bold(ruleId)}`];
  return [
    ...overview(results, all, { palette, page: pagesOf(rules), most, head }),
    ...(all.length > 0 ? [""] : []),
    ...tables,
    ...end,
    "",
  ].join("\n");
};

const isOfHost = ({ vm, subject }: Diagnostic): boolean => vm === null && subject !== undefined;

const vmTitle = (vm: string, path: string, { host, vmPath = path }: Diagnostic): string => `${vm} (${host ?? vmPath})`;

/** The rule of the most severe finding of a group. */
const worstRule = ({ first }: FindingGroup): string => `worst: ${first.diagnostic.ruleId}`;

/** The longest text of a cell. */
const WIDEST = 60;

/** Returns a table of groups; empty without groups. */
function table(title: string, groups: readonly FindingGroup[], most: number, width: number | undefined): readonly string[] {
  if (groups.length === 0) return [];
  const rows = groups
    .slice(0, most)
    .map((group) => [cut(group.name), countWords(group), title === "VMs" ? "" : plural(group.vms, "VM"), cut(worstRule(group))]);
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => widthOf(row[column] ?? ""))));
  const more = groups.length - rows.length;
  return [
    title,
    ...rows.flatMap((row) => {
      const cells = row.map((cell, i) => (widths[i] === undefined ? cell : padded(cell, widths[i])));
      return wrapped(`  ${cells.filter((cell) => cell !== "").join("  ")}`.trimEnd(), width, 4);
    }),
    ...(more > 0 ? [`  and ${more} more`] : []),
    "",
  ];
}

const cut = (text: string): string => {
  const shown = printable(text);
  return shown.length > WIDEST ? `${shown.slice(0, WIDEST - 3)}...` : shown;
};
