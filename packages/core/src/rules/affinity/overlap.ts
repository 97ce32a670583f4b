import { coresOf, type HostModel, threadsOf } from "../../model/host.ts";
import { AFFINITY_DOC, ORACLE_PARTITIONING, SQL55 } from "../../model/sources.ts";
import { names, plural } from "../../model/words.ts";
import { isPinned } from "../cpu-affinity.ts";
import { builtinRule, type Neighbour, type PageOf, vcpusOf } from "../define.ts";

/** A VM and the logical CPUs it is pinned to. */
interface Pinned {
  readonly vm: Neighbour<"vcpus" | "cpuAffinity">;
  readonly vcpus: number;
  readonly pcpus: ReadonlySet<number>;
  readonly cores: ReadonlySet<number>;
}

export const rule = builtinRule({
  id: "affinity/overlap",
  severity: "warning",
  severities: { cluster: "info" },
  over: "host",
  alsoInCluster: true,
  on: ["cpuAffinity"],
  needs: ["host"],
  reads: ["vcpus", "cpuAffinity"],
  messages: {
    same: (d: { vm: string; others: readonly string[]; pcpus: number; vcpus: number; cores: number }) =>
      `${d.vm} is pinned to ${plural(d.pcpus, "logical CPU")} of ${names(d.others)}: together ${d.vcpus} vCPUs on ${plural(d.cores, "core")}. Pin each VM to different cores, or remove the affinity.`,
    siblings: (d: { vm: string; others: readonly string[]; shared: number; vcpus: number; cores: number }) =>
      `${d.vm} is pinned to the other hyper-threads of ${plural(d.shared, "core")} of ${names(d.others)}: together ${d.vcpus} vCPUs on ${plural(d.cores, "core")}. Pin each VM to different cores, or remove the affinity.`,
    cluster: (d: { vm: string; others: readonly string[]; vcpus: number; cores: number }) =>
      `${d.vm} is pinned to cores of ${names(d.others)} on any host of their cluster. If HA restarts them on one host, ${d.vcpus} vCPUs share ${plural(d.cores, "core")}. Pin each VM to different cores, or remove the affinity.`,
  },
  applies: isPinned,
  *check({ host, vms, isCluster }) {
    // A list of all CPUs of the host does not restrict a VM.
    const pinned = vms.map((neighbour) => pinnedOf(neighbour, host)).filter(({ cores }) => cores.size < coresOf(host));
    for (const [i, later] of pinned.entries()) {
      const others = crowding(
        later,
        pinned.slice(0, i).filter(({ cores }) => meet(cores, later.cores) > 0),
      );
      if (others.length === 0) continue;
      const group = [...others, later];
      const data = {
        vm: later.vm.name,
        others: others.map(({ vm }) => vm.name),
        vcpus: vcpusIn(group),
        cores: union(group.map(({ cores }) => cores)).size,
      };
      const pcpus = meet(later.pcpus, union(others.map((other) => other.pcpus)));
      const shared = meet(later.cores, union(others.map((other) => other.cores)));
      const place = {
        on: later.vm,
        at: placeOf(later.vm),
        related: others.map(({ vm }) => ({ on: vm, at: placeOf(vm), message: `${vm.name} is pinned here` })),
      };
      if (isCluster) yield { messageId: "cluster", data, ...place };
      else if (pcpus > 0) yield { messageId: "same", data: { ...data, pcpus }, ...place };
      else yield { messageId: "siblings", data: { ...data, shared }, ...place };
    }
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "VMs of one host are pinned to the same cores",
  why: "ESXi may not move a pinned vCPU to a free core. VMs pinned to the same logical CPUs, or to the two hyper-threads of a core, take turns there even if the rest of the host is idle. Lists with a core for every vCPU are not reported: ESXi can keep the VMs apart.",
  whenNot:
    "When the VMs are pinned to a few cores on purpose. Fewer cores save no Oracle licences: Oracle counts affinity and VMware as soft partitioning.",
  evidence: {
    figure:
      "92,712 operations a minute on 8 cores, 58,145 on 8 hyper-threads of 4 cores (one VM of 8 vCPUs, SQL Server 2012, 4 x Xeon E7-4870)",
    source: SQL55,
    against: "The figure comes from one VM on its own hyper-threads; two VMs on the same cores were not measured.",
  },
  sources: [AFFINITY_DOC, ORACLE_PARTITIONING],
  shared: { host: "dl580g7" },
  bad: [
    {
      title: "Two VMs on the same cores",
      vmx: [
        `displayName = "sql-1"\nnumvcpus = "8"\nsched.cpu.affinity = "0,2,4,6,8,10,12,14"`,
        `displayName = "sql-2"\nnumvcpus = "8"\nsched.cpu.affinity = "8,10,12,14,16,18,20,22"`,
      ],
      expect: "same",
    },
    {
      title: "Two VMs on the two hyper-threads of the same cores",
      vmx: [
        `displayName = "sql-1"\nnumvcpus = "4"\nsched.cpu.affinity = "0,2,4,6"`,
        `displayName = "sql-2"\nnumvcpus = "4"\nsched.cpu.affinity = "1,3,5,7"`,
      ],
      expect: "siblings",
    },
    {
      title: "Two VMs of a cluster",
      host: "r640",
      otherHosts: ["r930"],
      vmx: [
        `displayName = "sql-1"\nnumvcpus = "4"\nsched.cpu.affinity = "0,2,4,6"`,
        `displayName = "sql-2"\nnumvcpus = "4"\nsched.cpu.affinity = "0,2,4,6"`,
      ],
      expect: "cluster",
    },
  ],
  good: [
    {
      title: "Each VM on cores of its own",
      vmx: [
        `displayName = "sql-1"\nnumvcpus = "4"\nsched.cpu.affinity = "0,2,4,6"`,
        `displayName = "sql-2"\nnumvcpus = "4"\nsched.cpu.affinity = "8,10,12,14"`,
      ],
    },
    {
      title: "Two VMs kept on the 10 cores of one socket, which has room for both",
      vmx: [
        `displayName = "sql-1"\nnumvcpus = "4"\nsched.cpu.affinity = "0-19"`,
        `displayName = "sql-2"\nnumvcpus = "4"\nsched.cpu.affinity = "0-19"`,
      ],
    },
  ],
});

function pinnedOf(vm: Pinned["vm"], host: HostModel): Pinned {
  const { cpuAffinity } = vm.vm;
  const listed = cpuAffinity && cpuAffinity.value !== "all" ? cpuAffinity.value : [];
  const pcpus = new Set(listed.filter((pcpu) => pcpu < threadsOf(host)));
  return { vm, vcpus: vcpusOf(vm.vm), pcpus, cores: new Set([...pcpus].map((pcpu) => Math.floor(pcpu / host.threadsPerCore))) };
}

/** Returns the VMs that leave `later` fewer cores than vCPUs: single VMs if possible, otherwise all of them together. */
function crowding(later: Pinned, others: readonly Pinned[]): readonly Pinned[] {
  const alone = others.filter((other) => isCrowded([other, later]));
  if (alone.length > 0) return alone;
  return isCrowded([...others, later]) ? others : [];
}

/** Whether the VMs cannot each have a core for every vCPU inside their lists. */
const isCrowded = (group: readonly Pinned[]): boolean => group.length > 1 && vcpusIn(group) > union(group.map(({ cores }) => cores)).size;

const vcpusIn = (group: readonly Pinned[]): number => group.reduce((sum, { vcpus }) => sum + vcpus, 0);

const union = (sets: readonly ReadonlySet<number>[]): ReadonlySet<number> => new Set(sets.flatMap((set) => [...set]));

const meet = (a: ReadonlySet<number>, b: ReadonlySet<number>): number => [...a].filter((number) => b.has(number)).length;

const placeOf = ({ vm }: Pinned["vm"]) => vm.cpuAffinity?.range ?? vm.range;
