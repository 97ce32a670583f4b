import { isAligned, isPlaced, isSlight, nearest } from "../../advice/aligned-size.ts";
import { fitsVm } from "../../advice/candidate.ts";
import { coresOf } from "../../model/host.ts";
import { DENNEMAN_2021_CPS, KB_415687, RIGHTSIZING_2017, SQL55, VNUMA_DOC_65 } from "../../model/sources.ts";
import type { SettingValues } from "../../model/spec.ts";
import { capitalized } from "../../model/words.ts";
import type { Topology } from "../../platforms/esxi/derive.ts";
import { groupText, isEven } from "../../platforms/esxi/layout.ts";
import { builtinRule, holds, type PageOf, type ProposedFix, unsafeFix } from "../define.ts";
import { useVcpus } from "../shape-advice.ts";

export const rule = builtinRule({
  id: "numa/wide-uneven",
  severity: "warning",
  severities: { slight: "info", odd: "info" },
  on: ["vcpus"],
  needs: ["host", "topology"],
  onlyWiderThan: "node",
  reads: ["vcpus", "coresPerNumaNode", "maxVcpusPerVnumaNode", "preferHt"],
  messages: {
    uneven: (d: Split) => sentence(d),
    slight: (d: Split) => sentence(d),
    odd: (d: { vcpus: number; nodes: readonly number[]; below: number | null; above: number | null }) => {
      const counts = [d.below, d.above].filter((count) => count !== null).join(" or ");
      return `${d.vcpus} vCPUs span ${d.nodes.length} NUMA nodes with an odd number of vCPUs in each (${groupText(d.nodes)}).${counts ? ` Use ${counts} for even numbers.` : ""}`;
    },
  },
  applies: ({ vcpus }) => holds(vcpus, (count = 1) => count > 1),
  *check({ vm, host, topology, workload, advise, whatIf, ifKnown }) {
    const { vcpus, numaClients: nodes, nodeCapacity: capacity, numaManaged, vnumaNodes } = topology;
    // Neither the scheduler nor the guest works with nodes here.
    if (!numaManaged && vnumaNodes.length === 1) return;
    // A manual size is a choice of nodes, not of a vCPU count.
    if (!vm.vcpus || nodes.length === 1 || (vm.coresPerNumaNode?.value ?? 0) > 0 || vm.maxVcpusPerVnumaNode) return;
    const uneven = !isEven(nodes) && vcpus % nodes.length !== 0;
    const odd = isEven(nodes) && vcpus % 2 === 1;
    if (!uneven && !odd) return;
    if (!isPlaced(topology)) return void (yield { skip: "layout-unknown" });

    const purpose = { host, workload, memoryMiB: ifKnown("memoryMiB") };
    const better = (override: SettingValues): readonly number[] | null => {
      const candidate = whatIf(override);
      // Another rule reports nodes that hot add hides. If the guest sees other nodes than the clients, another shape helps little.
      const guestNodes = whatIf({ cpuHotAdd: false, ...override })?.vnumaNodes;
      const isBetter =
        candidate &&
        isPlaced(candidate) &&
        isAligned(candidate, host.numaNodes) &&
        guestNodes?.length === candidate.numaClients.length &&
        idle(candidate) <= idle(topology) &&
        fitsVm(candidate, purpose);
      return isBetter ? candidate.numaClients : null;
    };
    const most = Math.min(2 * vcpus, capacity * host.numaNodes);
    const { below = null, above = null } = advise(() => nearest(vcpus, most, (count) => better({ vcpus: count }) !== null)) ?? {};
    const preferHt = vm.preferHt?.value ? null : (advise(() => better({ preferHt: true })) ?? null);

    const counts: ProposedFix[] = [below, above].flatMap((count) => (count === null ? [] : [useVcpus(count)]));
    const threads: ProposedFix[] = preferHt ? [unsafeFix("Set preferHT", { preferHt: true })] : [];
    const at = vm.vcpus.range;
    // It was measured for a VM with more vCPUs than the host has cores, which must share cores anyway.
    const measured = vcpus > coresOf(host);
    const fixes = !uneven ? counts : measured ? [...threads, ...counts] : [...counts, ...threads];
    const data = { vcpus, nodes, capacity, below, above, preferHt, measured };
    if (uneven) yield { messageId: isSlight(nodes) ? "slight" : "uneven", data, at, fixes };
    else yield { messageId: "odd", data: { vcpus, nodes, below, above }, at, fixes };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "vCPUs do not divide evenly over the NUMA nodes",
  why: "A VM with more vCPUs than a physical NUMA node has cores is divided into several NUMA clients. If the count does not divide evenly, the last client is smaller. A guest that spreads work over its nodes then overloads the small node.",
  whenNot: "When the software is licensed or limited to exactly this count, or the VM is so lightly loaded that no node fills up.",
  evidence: {
    figure: "64 vCPUs on 4 x 10 cores: 16+16+16+16 (preferHT) gave 30 % more throughput than 10+10+10+10+10+10+4",
    source: SQL55,
    against:
      "preferHT shares cores between vCPUs: Broadcom KB 415687 warns of contention for CPU-bound VMs. Denneman does not expect 16+14 to be noticed.",
  },
  sources: [VNUMA_DOC_65, RIGHTSIZING_2017, KB_415687, DENNEMAN_2021_CPS],
  bad: [
    { title: "64 vCPUs on 10-core nodes", host: "dl580g7", vmx: `virtualHW.version = "10"\nnumvcpus = "64"`, expect: "uneven" },
    { title: "22 vCPUs on 10-core nodes", host: "4x10x2@7.0", vmx: `virtualHW.version = "17"\nnumvcpus = "22"`, expect: "slight" },
    { title: "49+48 on 96-core nodes", host: "2x96x2@8.0", vmx: `virtualHW.version = "20"\nnumvcpus = "97"`, expect: "slight" },
    { title: "27 vCPUs as 9+9+9", host: "4x10x2@7.0", vmx: `virtualHW.version = "17"\nnumvcpus = "27"`, expect: "odd" },
  ],
  good: [
    { title: "40 vCPUs fill four nodes", host: "dl580g7", vmx: `virtualHW.version = "10"\nnumvcpus = "40"` },
    {
      title: "64 vCPUs as 16+16+16+16 under preferHT",
      host: "dl580g7",
      vmx: `virtualHW.version = "10"\nnumvcpus = "64"\nnuma.vcpu.preferHT = "TRUE"`,
    },
    {
      title: "Out of NUMA scheduling, and one node for the guest",
      host: "2x10x2@6.5",
      vmx: `virtualHW.version = "13"\nnumvcpus = "11"\nvcpu.hotadd = "TRUE"\nsched.mem.affinity = "0"`,
    },
    { title: "8 vCPUs fit one node", host: "dl580g7", vmx: `virtualHW.version = "10"\nnumvcpus = "8"` },
  ],
});

interface Split {
  readonly vcpus: number;
  readonly nodes: readonly number[];
  readonly capacity: number;
  readonly below: number | null;
  readonly above: number | null;
  readonly preferHt: readonly number[] | null;
  /** Whether preferHT was measured for such a VM. */
  readonly measured: boolean;
}

function sentence({ vcpus, nodes, capacity, below, above, preferHt, measured }: Split): string {
  const counts = [below, above].filter((count) => count !== null).join(" or ");
  const result = preferHt && (preferHt.length === 1 ? `fits all ${vcpus} on one node` : `makes it ${groupText(preferHt)}`);
  const remedies = [...(counts ? [`use ${counts} vCPUs to divide evenly`] : []), ...(result ? [`set preferHT, which ${result}`] : [])];
  if (measured) remedies.reverse();
  return `${vcpus} vCPUs on NUMA nodes of ${capacity} are split ${groupText(nodes)}. ${remedies.length > 0 ? `${capitalized(remedies.join("; or "))}.` : ""}`.trimEnd();
}

/** The vCPUs that the guest OS or SQL Server cannot use. */
const idle = ({ vcpus, guestUsableVcpus, usableVcpus }: Topology): number => vcpus - Math.min(guestUsableVcpus, usableVcpus ?? vcpus);
