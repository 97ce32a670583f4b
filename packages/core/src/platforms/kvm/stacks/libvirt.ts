import { sequence } from "../../../model/sequence.ts";
import type { Range } from "../../../model/source.ts";
import { LIBVIRT_COMMAND, LIBVIRT_DOMAIN, LIBVIRT_NUMA, LIBVIRT_RECTIFY, LIBVIRT_VALIDATE, type Source } from "../../../model/sources.ts";
import type { KvmCell, KvmMachine, KvmRefusal } from "../../../model/spec.ts";
import type { Step } from "../../../model/topology.ts";
import { plural } from "../../../model/words.ts";

/*
 * libvirt 11.3.0: the machine of a domain. Its own tests (tests/qemuxmlconfdata) pair domains with the options of QEMU.
 */

/** `<topology>`; counts that it does not state are 1. */
export interface LibvirtTopology {
  readonly sockets: number;
  readonly dies: number;
  readonly clusters: number;
  readonly cores: number;
  readonly threads: number;
  readonly range: Range;
}

export interface LibvirtCell extends Omit<KvmCell, "vcpus"> {
  readonly id: number | undefined;
  readonly vcpus: readonly number[] | undefined;
}

/** The parts of a domain that decide its machine. */
export interface LibvirtDomain {
  /** `<vcpu>`, which is 1 if it is missing. */
  readonly maximum: number;
  readonly current: number | undefined;
  /** The vCPUs that `<vcpus>` enables. */
  readonly online: readonly number[] | undefined;
  readonly topology: LibvirtTopology | undefined;
  /** Missing without `<numa>`. */
  readonly cells: readonly LibvirtCell[] | undefined;
  readonly sharesL3: boolean | null;
  /** Whether memory can be added: libvirt 9.6.0 and later then adds a cell. */
  readonly addsMemory: boolean;
  readonly isX86: boolean;
  readonly memoryMiB: number | null;
  readonly range: Range;
}

/** Returns the machine of a domain, or why libvirt refuses it. */
export function machineOfDomain(domain: LibvirtDomain): KvmMachine | KvmRefusal {
  const { maximum, topology, online, current = maximum, range } = domain;
  const cells = cellsOf(domain);
  if ("message" in cells) return cells;
  if (current > maximum)
    return refusal("current", { current, maximum }, "maxvcpus must not be less than current vcpus", range, LIBVIRT_DOMAIN);
  if (topology) {
    const cpus = topology.sockets * topology.dies * topology.clusters * topology.cores * topology.threads;
    if (cpus !== maximum)
      return refusal(
        "topology",
        { vcpus: maximum, cpus },
        "CPU topology doesn't match maximum vcpu count",
        topology.range,
        LIBVIRT_VALIDATE,
      );
  }
  const cores = topology ? topology.dies * topology.clusters * topology.cores : 1;
  const { threads = 1 } = topology ?? {};
  return {
    cores,
    threads,
    present: online ?? sequence(current, (i) => i),
    possible: maximum,
    cells,
    sharesL3: (topology?.dies ?? 1) > 1 ? null : domain.sharesL3,
    steps: stepsOf(domain, cores * threads, cells),
  };
}

/** Returns the cells by number, with the vCPUs of no cell in the first. */
function cellsOf(domain: LibvirtDomain): readonly KvmCell[] | KvmRefusal {
  const { maximum, cells, addsMemory, range } = domain;
  if (!cells) return addsMemory ? [{ vcpus: sequence(maximum, (i) => i), memoryMiB: domain.memoryMiB, range }] : [];
  const refuse = (messageId: string, data: KvmRefusal["data"], message: string, at: Range) =>
    refusal(messageId, data, message, at, messageId === "beyond" ? LIBVIRT_DOMAIN : LIBVIRT_NUMA);
  if (cells.length === 0) return refuse("empty", {}, "NUMA topology defined without NUMA cells", range);
  const byId = new Map<number, LibvirtCell>();
  const cellOf = new Map<number, number>();
  for (const [i, cell] of cells.entries()) {
    const { id = i, vcpus = [] } = cell;
    const gap =
      "Exactly one 'cell' element per guest NUMA cell allowed, non-contiguous ranges or ranges not starting from 0 are not allowed";
    if (id >= cells.length) return refuse("gap", { id, last: cells.length - 1 }, gap, cell.range);
    if (byId.has(id)) return refuse("twice", { id }, `Duplicate NUMA cell info for cell id '${id}'`, cell.range);
    byId.set(id, cell);
    for (const vcpu of vcpus) {
      const other = cellOf.get(vcpu);
      if (other !== undefined)
        return refuse("overlap", { vcpu, cell: id, other }, `NUMA cells ${id} and ${other} have overlapping vCPU ids`, cell.range);
      if (vcpu >= maximum) return refuse("beyond", { vcpu, vcpus: maximum }, "CPU IDs in <numa> exceed the <vcpu> count", cell.range);
      cellOf.set(vcpu, id);
    }
  }
  return sequence(cells.length, (id) => {
    const { vcpus = [], memoryMiB, hostNodes, range: at } = byId.get(id) as LibvirtCell;
    return { vcpus, memoryMiB, hostNodes, range: at };
  });
}

function stepsOf({ maximum, topology, isX86, cells }: LibvirtDomain, perSocket: number, all: readonly KvmCell[]): readonly Step[] {
  const step = (text: string, source: Source, certainty: Step["certainty"] = "documented"): Step => ({ text, source, certainty });
  const listed = all.reduce((sum, { vcpus }) => sum + vcpus.length, 0);
  return [
    topology
      ? step(`${plural(maximum / perSocket, "socket")} of ${plural(perSocket, "vCPU")}, as <topology> says`, LIBVIRT_VALIDATE)
      : step("no <topology>: libvirt makes a socket of each vCPU", LIBVIRT_COMMAND),
    ...(all.length > 0
      ? [
          cells
            ? step(`${plural(all.length, "NUMA cell")}, each a node of the guest`, LIBVIRT_NUMA)
            : step("memory can be added: libvirt makes one NUMA cell of all vCPUs", LIBVIRT_RECTIFY),
        ]
      : []),
    ...(all.length > 0 && listed < maximum ? [step(`${plural(maximum - listed, "vCPU")} of no cell: in cell 0`, LIBVIRT_RECTIFY)] : []),
    // Only guests on x86 were booted.
    ...(isX86 ? [] : [step("guests were booted on x86 only, and the architecture is another", LIBVIRT_COMMAND, "derived")]),
  ];
}

/** Returns a refusal of libvirt. */
export const refusal = (messageId: string, data: KvmRefusal["data"], message: string, at: Range, source: Source): KvmRefusal => ({
  messageId,
  data,
  message,
  at,
  source,
});
