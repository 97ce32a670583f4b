import type { Importer } from "../importers/importer.ts";
import { IMPORTERS } from "../importers/index.ts";
import { conditionWords } from "../importers/source-view.ts";
import type { Kept, Target } from "../importers/targets/target.ts";
import type { Change, Migrated, Outcome } from "../migrate/migrate.ts";
import { SEVERITIES, type Severity } from "../model/diagnostic.ts";
import { grouped } from "../model/maps.ts";
import { list, plural } from "../model/words.ts";
import type { ComparedVm, Comparison } from "./comparison.ts";
import { SCHEMA_VERSION } from "./json-report.ts";
import type { Tool } from "./result.ts";
import { outcomesWords, shapeWords } from "./shape-words.ts";

/** The answer of `vmlint migrate`. */
export interface Migration {
  readonly importer: Importer;
  readonly target: Target;
  /** The gravest first. */
  readonly vms: readonly Migrated[];
}

/** Returns the table of a migration. */
export const migrationComparison = ({ importer, target, vms }: Migration): Comparison => ({
  headline: `${plural(vms.length, "VM")} to ${target.title} by ${importer.title} (${importer.version})`,
  sums: sums(vms),
  before: "on ESXi",
  after: "after import",
  vms: vms.map(comparedVm),
  notes: [`It reads the ${importer.reads}. ${importer.devices}`, ...othersOf(importer)],
  sources: importer.sources.map(({ title, url = "" }) => ({ title, url })),
});

function comparedVm({ before, outcomes, keep, kept, ...vm }: Migrated): ComparedVm {
  const changes = distinctChanges(outcomes);
  const shownKeeps = shapeWordsOf(changes, keep, kept);
  return {
    ...vm,
    before: before ? shapeWords(before) : "unknown",
    after: outcomesWords(outcomes),
    changes,
    keeps: [...shownKeeps, ...new Set(changes.flatMap((change) => change.keep ?? []))],
    shownKeeps,
    misses: changes.flatMap(({ misses }) => misses ?? []),
  };
}

function othersOf({ name, target }: Importer): readonly string[] {
  const names = IMPORTERS.flatMap((one) => (one.target === target && one.name !== name ? one.name : []));
  return names.length === 0 ? [] : [`Other importers: --by ${list(names, "or")}.`];
}

/** Returns how many VMs lose nothing, and how many have each change. */
function sums(vms: readonly Migrated[]): readonly string[] {
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

/** Returns each change once, with its condition unless all outcomes have it. */
function distinctChanges(outcomes: readonly Outcome[]): readonly (Change & { readonly when: string | undefined })[] {
  const all = outcomes.flatMap(({ when, changes }) => changes.map((change) => ({ ...change, condition: when })));
  return [...grouped(all, ({ id, message }) => `${id} ${message}`).values()].flatMap((same) => {
    const conditions = same.flatMap(({ condition }) => condition ?? []);
    const when = same.length === outcomes.length || conditions.length === 0 ? undefined : conditionWords(conditions);
    return same.slice(0, 1).map(({ condition: _, ...change }) => ({ ...change, when }));
  });
}

/** Returns the setting of the shape, if a change concerns it. The messages of other changes have their settings. */
function shapeWordsOf(changes: readonly Pick<Change, "keep">[], shape: string | undefined, kept: Kept): readonly string[] {
  if (changes.every(({ keep }) => keep !== undefined)) return [];
  return "why" in kept ? [`no definition: ${kept.why}`] : shape ? [shape] : [];
}

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
