import { guestLimit, usableByGuest } from "../../limits/guest-limits.ts";
import { usableVcpus } from "../../limits/sql-server.ts";
import { grouped } from "../../model/maps.ts";
import { ABSENT, type Located, valueIfKnown } from "../../model/source.ts";
import type { KvmFacts, KvmMachine, KvmPins, VmSpec } from "../../model/spec.ts";
import type { GuestPins, GuestView } from "../../model/topology.ts";
import { plural } from "../../model/words.ts";
import type { Workload } from "../../model/workload.ts";
import { guestOf } from "./guest.ts";

/** The facts of a VM whose stack knows no pods. */
export const WITHOUT_POD: Omit<KvmFacts, "stack"> = {
  byCounts: false,
  maxSockets: ABSENT,
  statesMaxSockets: false,
  dedicated: false,
  moreCpus: 0,
  hostNodes: false,
  cpuLimit: ABSENT,
};

/** Returns the view of the guest of a machine whose vCPUs have numbers. */
export function viewOf({ settings, kvm }: VmSpec, machine: KvmMachine, workload: Workload | undefined): GuestView {
  const { cells, present, possible, sharesL3, steps } = machine;
  const shown = guestOf({ ...machine, cells: cells.map(({ vcpus }) => vcpus) });
  const { vcpus, threadsPerCore } = shown;
  const sockets = socketsOf(machine);
  const sizes = new Set(sockets.map(({ length }) => length));
  const coresPerSocket = sizes.size === 1 ? (sockets[0]?.length ?? 1) : machine.cores * machine.threads;
  const coreCounts = new Set(sockets.map((ids) => new Set(ids.map((id) => Math.floor(id / machine.threads))).size));
  const hasThreads = machine.threads > 1;
  const { memory } = kvm?.pins ?? {};
  const certainty = steps.some((step) => step.certainty !== "documented") ? "derived" : "documented";
  return {
    vcpus,
    sockets: shown.sockets,
    coresPerSocket,
    threadsPerCore,
    vnumaNodes: shown.nodes.map(({ length }) => length),
    sets: {
      possibleVcpus: Math.max(possible, vcpus),
      sockets,
      cores: coreCounts.size === 1 ? ([...coreCounts][0] ?? null) : null,
      nodes: shown.nodes.map((ids, i) => ({
        vcpus: ids,
        memoryMiB: cells.length === 0 ? (valueIfKnown(settings.memoryMiB) ?? null) : (cells[i]?.memoryMiB ?? null),
        hostNodes: cells[i]?.hostNodes ?? memory?.value,
      })),
      sharedL3: sharesL3 === false ? [] : sharesL3 && shown.sharedL3,
      placement: placementOf(kvm?.pins, present),
      pins: pinsOf(kvm?.pins, present),
    },
    usableVcpus: hasThreads && workload?.kind === "mssql" ? null : (usableVcpus(workload, vcpus, coresPerSocket) ?? null),
    guestUsableVcpus: usableByGuest(guestLimit(valueIfKnown(settings.guestOs) ?? ""), vcpus, coresPerSocket),
    certainty,
    certainties: { sockets: certainty, vnumaNodes: certainty },
    reasons: [
      ...steps,
      ...(cells.length === 0
        ? [{ text: "no NUMA cells: the guest has one node with all vCPUs", source: null, certainty: "documented" as const }]
        : []),
      ...(possible > vcpus
        ? [{ text: `${plural(vcpus, "vCPU")} of ${possible} are present at start`, source: null, certainty: "documented" as const }]
        : []),
    ],
  };
}

/** Returns the present vCPUs of each socket. */
const socketsOf = ({ cores, threads, present }: KvmMachine): readonly (readonly number[])[] => [
  ...grouped(present, (vcpu) => Math.floor(vcpu / (cores * threads))).values(),
];

/** Returns the host CPUs of the threads of a VM; `undefined` without pins. */
function pinsOf(pins: KvmPins | undefined, present: readonly number[]): GuestPins | undefined {
  if (!pins) return undefined;
  const { emulator, ioThreads = new Map<number, Located<readonly number[]>>() } = pins;
  const vcpus = new Map(
    present.flatMap((vcpu) => {
      const cpus = cpusOf(pins, vcpu);
      return cpus ? [[vcpu, cpus] as const] : [];
    }),
  );
  const others = [
    ...(emulator ? [{ name: "emulator threads", cpus: emulator.value }] : []),
    ...[...ioThreads].map(([id, { value }]) => ({ name: `I/O thread ${id}`, cpus: value })),
  ];
  return vcpus.size + others.length > 0 ? { vcpus, others } : undefined;
}

const cpusOf = (pins: KvmPins | undefined, vcpu: number): readonly number[] | undefined => (pins?.vcpus.get(vcpu) ?? pins?.others)?.value;

/** Returns the host CPU of each vCPU; null unless each has a pin to one CPU. */
function placementOf(pins: KvmPins | undefined, present: readonly number[]): readonly number[] | null {
  const cpus = present.flatMap((vcpu) => {
    const set = cpusOf(pins, vcpu) ?? [];
    return set.length === 1 ? set : [];
  });
  return cpus.length === present.length ? cpus : null;
}
