import type { Importer } from "../importers/importer.ts";
import type { Severity } from "../model/diagnostic.ts";
import { valueIfKnown } from "../model/source.ts";
import type { Source } from "../model/sources.ts";
import type { VmSpec } from "../model/spec.ts";
import type { GuestView } from "../model/topology.ts";
import { list, plural } from "../model/words.ts";
import { groupText } from "../platforms/esxi/layout.ts";
import type { GuestShape, Lost, Target } from "./targets/target.ts";

/** A change by an import that matters. */
export interface Change {
  /** A rule, or the name of a loss: "vcpus". */
  readonly id: string;
  readonly severity: Severity;
  readonly message: string;
  /** The setting of the target that keeps it; missing if the definition that keeps the shape does. */
  readonly keep?: string;
  readonly sources: readonly Source[];
}

interface Imported {
  readonly spec: VmSpec;
  readonly before: GuestShape;
  readonly after: { readonly view: GuestView; readonly memoryMiB: number | undefined };
  readonly importer: Importer;
  readonly target: Target;
}

/** Returns the changes of the shape, and the settings that the importer leaves out. */
export function changesOf(imported: Imported): readonly Change[] {
  const { importer } = imported;
  return [...shapeChanges(imported), ...lostSettings(imported), ...deviceChanges(imported)].map((change) => ({
    sources: importer.sources,
    ...change,
  }));
}

type Found = Omit<Change, "sources"> & Partial<Pick<Change, "sources">>;

function shapeChanges({ spec, before, after: { view, memoryMiB }, target }: Imported): readonly Found[] {
  const stated = valueIfKnown(spec.settings.memoryMiB);
  const found: Found[] = [];
  if (view.vcpus !== before.vcpus)
    found.push({ id: "vcpus", severity: "error", message: `${plural(before.vcpus, "vCPU")} become ${view.vcpus}.` });
  if (stated !== undefined && memoryMiB !== undefined && memoryMiB !== stated) {
    const percent = ((memoryMiB - stated) / stated) * 100;
    const message = `${stated} MiB of memory become ${Math.floor(memoryMiB)} (${percent > 0 ? "+" : ""}${percent.toFixed(1)} %).`;
    found.push({ id: "memory", severity: memoryMiB < stated ? "warning" : "info", message, keep: target.memory(stated) });
  }
  const nodes = view.vnumaNodes.length;
  if (before.nodes && before.nodes.length > 1 && nodes > 0 && String(before.nodes) !== String(view.vnumaNodes))
    found.push({
      id: "nodes",
      severity: "info",
      message: `The guest sees ${plural(nodes, "NUMA node")} instead of ${before.nodes.length} (${groupText(before.nodes)}).`,
    });
  return found;
}

/** A setting of ESXi that a VM has, in words. */
interface Stated {
  readonly lost: Lost;
  readonly severity: Severity;
  readonly has: (spec: VmSpec, view: GuestView) => string | undefined;
}

const known = valueIfKnown;

const LOSSES: readonly Stated[] = [
  {
    lost: "latency",
    severity: "warning",
    has: ({ settings }) =>
      known(settings.latencySensitivity) === "high" ? "latency sensitivity High, which reserves cores for it" : undefined,
  },
  {
    lost: "cpuReservation",
    severity: "info",
    has: ({ settings }) => {
      if (known(settings.cpuReservationLocked)) return "the reservation of all its MHz";
      const mhz = known(settings.cpuReservationMHz) ?? 0;
      return mhz > 0 ? `the reservation of ${mhz} MHz` : undefined;
    },
  },
  {
    lost: "memoryReservation",
    severity: "info",
    has: ({ settings }) => {
      if (known(settings.memoryReservationLocked)) return "the reservation of all its memory";
      const mib = known(settings.memoryReservationMiB) ?? 0;
      return mib > 0 ? `the reservation of ${mib} MiB` : undefined;
    },
  },
  {
    lost: "affinity",
    severity: "info",
    has: ({ settings }) => {
      const [cpus, nodes] = [known(settings.cpuAffinity), known(settings.numaNodeAffinity)];
      if (Array.isArray(cpus)) return `the affinity to ${plural(cpus.length, "logical CPU")}`;
      return nodes ? `the affinity to NUMA node ${nodes.join(", ")}` : undefined;
    },
  },
  {
    lost: "cpuHotAdd",
    severity: "info",
    has: ({ settings }, { vcpus, sets }) =>
      known(settings.cpuHotAdd) && (sets?.possibleVcpus ?? vcpus) <= vcpus ? "CPU hot add" : undefined,
  },
  {
    lost: "memoryHotAdd",
    severity: "info",
    has: ({ settings }, { vcpus, sets }) =>
      known(settings.memoryHotAdd) && (sets?.possibleVcpus ?? vcpus) <= vcpus ? "memory hot add" : undefined,
  },
];

function lostSettings({ spec, after, target }: Imported): readonly Found[] {
  return LOSSES.flatMap(({ lost, severity, has }) => {
    const keep = target.instead[lost];
    const words = keep === undefined ? undefined : has(spec, after.view);
    return keep === undefined || words === undefined ? [] : [{ id: lost, severity, message: `It loses ${words}.`, keep }];
  });
}

const FIRMWARES = ["bios", "efi"] as const;

/** Windows has drivers of its own for SATA and IDE. */
function deviceChanges({ spec, importer: { addsDrivers, controllerFor } }: Imported): readonly Found[] {
  const guest = known(spec.settings.guestOs) ?? "";
  if (addsDrivers || !controllerFor || !/^win|windows/i.test(guest)) return [];
  const firmware = spec.board?.().firmware;
  const firmwares = !firmware || firmware.state === "unknown" ? FIRMWARES : [known(firmware) ?? "bios"];
  const { disks, otherControllers } = spec.devices();
  const used = new Set(disks.map(({ controller }) => controller));
  const types = [
    ...spec.scsiControllers.flatMap(({ id, type }) => (used.has(id) && type.state === "known" ? type.value : [])),
    ...otherControllers.flatMap(({ kind, bus }) => (used.has(`${kind}${bus}`) ? kind : [])),
  ];
  return [...new Set(types)].flatMap((type): readonly Found[] => {
    const controllers = new Set(firmwares.flatMap((one) => controllerFor(type, one, types) ?? []));
    if (controllers.size === 0) return [];
    const becomes = list([...controllers], "or");
    const message = `Its disks move from ${type} to ${becomes}. Windows starts only with a driver for it.`;
    const keep = `Install the driver for ${becomes} before the import, or choose SATA for the disks`;
    return [{ id: "driver", severity: "warning", message, keep }];
  });
}
