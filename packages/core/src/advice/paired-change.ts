import { safeCoresPerSocket } from "../limits/hardware.ts";
import { valueIfKnown } from "../model/source.ts";
import type { Change, SettingName, SettingTypes, VmSpec } from "../model/spec.ts";
import { plural } from "../model/words.ts";
import { dividesIntoNodes, dividesIntoSockets, nodeFitsSockets, sizeOfFewestNodes } from "../platforms/esxi/divide.ts";
import { nearestCores } from "./sockets-and-cores.ts";

/** Returns the changes of a rule with the paired changes, without which the VM would not start. */
export const withPairedChanges = (changes: readonly Change[], vm: VmSpec): readonly Change[] => [
  ...withShape(changes, vm),
  ...withoutLimit(changes, vm, "memoryReservationMiB", "memoryLimitMiB"),
  ...withoutLimit(changes, vm, "cpuReservationMHz", "cpuLimitMHz"),
];

/** A limit below a reservation would keep the VM from starting. */
function withoutLimit<L extends "memoryLimitMiB" | "cpuLimitMHz">(
  changes: readonly Change[],
  { settings }: VmSpec,
  reservation: "memoryReservationMiB" | "cpuReservationMHz",
  limit: L,
): readonly Change[] {
  const newReservation = changes.find(({ setting }) => setting === reservation)?.value;
  const limitValue = valueIfKnown<number | "unlimited">(settings[limit]);
  if (typeof newReservation !== "number" || typeof limitValue !== "number" || limitValue >= newReservation) return [];
  return changes.some(({ setting }) => setting === limit) ? [] : [{ setting: limit, value: "unlimited" } as Change];
}

/**
 * The vCPUs must still divide into whole sockets and into nodes set by hand. Such nodes only get smaller, so that they still fit, or are
 * left to ESXi.
 */
function withShape(changes: readonly Change[], { settings }: VmSpec): readonly Change[] {
  const byName = new Map<string, unknown>(changes.map(({ setting, value }) => [setting, value]));
  if (!byName.has("vcpus") && !byName.has("coresPerSocket")) return [];
  const of = <K extends SettingName>(name: K) =>
    (byName.get(name) as SettingTypes[K] | undefined) ?? valueIfKnown<SettingTypes[K]>(settings[name]);
  const [vcpus, cores, nodes] = [of("vcpus"), of("coresPerSocket"), of("coresPerNumaNode")];
  if (vcpus === undefined) return [];
  const added: Change[] = [];
  const isKept = typeof cores !== "number" || byName.has("coresPerSocket") || dividesIntoSockets(vcpus, cores);
  const perSocket = isKept ? cores : (nearestCores(vcpus, cores, safeCoresPerSocket(of("hardwareVersion"))) ?? 1);
  if (!isKept) added.push({ setting: "coresPerSocket", value: perSocket as number });
  if (nodes === undefined || byName.has("coresPerNumaNode")) return added;
  const inNode = typeof perSocket === "number" ? perSocket : 1;
  // Nodes that did not divide the count before are for another rule to report.
  const isOff = (byName.has("vcpus") && !dividesIntoNodes(vcpus, nodes)) || !nodeFitsSockets(nodes, inNode);
  if (isOff) added.push({ setting: "coresPerNumaNode", value: sizeOfFewestNodes(vcpus, nodes, inNode) });
  return added;
}

/** Returns the title of a fix with its paired changes. */
export function pairedTitle(title: string, added: readonly Change[]): string {
  return [title, ...added.flatMap((change) => wordsOf(change) ?? [])].join(", ");
}

/** Returns the words of a change in the title of a fix that changes more; `undefined` for a change that is never a paired one. */
export function wordsOf({ setting, value }: Change): string | undefined {
  if (setting === "coresPerSocket") return value === "auto" ? "cores per socket by ESXi" : `${plural(value as number, "core")} per socket`;
  if (setting === "coresPerNumaNode") return value === 0 ? "NUMA nodes by ESXi" : `NUMA nodes of ${value}`;
  if (value !== "unlimited") return undefined;
  return setting === "cpuLimitMHz" ? "no CPU limit" : "no memory limit";
}
