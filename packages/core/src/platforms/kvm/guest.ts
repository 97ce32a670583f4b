import { grouped } from "../../model/maps.ts";

/** A machine as QEMU gets it: `-smp`, and the NUMA cells. */
export interface Machine {
  readonly cores: number;
  readonly threads: number;
  /** The numbers of the vCPUs that are present at start. */
  readonly present: readonly number[];
  /** The numbers of the vCPUs of each cell, present or not; without cells, the guest has one node. */
  readonly cells: readonly (readonly number[])[];
}

/** The view of the guest of a machine. */
export interface ShownMachine {
  readonly vcpus: number;
  readonly sockets: number;
  readonly cores: number;
  readonly threadsPerCore: number;
  readonly nodes: readonly (readonly number[])[];
  /** null if a socket has vCPUs in two nodes. */
  readonly sharedL3: readonly (readonly number[])[] | null;
}

/**
 * Returns what Linux shows of a machine. QEMU numbers vCPUs by thread, then core, then socket. Cells do not follow sockets: a vCPU in no
 * cell is in the first (libvirt, qemuDomainDefNumaCPUsRectify, and QEMU itself), and a cell without present vCPUs is a node without CPUs.
 * Linux separates the threads of a core that are in two nodes (arch/x86/kernel/smpboot.c, topology_sane), and each socket has one L3 cache.
 * Each sentence was tried on booted guests (QEMU 10.0.13, Linux 6.12, named CPU models). They refuted that the cache is always whole: Linux
 * divides it by node on AMD, not on Intel (arch/x86/kernel/cpu/cacheinfo.c, cpu_llc_shared_mask), and under KVM a guest has the vendor of the
 * host (QEMU, target/i386/host-cpu.c, host_cpu_instance_init).
 */
export function guestOf({ cores, threads, present, cells }: Machine): ShownMachine {
  const cellOf = new Map(cells.flatMap((vcpus, cell) => vcpus.map((vcpu) => [vcpu, cell] as const)));
  const nodeOf = (vcpu: number): number => cellOf.get(vcpu) ?? 0;
  const coreOf = (vcpu: number): number => Math.floor(vcpu / threads);
  const bySocket = grouped(present, (vcpu) => Math.floor(vcpu / (cores * threads)));
  const byCore = grouped(present, coreOf);
  const siblings = grouped(present, (vcpu) => `${coreOf(vcpu)} ${nodeOf(vcpu)}`);
  return {
    vcpus: present.length,
    sockets: bySocket.size,
    cores: byCore.size,
    threadsPerCore: Math.max(...[...siblings.values()].map(({ length }) => length)),
    nodes: cells.length === 0 ? [present] : cells.map((_, cell) => present.filter((vcpu) => nodeOf(vcpu) === cell)),
    sharedL3: [...bySocket.values()].every((ids) => new Set(ids.map(nodeOf)).size === 1) ? [...bySocket.values()] : null,
  };
}
