import type { Importer, ReadVm } from "../importers/importer.ts";
import type { LintedVm } from "../lint/target.ts";
import { valueIfKnown } from "../model/source.ts";
import type { VmSpec } from "../model/spec.ts";
import { list, plural } from "../model/words.ts";
import { possibleTopologies } from "../platforms/esxi/possible.ts";
import type { GuestShape } from "./targets/target.ts";

/** Returns the view of a guest on its host, or the parts of it that its file states; a text if the number of vCPUs is unknown. */
export function shapeOnEsxi({ spec, target: { host, workload } }: LintedVm): GuestShape | string {
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

/** Returns the values that an importer may read of a VM, each with its condition; a text if a value is missing. */
export function readings(
  { spec }: LintedVm,
  shape: GuestShape,
  { reads, make }: Pick<Importer, "reads" | "make">,
): readonly { readonly read: ReadVm; readonly when?: string }[] | string {
  const { settings, defaults, name } = spec;
  const stated = valueIfKnown(settings.vcpus);
  const read = {
    name,
    vcpus: reads === ".vmx" && spec.format === "vmx" ? stated : (stated ?? shape.vcpus),
    memoryMiB: valueIfKnown(settings.memoryMiB) ?? (settings.memoryMiB.state === "absent" ? defaults.memoryMiB : undefined),
  };
  const definitions = new Set([undefined, 1, 2].map((coresPerSocket) => JSON.stringify(make({ ...read, coresPerSocket }))));
  if (definitions.size === 1) return [{ read: { ...read, coresPerSocket: undefined } }];
  if (reads === "API") {
    const shown = inApi(spec) ?? shape.coresPerSocket;
    const possible = shown === null ? shape.possibleCores : [shown];
    if (!possible) return whyNoSockets(spec, shape);
    return possible.map((coresPerSocket) => ({
      read: { ...read, coresPerSocket },
      ...(possible.length > 1 && { when: `ESXi shows ${plural(coresPerSocket, "core")} per socket` }),
    }));
  }
  const among = coresIn(spec) ?? (shape.vcpus === 1 ? [undefined, 1] : undefined);
  if (!among) return whyNoSockets(spec, shape);
  return among.map((coresPerSocket) => ({
    read: { ...read, coresPerSocket },
    ...(among.length > 1 && {
      when: `the ${reads} states ${coresPerSocket === undefined ? "no cores" : plural(coresPerSocket, "core")} per socket`,
    }),
  }));
}

/** The cores per socket that the file of a VM may state; `undefined` is none. A value of 1 in the API may be a missing one. */
function coresIn({ settings: { coresPerSocket: setting }, format, defaults }: VmSpec): readonly (number | undefined)[] | undefined {
  const asStated = (value: number | "auto" | undefined): number | undefined => (value === "auto" ? undefined : value);
  if (setting.state === "unknown") return setting.among?.map((value) => asStated(value as number | "auto"));
  const value = asStated(setting.state === "known" ? setting.value : format === "vmx" ? undefined : defaults.coresPerSocket);
  return value === 1 && format !== "vmx" ? [undefined, 1] : [value];
}
