import type { Importer } from "../importers/importer.ts";
import { IMPORTERS } from "../importers/index.ts";
import { conditionWords } from "../importers/source-view.ts";
import type { Kept, Target } from "../importers/targets/target.ts";
import type { Change, Migrated, Outcome } from "../migrate/migrate.ts";
import { SEVERITIES, type Severity } from "../model/diagnostic.ts";
import { grouped } from "../model/maps.ts";
import { list, plural } from "../model/words.ts";
import { csvRows } from "./csv-rows.ts";
import { SCHEMA_VERSION } from "./json-report.ts";
import { type Paint, type Palette, PLAIN } from "./palette.ts";
import { printable } from "./printable.ts";
import type { Tool } from "./result.ts";
import { outcomesWords, shapeWords } from "./shape-words.ts";
import { wrapped } from "./wrap.ts";

/** The answer of `vmlint migrate`. */
export interface Migration {
  readonly importer: Importer;
  readonly target: Target;
  /** The gravest first. */
  readonly vms: readonly Migrated[];
}

/** How many groups of equal VMs the text shows. */
const SHOWN = 20;

/** How many VMs of a group it names. */
const NAMED = 3;

/** Returns a migration for people: the sums, then the VMs that lose something. */
export function migrationText({ importer, target, vms }: Migration, palette: Palette = PLAIN): string {
  const losing = [
    ...grouped(
      vms.filter(({ worst, possible }) => worst ?? possible),
      (vm) => bodyLines(vm, PLAIN).join("\n"),
    ).values(),
  ];
  const undecided = [...grouped(vms, (vm) => vm.undecided ?? "")].filter(([why]) => why !== "");
  const left = losing.slice(SHOWN).reduce((sum, { length }) => sum + length, 0);
  const lines = [
    palette.bold(headlineOf({ importer, target, vms })),
    ...sums(vms).map((line) => `  ${line}`),
    "",
    ...losing.slice(0, SHOWN).flatMap((group) => [...groupLines(group, palette), ""]),
    ...(left > 0 ? [`${plural(left, "more VM")} with a change: --format csv lists all.`, ""] : []),
    ...undecided.slice(0, SHOWN).map(([why, group]) => palette.dim(printable(`No answer for ${namesOf(group)}: ${why}.`))),
    ...(undecided.length > 0 ? [""] : []),
    `It reads the ${importer.reads}. ${importer.devices}`,
    ...othersOf(importer),
    ...importer.sources.map(({ url = "" }) => palette.dim(url)),
    "",
  ];
  return lines.flatMap((line) => wrapped(line, palette.width, 6)).join("\n");
}

export const headlineOf = ({ importer, target, vms }: Migration): string =>
  `${plural(vms.length, "VM")} to ${target.title} by ${importer.title} (${importer.version})`;

function othersOf({ name, target }: Importer): readonly string[] {
  const names = IMPORTERS.flatMap((one) => (one.target === target && one.name !== name ? one.name : []));
  return names.length === 0 ? [] : [`Other importers: --by ${list(names, "or")}.`];
}

/** Returns how many VMs lose nothing, and how many have each change. */
export function sums(vms: readonly Migrated[]): readonly string[] {
  const undecided = vms.filter((vm) => vm.undecided !== undefined).length;
  const nothing = vms.filter(losesNothing).length;
  const depends = vms.filter(({ worst, possible }) => !worst && possible).length;
  const counts = SEVERITIES.map((severity) => [severity, vms.filter(({ worst }) => worst === severity).length] as const);
  const [before, after] = vcpuSums(vms);
  return [
    `Nothing is lost: ${plural(nothing, "VM")}`,
    ...counts.flatMap(([severity, count]) => (count > 0 ? [`${WORDS[severity]}: ${plural(count, "VM")}`] : [])),
    ...(depends > 0 ? [`It depends on cores per socket: ${plural(depends, "VM")}`] : []),
    ...(undecided > 0 ? [`No answer: ${plural(undecided, "VM")}`] : []),
    ...(before === after ? [] : [`${before} vCPUs become ${after}`]),
  ];
}

const WORDS: Readonly<Record<Severity, string>> = { error: "Error", warning: "Warning", info: "To know", hint: "Hint" };

const losesNothing = ({ worst, possible, undecided }: Migrated): boolean => !worst && !possible && undecided === undefined;

/** The vCPUs before and after, of VMs with one outcome. */
function vcpuSums(vms: readonly Migrated[]): readonly [before: number, after: number] {
  let [before, after] = [0, 0];
  for (const { before: shape, outcomes } of vms) {
    const [view] = outcomes.flatMap((one) => one.view ?? []);
    if (!shape || !view || outcomes.length > 1) continue;
    before += shape.vcpus;
    after += view.vcpus;
  }
  return [before, after];
}

const paints = (palette: Palette): Readonly<Record<Severity, Paint>> => ({
  error: palette.red,
  warning: palette.yellow,
  info: palette.blue,
  hint: palette.dim,
});

function namesOf(group: readonly Migrated[]): string {
  const names = group.slice(0, NAMED).map(({ vm }) => vm);
  return list(group.length > NAMED ? [...names, `${group.length - NAMED} more`] : names, "and");
}

/** Returns the lines of VMs that differ only in their names. */
function groupLines(group: readonly Migrated[], palette: Palette): readonly string[] {
  const [first] = group;
  if (!first) return [];
  const severity = first.worst ?? first.possible ?? "hint";
  const path = new Set(group.map((one) => one.path)).size === 1 ? `  ${palette.dim(printable(first.path))}` : "";
  const word = first.worst ? severity : `possible ${severity}`;
  return [`${paints(palette)[severity](word)} ${palette.bold(printable(namesOf(group)))}${path}`, ...bodyLines(first, palette)];
}

function bodyLines({ before, outcomes, keep, kept }: Migrated, palette: Palette): readonly string[] {
  const paint = paints(palette);
  const shown = distinctChanges(outcomes);
  return [
    `  on ESXi: ${before ? shapeWords(before) : "unknown"}`,
    ...outcomesWords(outcomes).map((words) => `  after:   ${words}`),
    ...shown.map(
      ({ severity: own, id, message, when }) =>
        `    ${paint[own](own)} ${printable(message)} ${palette.dim(id)}${when === undefined ? "" : ` (if ${when})`}`,
    ),
    ...shapeWordsOf(shown, keep, kept).map((text) => `  keep:    ${printable(text)}`),
    ...shown.flatMap(({ misses }) => (misses ? `  misses:  ${printable(misses)}` : [])),
  ];
}

/** Returns each change once, with its condition unless all outcomes have it. */
function distinctChanges(outcomes: readonly Outcome[]): readonly (Change & { readonly when: string | undefined })[] {
  const all = outcomes.flatMap(({ when, changes }) => changes.map((change) => ({ ...change, condition: when })));
  return [...grouped(all, ({ id, message }) => `${id} ${message}`).values()].flatMap((same) => {
    const conditions = same.flatMap(({ condition }) => condition ?? []);
    const when = same.length === outcomes.length || conditions.length === 0 ? undefined : conditionWords(conditions);
    return same.slice(0, 1).map(({ condition: _, ...change }) => ({ ...change, when }));
  });
}

/** Returns the settings that keep a VM as it is, the shape first. */
const keepWords = (changes: readonly Pick<Change, "keep">[], shape: string | undefined, kept: Kept): readonly string[] => [
  ...shapeWordsOf(changes, shape, kept),
  ...new Set(changes.flatMap(({ keep }) => keep ?? [])),
];

/** Returns the setting of the shape, if a change concerns it. The messages of other changes have their settings. */
function shapeWordsOf(changes: readonly Pick<Change, "keep">[], shape: string | undefined, kept: Kept): readonly string[] {
  if (changes.every(({ keep }) => keep !== undefined)) return [];
  return "why" in kept ? [`no definition: ${kept.why}`] : shape ? [shape] : [];
}

export const notesOf = ({ reads, devices, sources }: Importer): readonly string[] => [
  `It reads the ${reads}. ${devices}`,
  ...sources.map(({ key, title, url }) => `${key}: ${title}${url ? `, ${url}` : ""}`),
];

export const COLUMNS = ["severity", "vm", "path", "host", "on ESXi", "after import", "changes that matter", "kept by"] as const;

/** Returns a row for each VM. */
export function migrationRows({ vms }: Migration): readonly (readonly string[])[] {
  return vms.map(({ vm, path, host, worst, possible, before, undecided, outcomes, keep, kept }) => {
    const changes = distinctChanges(outcomes);
    const messages = changes.map(({ severity, message, when }) => `${severity}: ${message}${when === undefined ? "" : ` (if ${when})`}`);
    return [
      worst ?? (possible ? `possible ${possible}` : undecided === undefined ? "nothing is lost" : "no answer"),
      vm,
      path,
      host ?? "",
      before ? shapeWords(before) : "",
      outcomesWords(outcomes).join(", or "),
      undecided ?? messages.join(" "),
      [...keepWords(changes, keep, kept), ...changes.flatMap(({ misses }) => (misses ? `not ${misses}` : []))].join("; "),
    ];
  });
}

export const migrationCsv = (migration: Migration): string => csvRows([COLUMNS, ...migrationRows(migration)]);

/** `vmlint migrate --format json`. */
export function migrationJson({ importer, target, vms }: Migration, tool: Tool) {
  const { name, title, version, sources, reads } = importer;
  return {
    schemaVersion: SCHEMA_VERSION,
    tool,
    to: target.name,
    importer: { name, title, version, reads, sources },
    nothingIsLost: vms.filter(losesNothing).length,
    vms: vms.map(({ outcomes, kept, keep, undecided, before, ...vm }) => ({
      ...vm,
      before: before ?? null,
      undecided: undecided ?? null,
      outcomes: outcomes.map(({ view, text, when, fails, changes }) => ({
        when: when ? conditionWords([when]) : null,
        fails: fails ?? null,
        definition: text ?? null,
        after: view
          ? {
              vcpus: view.vcpus,
              sockets: view.sockets,
              coresPerSocket: view.coresPerSocket,
              threadsPerCore: view.threadsPerCore,
              vnumaNodes: view.vnumaNodes,
              usableVcpus: view.usableVcpus,
              guestUsableVcpus: view.guestUsableVcpus,
            }
          : null,
        changes: changes.map(({ sources: own, ...change }) => ({
          ...change,
          sources: own.map(({ key, url }) => ({ key, url: url ?? null })),
        })),
      })),
      keep: keep ?? null,
      definition: "text" in kept ? kept.text : null,
      commands: "text" in kept ? (kept.commands ?? null) : null,
      misses: "text" in kept ? (kept.misses ?? null) : kept.why,
    })),
  };
}

/** Returns the definitions that keep the shape of each VM, and the reasons for VMs without one. */
export function writtenDefinitions({ target, vms }: Migration): { readonly text: string; readonly without: readonly string[] } {
  const texts = vms.flatMap(({ kept }) => ("text" in kept ? (kept.commands ?? kept.text) : []));
  const without = vms.flatMap(({ vm, kept }) =>
    "why" in kept ? [`${vm}: ${kept.why}`] : kept.misses ? [`${vm}: it does not keep ${kept.misses}`] : [],
  );
  return { text: texts.join(target.separator), without };
}
