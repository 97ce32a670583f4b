import { entryNamed } from "../formats/index.ts";
import { NOTHING_GIVEN } from "../formats/project.ts";
import type { Importer, ReadVm } from "../importers/importer.ts";
import { vmChecker, withoutAdvice } from "../lint/check-vm.ts";
import { isNotIn } from "../lint/new-findings.ts";
import type { LintedVm } from "../lint/target.ts";
import { type Diagnostic, SEVERITIES, type Severity } from "../model/diagnostic.ts";
import { grouped } from "../model/maps.ts";
import { once, onceEach } from "../model/memoize.ts";
import { known, valueIfKnown } from "../model/source.ts";
import type { VmSpec } from "../model/spec.ts";
import type { GuestView } from "../model/topology.ts";
import { answerFor } from "../platforms/index.ts";
import { isForeignTo, type Rule } from "../rules/define.ts";
import { type Change, changesOf } from "./changes.ts";
import { readings, shapeOnEsxi, whyNoSockets } from "./source-view.ts";
import type { GuestShape, Kept, KeptVm, Target } from "./targets/target.ts";

/** A definition that an importer makes, with its effect. */
export interface Outcome {
  /** The condition, if the file of the VM leaves several: "the .vmx states no cores per socket". */
  readonly when?: string | undefined;
  readonly text?: string;
  /** How the importer fails, or why the target refuses the definition. */
  readonly fails?: string;
  readonly view?: GuestView;
  /** The gravest first. */
  readonly changes: readonly Change[];
}

/** A VM before and after an import. */
export interface Migrated {
  readonly vm: string;
  readonly path: string;
  readonly host: string | null;
  /** Missing if its number of vCPUs is unknown. */
  readonly before?: GuestShape;
  /** Why nothing is known of it. */
  readonly undecided?: string;
  readonly outcomes: readonly Outcome[];
  /** The gravest severity in every outcome; null if nothing is lost for certain. */
  readonly worst: Severity | null;
  /** The gravest severity of an outcome that depends on its condition, if it is graver. */
  readonly possible: Severity | null;
  /** Its shape in the words of the target, if a definition keeps it. */
  readonly keep?: string;
  readonly kept: Kept;
}

/** Returns a function that imports VMs. */
export async function migrator(
  importer: Importer,
  target: Target,
  rules: readonly Rule[],
): Promise<(vm: LintedVm, path: string) => Migrated> {
  const format = await entryNamed(target.format).load();
  // Many VMs of an estate have equal sizes: without their names, their definitions are equal.
  const read = onceEach((text): VmSpec | undefined => format.read({ paths: [target.path], text, inputs: NOTHING_GIVEN }).vms[0]);
  const definitionOf = (vm: ReadVm): VmSpec | undefined => {
    const made = importer.make({ ...vm, name: "vm" });
    return "text" in made ? read(made.text) : undefined;
  };
  const check = vmChecker(
    rules.filter((rule) => rule.over === "vm" && !isForeignTo(rule, { platform: "kvm" })),
    withoutAdvice,
  );
  const findingsOf = (vm: LintedVm): readonly Diagnostic[] => [...check(vm)].filter((one): one is Diagnostic => "messageId" in one);
  return (vm, path) => {
    const { spec, target: on } = vm;
    const before = shapeOnEsxi(vm);
    const common = { vm: spec.name, path, host: on.host?.name ?? null };
    const undecided = (why: string): Migrated => ({ ...common, undecided: why, outcomes: [], worst: null, possible: null, kept: { why } });
    if (typeof before === "string") return undecided(before);
    const found = readings(vm, before, importer);
    const keptVm = keptFrom(spec, before);
    const kept: Kept = typeof keptVm === "string" ? { why: keptVm } : target.keep(keptVm);
    const rest = { ...common, before, kept, ...(typeof keptVm !== "string" && "text" in kept && { keep: target.words(keptVm) }) };
    if (typeof found === "string") return { ...rest, undecided: found, outcomes: [], worst: null, possible: null };
    const isNew = once(() => isNotIn(findingsOf(vm)));
    const outcomes = distinct(
      found.map(({ read: values, when }): Outcome => {
        const made = importer.make(values);
        if ("fails" in made) return { when, fails: made.fails, changes: [failure(made.fails, importer)] };
        return { when, text: made.text, ...outcomeOf(definitionOf(values)) };
      }),
    );
    const ranks = outcomes.map(({ changes }) => Math.min(SEVERITIES.length, ...changes.map(({ severity }) => rank(severity))));
    const [mildest, gravest] = [Math.max(...ranks), Math.min(...ranks)];
    return { ...rest, outcomes, worst: SEVERITIES[mildest] ?? null, possible: gravest < mildest ? (SEVERITIES[gravest] ?? null) : null };

    function outcomeOf(definition: VmSpec | undefined): Outcome {
      if (!definition) return { fails: "vmlint cannot read its definition", changes: [] };
      const imported = importedVm(definition, vm);
      const { workload } = on;
      const answer = answerFor(imported.spec, undefined, workload);
      const ruleChanges = findingsOf(imported).flatMap((one) => (isNew()(one) ? changeOf(one, rules) : []));
      if (!answer?.ok) {
        const why = answer?.reasons[0]?.text ?? `${target.title} refuses the definition`;
        return { fails: why, changes: sorted(ruleChanges.length > 0 ? ruleChanges : [failure(why, importer)]) };
      }
      const view = answer.topology;
      const after = { view, memoryMiB: valueIfKnown(definition.settings.memoryMiB) };
      const shape = before as GuestShape;
      // Rules that only the new platform has may note a shape that was the same on ESXi.
      const isKept = view.vcpus === shape.vcpus && view.coresPerSocket === shape.coresPerSocket;
      const found = isKept ? ruleChanges.filter(({ severity }) => severity !== "info") : ruleChanges;
      const changes = sorted([...changesOf({ spec, before: shape, after, importer, target }), ...found]);
      return { view, changes };
    }
  };
}

/** Leaves out outcomes with the same view and changes. A condition that does not matter is dropped. */
function distinct(outcomes: readonly Outcome[]): readonly Outcome[] {
  const different = [
    ...grouped(outcomes, ({ view, fails, changes }) =>
      JSON.stringify([fails, view?.vcpus, view?.coresPerSocket, view?.vnumaNodes, changes.map(({ id, message }) => [id, message])]),
    ).values(),
  ].flatMap((same) => same.slice(0, 1));
  return different.length === 1 ? different.map((one) => ({ ...one, when: undefined })) : different;
}

/** The guest system and the workload stay the same. The host of ESXi is not the host of the target. */
function importedVm(definition: VmSpec, { spec, target: { host: _, otherHosts: __, ...target } }: LintedVm): LintedVm {
  const { guestOs } = spec.settings;
  const settings = { ...definition.settings, ...(guestOs.state === "known" && { guestOs: known(guestOs.value, definition.range) }) };
  return { spec: { ...definition, name: spec.name, settings }, target };
}

const failure = (why: string, { sources }: Importer): Change => ({
  id: "fails",
  severity: "error",
  message: `The import fails: ${why}.`,
  sources,
});

function changeOf({ ruleId, severity, message }: Diagnostic, rules: readonly Rule[]): Change {
  return { id: ruleId, severity, message, sources: rules.find(({ id }) => id === ruleId)?.sources ?? [] };
}

const rank = (severity: Severity): number => SEVERITIES.indexOf(severity);

const sorted = (changes: readonly Change[]): readonly Change[] => changes.toSorted((a, b) => rank(a.severity) - rank(b.severity));

function keptFrom(spec: VmSpec, shape: GuestShape): KeptVm | string {
  const { name, settings } = spec;
  const { coresPerSocket } = shape;
  if (coresPerSocket === null) return whyNoSockets(spec, shape);
  return {
    ...shape,
    coresPerSocket,
    name,
    memoryMiB: valueIfKnown(settings.memoryMiB),
    cpuHotAdd: valueIfKnown(settings.cpuHotAdd) ?? false,
  };
}

/** Sorts by the gravest change, then by vCPUs and name. VMs without an answer follow VMs with a loss. */
export function ranked(vms: readonly Migrated[]): readonly Migrated[] {
  // Certain changes first, then possible ones.
  const rankOf = ({ worst, possible, undecided }: Migrated): number => {
    const certain = worst ? rank(worst) : undecided ? SEVERITIES.length : SEVERITIES.length + 1;
    return certain * (SEVERITIES.length + 1) + (possible ? rank(possible) : SEVERITIES.length);
  };
  const size = ({ before }: Migrated): number => before?.vcpus ?? 0;
  return vms.toSorted((a, b) => rankOf(a) - rankOf(b) || size(b) - size(a) || (a.vm < b.vm ? -1 : 1));
}
