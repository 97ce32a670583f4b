import { nodeMiB } from "../../limits/vm-memory.ts";
import { DENNEMAN_2017_MEMORY } from "../../model/sources.ts";
import { plural } from "../../model/words.ts";
import { builtinRule, type Facts, holds, type PageOf, unsafeFix } from "../define.ts";

export const rule = builtinRule({
  id: "numa/consolidate-narrow",
  severity: "info",
  on: ["numaConsolidate"],
  needs: ["host", "topology"],
  onlyWiderThan: "node",
  reads: ["memoryMiB", "numaConsolidate"],
  messages: {
    spread: (d: { vcpus: number; memoryGiB: number; nodeGiB: number }) =>
      `${plural(d.vcpus, "vCPU")} and ${d.memoryGiB} GiB fit one NUMA node (${d.nodeGiB} GiB), but numa.consolidate = FALSE spreads them. Remove it.`,
  },
  applies: ({ numaConsolidate }) => holds(numaConsolidate, (on) => on === false),
  *check({ vm, host, topology, whatIf, onOtherHosts }) {
    const { vcpus, numaClients, numaManaged } = topology;
    if (!vm.numaConsolidate || !vm.memoryMiB || !numaManaged || numaClients.length === 1) return;
    if (whatIf({ numaConsolidate: true })?.numaClients.length !== 1) return;
    const ofNode = nodeMiB(host);
    if (ofNode === undefined) return yield { skip: "host-incomplete", lacks: ["memoryGiB"] };
    const [memoryGiB, nodeGiB] = [vm.memoryMiB.value / 1024, ofNode / 1024];
    if (memoryGiB > nodeGiB) return;
    if (!onOtherHosts({ numaConsolidate: true }).every((otherHost) => fitsOneNode(otherHost, memoryGiB))) return;
    yield {
      messageId: "spread",
      data: { vcpus, memoryGiB: Math.round(memoryGiB * 10) / 10, nodeGiB: Math.round(nodeGiB * 10) / 10 },
      at: vm.numaConsolidate.range,
      fixes: [unsafeFix("Let ESXi consolidate", { numaConsolidate: true })],
    };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "numa.consolidate = FALSE splits a VM that fits one node",
  why: "The option is made for a VM whose memory does not fit one node: it then spans several. A VM that fits one node with vCPUs and memory would have all its memory near without the option.",
  whenNot:
    "When the VM needs the memory bandwidth of several nodes more than short paths, or also runs on hosts with smaller nodes. The hosts of its cluster are checked.",
  evidence: {
    figure: "8 vCPUs on nodes of 12 cores: FALSE makes two clients of 4, but the guest sees one virtual node",
    source: DENNEMAN_2017_MEMORY,
    against: "The article sets it for a VM with more memory than a node, and there it helps.",
  },
  shared: { host: "2x12x2:384@7.0", vmx: `virtualHW.version = "17"` },
  bad: [{ title: "8 vCPUs and 64 GiB", vmx: `numvcpus = "8"\nmemSize = "65536"\nnuma.consolidate = "FALSE"` }],
  good: [
    { title: "256 GiB do not fit a node of 192 GiB", vmx: `numvcpus = "8"\nmemSize = "262144"\nnuma.consolidate = "FALSE"` },
    {
      title: "64 GiB do not fit a node of another host of the cluster",
      otherHosts: ["2x12x2:96@7.0"],
      vmx: `numvcpus = "8"\nmemSize = "65536"\nnuma.consolidate = "FALSE"`,
    },
    { title: "16 vCPUs do not fit a node of 12 cores", vmx: `numvcpus = "16"\nmemSize = "65536"\nnuma.consolidate = "FALSE"` },
  ],
});

/** Whether a VM is known to fit one node of a host, in vCPUs and memory. */
const fitsOneNode = ({ host, topology }: ReturnType<Facts["onOtherHosts"]>[number], memoryGiB: number): boolean =>
  topology?.numaClients.length === 1 && memoryGiB * 1024 <= (nodeMiB(host) ?? 0);
