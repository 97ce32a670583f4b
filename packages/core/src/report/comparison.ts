import type { Severity } from "../model/diagnostic.ts";
import { grouped } from "../model/maps.ts";
import { list, plural } from "../model/words.ts";
import { csvRows } from "./csv-rows.ts";
import { type Paint, type Palette, PLAIN } from "./palette.ts";
import { printable } from "./printable.ts";
import { wrapped } from "./wrap.ts";

/** A change of a VM that moves to another host or platform. */
export interface ShownChange {
  readonly severity: Severity;
  /** The rule that found it. */
  readonly id: string;
  readonly message: string;
  /** The condition, if it is not certain. */
  readonly when?: string | undefined;
  /** A finding that the VM no longer has. */
  readonly ends?: boolean;
}

/** A VM before and after. */
export interface ComparedVm {
  readonly vm: string;
  readonly path: string;
  readonly host: string | null;
  readonly before: string;
  /** Several, if a condition decides. */
  readonly after: readonly string[];
  /** The gravest certain severity, and a graver possible severity. */
  readonly worst: Severity | null;
  readonly possible: Severity | null;
  /** Why nothing is known of it. */
  readonly undecided?: string | undefined;
  /** Whether it changes without a finding. */
  readonly differs?: boolean;
  readonly changes: readonly ShownChange[];
  /** Its settings that keep it as it is, and the ones whose message does not name them. */
  readonly keeps: readonly string[];
  readonly shownKeeps: readonly string[];
  readonly misses: readonly string[];
}

/** VMs before and after a move or an import. */
export interface Comparison {
  readonly headline: string;
  readonly sums: readonly string[];
  readonly before: string;
  readonly after: string;
  readonly vms: readonly ComparedVm[];
  /** Sentences about all VMs, and addresses. */
  readonly notes: readonly string[];
  readonly sources: readonly { readonly title: string; readonly url: string }[];
}

/** How many groups of equal VMs the text shows. */
const SHOWN = 20;

/** How many VMs of a group it names. */
const NAMED = 3;

/** Returns a comparison for people: the sums, then the VMs that change. */
export function comparisonText(comparison: Comparison, palette: Palette = PLAIN): string {
  const { headline, sums, vms, notes, sources } = comparison;
  const changed = [
    ...grouped(
      vms.filter((vm) => changes(vm)),
      (vm) => bodyLines(vm, comparison, PLAIN).join("\n"),
    ).values(),
  ];
  const undecided = [...grouped(vms, (vm) => vm.undecided ?? "")].filter(([why]) => why !== "");
  const left = changed.slice(SHOWN).reduce((sum, { length }) => sum + length, 0);
  const lines = [
    palette.bold(headline),
    ...sums.map((line) => `  ${line}`),
    "",
    ...changed.slice(0, SHOWN).flatMap((group) => [...groupLines(group, comparison, palette), ""]),
    ...(left > 0 ? [`${plural(left, "more VM")} with a change: --format csv lists all.`, ""] : []),
    ...undecided.slice(0, SHOWN).map(([why, group]) => palette.dim(printable(`No answer for ${namesOf(group)}: ${why}.`))),
    ...(undecided.length > 0 ? [""] : []),
    ...notes,
    ...sources.map(({ url }) => palette.dim(url)),
  ];
  return `${lines
    .flatMap((line) => wrapped(line, palette.width, 6))
    .join("\n")
    .trimEnd()}\n`;
}

const changes = ({ worst, possible, differs }: ComparedVm): boolean => Boolean(worst ?? possible) || differs === true;

const paints = (palette: Palette): Readonly<Record<Severity, Paint>> => ({
  error: palette.red,
  warning: palette.yellow,
  info: palette.blue,
  hint: palette.dim,
});

function namesOf(group: readonly ComparedVm[]): string {
  const names = group.slice(0, NAMED).map(({ vm }) => vm);
  return list(group.length > NAMED ? [...names, `${group.length - NAMED} more`] : names, "and");
}

/** Returns the lines of VMs that differ only in their names. */
function groupLines(group: readonly ComparedVm[], labels: Comparison, palette: Palette): readonly string[] {
  const [first] = group;
  if (!first) return [];
  const severity = first.worst ?? first.possible ?? "hint";
  const path = new Set(group.map((one) => one.path)).size === 1 ? `  ${palette.dim(printable(first.path))}` : "";
  return [
    `${paints(palette)[severity](standing(first))} ${palette.bold(printable(namesOf(group)))}${path}`,
    ...bodyLines(first, labels, palette),
  ];
}

function standing({ worst, possible, undecided, differs }: ComparedVm): string {
  if (worst ?? possible) return worst ?? `possible ${possible}`;
  return undecided === undefined ? (differs ? "another layout" : "nothing is lost") : "no answer";
}

function bodyLines(
  { before, after, changes: all, shownKeeps, misses }: ComparedVm,
  labels: Comparison,
  palette: Palette,
): readonly string[] {
  const paint = paints(palette);
  const line = (label: string, words: string): string =>
    `  ${`${label}:`.padEnd(Math.max(8, labels.before.length + 1))} ${printable(words)}`;
  return [
    line(labels.before, before),
    ...after.map((words) => line("after", words)),
    ...all.map(
      ({ severity, id, message, when, ends }) =>
        `    ${ends ? palette.dim(`no ${severity}`) : paint[severity](severity)} ${printable(message)} ${palette.dim(id)}${when === undefined ? "" : ` (if ${when})`}`,
    ),
    ...shownKeeps.map((text) => line("keep", text)),
    ...misses.map((text) => line("misses", text)),
  ];
}

export const columnsOf = ({ before, after }: Comparison): readonly string[] => [
  ...["severity", "vm", "path", "host", before, after],
  ...["changes that matter", "kept by"],
];

/** Returns a row for each VM. */
export const comparisonRows = ({ vms }: Comparison): readonly (readonly string[])[] =>
  vms.map((one) => {
    const { vm, path, host, before, after, undecided, changes: all, keeps, misses } = one;
    const messages = all.map(
      ({ severity, message, when, ends }) => `${ends ? "no " : ""}${severity}: ${message}${when === undefined ? "" : ` (if ${when})`}`,
    );
    return [
      ...[standing(one), vm, path, host ?? "", before, after.join(", or ")],
      ...[undecided ?? messages.join(" "), [...keeps, ...misses.map((text) => `not ${text}`)].join("; ")],
    ];
  });

export const comparisonCsv = (comparison: Comparison): string => csvRows([columnsOf(comparison), ...comparisonRows(comparison)]);
