import type { HostModel } from "../model/host.ts";
import { sequence } from "../model/sequence.ts";
import { known, valueIfKnown } from "../model/source.ts";
import type { VmSpec } from "../model/spec.ts";
import { list, plural } from "../model/words.ts";
import type { Workload } from "../model/workload.ts";
import { possibleTopologies } from "../platforms/esxi/possible.ts";
import type { Importer, ReadVm } from "./importer.ts";
import type { GuestShape } from "./targets/target.ts";

/** A VM of ESXi, with its host there if it is known. */
export interface SourceVm {
  readonly spec: VmSpec;
  readonly target: { readonly host?: HostModel | undefined; readonly workload?: Workload | undefined };
}

/** Returns the view of a guest on its host, or the parts of it that its file states; a text if the number of vCPUs is unknown. */
export function shapeOnEsxi({ spec, target: { host, workload } }: SourceVm): GuestShape | string {
  const { vcpus, coresPerSocket, threadsPerCore } = spec.settings;
  if (vcpus.state === "unknown") return `its number of vCPUs is unknown: ${vcpus.reason}`;
  const count = vcpus.state === "known" ? vcpus.value : spec.defaults.vcpus;
  if (count === undefined) return "its file states no number of vCPUs";
  const result = host && possibleTopologies(spec, host, workload);
  if (result?.ok) {
    const views = result.cases.map(({ topology }) => topology);
    const common = <T>(of: (view: (typeof views)[number]) => T): T | null => {
      const values = new Set(views.map((view) => String(of(view))));
      return result.isComplete && values.size === 1 && views[0] ? of(views[0]) : null;
    };
    return {
      vcpus: count,
      coresPerSocket: common((view) => view.coresPerSocket) ?? observedCores(spec),
      // Each divisor is possible for a setting without a list of values.
      ...(result.isComplete &&
        !(coresPerSocket.state === "unknown" && !coresPerSocket.among) && {
          possibleCores: [...new Set(views.map((view) => view.coresPerSocket))],
        }),
      threadsPerCore: common((view) => view.threadsPerCore) ?? 1,
      nodes: common((view) => view.vnumaNodes) ?? null,
    };
  }
  const stated = valueIfKnown(coresPerSocket);
  return {
    vcpus: count,
    coresPerSocket: count === 1 ? 1 : typeof stated === "number" ? stated : observedCores(spec),
    threadsPerCore: valueIfKnown(threadsPerCore) ?? 1,
    nodes: spec.observed?.value.vnumaNodes ?? null,
  };
}

const observedCores = ({ observed }: VmSpec): number | null => observed?.value.coresPerSocket ?? null;

/** The number in an export of the API that does not say who chose it; an importer reads the same field. */
function inApi({ settings: { coresPerSocket: setting } }: VmSpec): number | undefined {
  const among = setting.state === "unknown" ? setting.among : undefined;
  return among?.find((value): value is number => typeof value === "number");
}

/** Returns why the sockets of a VM are unknown. */
export function whyNoSockets({ settings: { coresPerSocket: setting } }: VmSpec, { possibleCores = [] }: GuestShape): string {
  if (setting.state === "unknown" && !setting.among) return `its cores per socket are unknown: ${setting.reason}`;
  if (possibleCores.length > 0) return `its sockets have ${list(possibleCores.map(String), "or")} cores: no source decides`;
  return "ESXi chooses its sockets, and its host is unknown";
}

/** The cores per socket that the file or the API may have: "the .vmx states", "8 cores". */
export interface Condition {
  readonly says: string;
  readonly seen: string;
}

/** Returns conditions in words: "the .vmx states 4 cores or 8 cores per socket". */
export const conditionWords = (conditions: readonly Condition[]): string =>
  `${conditions[0]?.says} ${list([...new Set(conditions.map(({ seen }) => seen))], "or")} per socket`;

/** Values that an importer may read of a VM. */
export interface Reading {
  readonly read: ReadVm;
  /** The condition, if there are several. */
  readonly when?: Condition;
  /** The VM under this condition. */
  readonly from: SourceVm;
}

/** Returns the values that an importer may read of a VM. If nothing decides its sockets, each whole division of its vCPUs is possible. */
export function readings(vm: SourceVm, shape: GuestShape, { reads, make }: Pick<Importer, "reads" | "make">): readonly Reading[] {
  const { spec } = vm;
  const { settings, defaults, name } = spec;
  const stated = valueIfKnown(settings.vcpus);
  const read = {
    name,
    vcpus: reads === ".vmx" && spec.format === "vmx" ? stated : (stated ?? shape.vcpus),
    memoryMiB: valueIfKnown(settings.memoryMiB) ?? (settings.memoryMiB.state === "absent" ? defaults.memoryMiB : undefined),
  };
  const definitions = new Set([undefined, 1, 2].map((coresPerSocket) => JSON.stringify(make({ ...read, coresPerSocket }))));
  if (definitions.size === 1) return [{ read: { ...read, coresPerSocket: undefined }, from: vm }];
  const isOpen = shape.coresPerSocket === null && !shape.possibleCores;
  const whole = (): readonly number[] => divisorsOf(shape.vcpus);
  const certain = reads === "API" ? inTheApi(spec, shape) : (coresIn(spec) ?? (shape.vcpus === 1 ? [undefined, 1] : undefined));
  const possible = certain ?? (reads === "API" ? whole() : [undefined, ...whole()]);
  const seen = (cores: number | undefined): string => (cores === undefined ? "no cores" : plural(cores, "core"));
  const says = reads === "API" ? "ESXi shows" : `the ${reads} states`;
  return possible.map((coresPerSocket) => ({
    read: { ...read, coresPerSocket },
    from: isOpen && coresPerSocket !== undefined ? withCores(vm, coresPerSocket) : vm,
    ...(possible.length > 1 && { when: { says, seen: seen(coresPerSocket) } }),
  }));
}

function inTheApi(spec: VmSpec, { coresPerSocket, possibleCores }: GuestShape): readonly number[] | undefined {
  const shown = inApi(spec) ?? coresPerSocket;
  return shown === null ? possibleCores : [shown];
}

const divisorsOf = (vcpus: number): readonly number[] => sequence(vcpus, (i) => i + 1).filter((cores) => vcpus % cores === 0);

/** Returns a VM that states its cores per socket. */
function withCores({ spec, target }: SourceVm, cores: number): SourceVm {
  const { coresPerSocket: setting } = spec.settings;
  const coresPerSocket = known(cores, setting.state === "absent" ? spec.range : setting.range);
  return { target, spec: { ...spec, settings: { ...spec.settings, coresPerSocket } } };
}

/** The cores per socket that the file of a VM may state; `undefined` is none. A value of 1 in the API may be a missing one. */
function coresIn({ settings: { coresPerSocket: setting }, format, defaults }: VmSpec): readonly (number | undefined)[] | undefined {
  const asStated = (value: number | "auto" | undefined): number | undefined => (value === "auto" ? undefined : value);
  if (setting.state === "unknown") return setting.among?.map((value) => asStated(value as number | "auto"));
  const value = asStated(setting.state === "known" ? setting.value : format === "vmx" ? undefined : defaults.coresPerSocket);
  return value === 1 && format !== "vmx" ? [undefined, 1] : [value];
}
