import type { Format } from "../formats/format.ts";
import { NOTHING_GIVEN } from "../formats/project.ts";
import { grouped } from "../model/maps.ts";
import { onceEach } from "../model/memoize.ts";
import { known, valueIfKnown } from "../model/source.ts";
import type { VmSpec } from "../model/spec.ts";
import type { GuestView } from "../model/topology.ts";
import { answerFor } from "../platforms/index.ts";
import type { Importer } from "./importer.ts";
import { type Condition, type Reading, readings, type SourceVm, shapeOnEsxi, whyNoSockets } from "./source-view.ts";
import type { GuestShape, Kept, KeptVm, Target } from "./targets/target.ts";

/** A definition that an importer makes, with the view of its guest. */
export interface Made {
  /** The condition, if the file of the VM leaves several. */
  readonly when?: Condition | undefined;
  /** The VM under this condition, and its shape. */
  readonly from: SourceVm;
  readonly before: GuestShape;
  readonly text?: string;
  /** How the importer fails, or why the target refuses the definition. */
  readonly fails?: string;
  /** The definition as the target reads it, with the name and the guest system of the VM. */
  readonly spec?: VmSpec;
  readonly view?: GuestView;
}

/** A VM of ESXi, and its definitions on another platform. */
export interface Import {
  readonly importer: Importer;
  readonly to: Target;
  /** Missing if its number of vCPUs is unknown. */
  readonly before?: GuestShape;
  /** Why nothing is known of it. */
  readonly undecided?: string;
  readonly made: readonly Made[];
  /** Its shape in the words of the target, if a definition keeps it. */
  readonly keep?: string;
  readonly kept: Kept;
}

export type ImportVm = (vm: SourceVm) => Import;

/** Returns a function that imports VMs. `format` reads the definitions of the target. */
export function importing(importer: Importer, to: Target, format: Format): ImportVm {
  // Many VMs of an estate have equal sizes: without their names, their definitions are equal.
  const read = onceEach((text): VmSpec | undefined => format.read({ paths: [to.path], text, inputs: NOTHING_GIVEN }).vms[0]);
  const madeOf = ({ read: values, when, from }: Reading, vm: SourceVm, shape: GuestShape): Made => {
    const own = from === vm ? shape : shapeOnEsxi(from);
    const common = { when, from, before: typeof own === "string" ? shape : own };
    const made = importer.make(values);
    if ("fails" in made) return { ...common, fails: made.fails };
    const { text } = made;
    const nameless = importer.make({ ...values, name: "vm" });
    const definition = "text" in nameless ? read(nameless.text) : undefined;
    if (!definition) return { ...common, text, fails: "vmlint cannot read its definition" };
    const spec = named(definition, from.spec);
    const answer = answerFor(spec, undefined, from.target.workload);
    return answer?.ok
      ? { ...common, text, spec, view: answer.topology }
      : { ...common, text, spec, fails: answer?.reasons[0]?.text ?? `${to.title} refuses the definition` };
  };
  return (vm) => {
    const before = shapeOnEsxi(vm);
    const common = { importer, to };
    if (typeof before === "string") return { ...common, undecided: before, made: [], kept: { why: before } };
    const keptVm = keptFrom(vm.spec, before);
    const kept: Kept = typeof keptVm === "string" ? { why: keptVm } : to.keep(keptVm);
    const rest = { ...common, before, kept, ...(typeof keptVm !== "string" && "text" in kept && { keep: to.words(keptVm) }) };
    return { ...rest, made: distinct(readings(vm, before, importer).map((reading) => madeOf(reading, vm, before))) };
  };
}

/** Leaves out definitions with equal views. A condition that does not matter is dropped. */
function distinct(made: readonly Made[]): readonly Made[] {
  const different = [
    ...grouped(made, ({ view, fails, spec, before }) =>
      JSON.stringify([before, fails, view?.vcpus, view?.coresPerSocket, view?.vnumaNodes, spec && valueIfKnown(spec.settings.memoryMiB)]),
    ).values(),
  ].flatMap((same) => same.slice(0, 1));
  return different.length === 1 ? different.map((one) => ({ ...one, when: undefined })) : different;
}

/** The name and the guest system stay the same. */
function named(definition: VmSpec, { name, settings: { guestOs } }: VmSpec): VmSpec {
  const settings = { ...definition.settings, ...(guestOs.state === "known" && { guestOs: known(guestOs.value, definition.range) }) };
  return { ...definition, name, settings };
}

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
