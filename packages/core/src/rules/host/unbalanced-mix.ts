import { nearest } from "../../advice/aligned-size.ts";
import { threadsOf } from "../../model/host.ts";
import { SQL55 } from "../../model/sources.ts";
import { plural } from "../../model/words.ts";
import { isDemanding } from "../../model/workload.ts";
import { isSure } from "../../platforms/esxi/certainty.ts";
import { builtinRule, type Neighbour, type PageOf, vcpusOf } from "../define.ts";

/**
 * The share of logical CPUs above which a VM of odd size has no free node. Derived: the study ran best at 64 of 80 (8 x 8 vCPUs) and slower
 * at 72 (9 x 8).
 */
const isFull = (vcpus: number, threads: number): boolean => vcpus * 5 > threads * 4;

export const rule = builtinRule({
  id: "host/unbalanced-mix",
  severity: "hint",
  over: "host",
  needs: ["host"],
  reads: ["vcpus"],
  messages: {
    uneven: (d: {
      vms: number;
      vcpus: number;
      clients: number;
      clientVcpus: number;
      nodes: number;
      below: number | null;
      above: number | null;
    }) => {
      const counts = [d.below, d.above].filter((count) => count !== null).join(" or ");
      return `${d.vms} VMs of ${plural(d.vcpus, "vCPU")} make ${d.clients} NUMA clients of ${d.clientVcpus} on ${d.nodes} NUMA nodes: one node always runs more than another. ${counts ? `${counts} such VMs divide evenly.` : "Move a VM to another host."}`;
    },
  },
  *check({ host, vms, complete }) {
    const [first, ...others] = vms;
    // A VM that is missing from the list could even out the load.
    if (!first || others.length === 0 || !complete || host.numaNodes === 1) return;
    const vcpus = vcpusOf(first.vm);
    if (others.some(({ vm }) => vcpusOf(vm) !== vcpus) || !isFull(vcpus * vms.length, threadsOf(host))) return;
    if (vms.some(({ workload }) => workload !== undefined && !isDemanding(workload))) return;

    const sizes: number[] = [];
    for (const { layout } of vms) {
      const result = layout();
      if (!result.ok) return void (yield { skip: result.because });
      const { numaManaged, certainties } = result.topology;
      if (!isSure(certainties.numaClients) || !isSure(certainties.placement))
        return void (yield { skip: host.esxi ? "layout-unknown" : "no-esxi-version" });
      if (!numaManaged) return;
      sizes.push(...result.topology.numaClients);
    }
    const [size = 0] = sizes;
    const nodes = host.numaNodes;
    if (sizes.some((other) => other !== size) || sizes.length < nodes || sizes.length % nodes === 0) return;
    if (vms.some(({ workload }) => workload === undefined)) return void (yield { skip: "no-workload" });

    const clientsEach = sizes.length / vms.length;
    const isEven = (count: number): boolean => (count * clientsEach) % nodes === 0;
    const fits = Math.floor(threadsOf(host) / vcpus);
    yield {
      messageId: "uneven",
      data: {
        vms: vms.length,
        vcpus,
        clients: sizes.length,
        clientVcpus: size,
        nodes,
        ...nearest(vms.length, fits, isEven),
      },
      on: first,
      at: placeOf(first),
      related: others.map((other) => ({ on: other, at: placeOf(other), message: `${other.name}: ${plural(vcpus, "vCPU")}` })),
    };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "NUMA clients of equal VMs fill the nodes unevenly",
  why: "One node then runs more clients than another. ESXi moves a VM to balance the nodes, which only moves the surplus. For minutes, until its memory has followed, the VM works on remote memory. A VM wider than a node counts with each of its clients.",
  whenNot: "When the VMs are not busy at the same time, or the number of VMs is fixed.",
  evidence: {
    figure: "9 x 8 vCPUs on 4 nodes: 473,267 operations a minute, 8 x 8: 493,804 (SQL Server 2012, 4 x Xeon E7-4870)",
    source: SQL55,
    against:
      "5 x 16 (10 clients on 4 nodes) lost only 0.5 % against 4 x 16, and 3 x 32 (12 clients) won 4 % over 2 x 32. The study calls 8 x 10 vCPUs optimal for this host, but did not measure it.",
  },
  shared: { host: "dl580g7", workload: "mssql" },
  bad: [
    { title: "9 x 8 vCPUs on 4 nodes", vmx: Array.from({ length: 9 }, () => `virtualHW.version = "10"\nnumvcpus = "8"`) },
    {
      title: "5 x 16 vCPUs, two clients each, on 4 nodes",
      vmx: Array.from({ length: 5 }, () => `virtualHW.version = "10"\nnumvcpus = "16"`),
    },
  ],
  good: [
    { title: "8 x 8 vCPUs: two VMs on each node", vmx: Array.from({ length: 8 }, () => `virtualHW.version = "10"\nnumvcpus = "8"`) },
    {
      title: "3 x 32 vCPUs: a client of each VM on each node",
      vmx: Array.from({ length: 3 }, () => `virtualHW.version = "10"\nnumvcpus = "32"`),
    },
  ],
});

const placeOf = ({ vm }: Neighbour<"vcpus">) => vm.vcpus?.range ?? vm.range;
