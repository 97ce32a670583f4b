import { isDecided } from "../../advice/aligned-size.ts";
import { DENNEMAN_2022_MISMATCH, VNUMA_CONTROLS_67 } from "../../model/sources.ts";
import { plural } from "../../model/words.ts";
import type { Topology } from "../../platforms/esxi/derive.ts";
import { groupText, isSameLayout } from "../../platforms/esxi/layout.ts";
import { builtinRule, holds, type PageOf } from "../define.ts";

export const rule = builtinRule({
  id: "host/heterogeneous-cluster",
  severity: "warning",
  severities: { eachBoot: "info" },
  on: ["vcpus"],
  needs: ["host", "topology"],
  onlyWiderThan: "node",
  reads: ["vcpus", "numaAutosize", "numaAutosizeOnce"],
  messages: {
    differs: (d: HostDifference) =>
      `${split(d)}, but the guest keeps the nodes of the host of its first power-on. Choose a vCPU count with the same layout on every host, or keep the VM on hosts of one kind.`,
    eachBoot: (d: HostDifference) =>
      `${split(d)}, and the VM is sized anew at each power-on, so its guest sees different nodes after a move. Choose a vCPU count with the same layout on every host.`,
    hidden: (d: HostDifference) =>
      `${split(d)}, but its guest sees one NUMA node on each. Choose a vCPU count with the same layout on every host, or keep the VM on hosts of one kind.`,
  },
  applies: ({ vcpus }) => holds(vcpus, (count = 1) => count > 1),
  *check({ vm, host, topology, onOtherHosts }) {
    const { vcpus, numaManaged, numaClients: clientsHere } = topology;
    if (!vm.vcpus || !numaManaged || !isDecided(topology)) return;
    const differing = onOtherHosts()
      .filter(({ topology: other }) => other && isDecided(other) && !isSameLayout(other, topology))
      // The host that divides the VM most comes first.
      .sort((a, b) => clientsOf(b.topology) - clientsOf(a.topology));
    const first = differing[0]?.topology;
    if (!first) return;
    const data = {
      vcpus,
      host: host.name,
      here: clientsHere,
      others: differing.map((differingHost) => differingHost.host.name),
      there: first.numaClients,
    };
    const isHidden = topology.vnumaNodes.length === 1 && first.vnumaNodes.length === 1;
    const isEachBoot = vm.numaAutosize?.value === true || vm.numaAutosizeOnce?.value === false;
    yield { messageId: isHidden ? "hidden" : isEachBoot ? "eachBoot" : "differs", data, at: vm.vcpus.range };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "Hosts of a cluster give the VM different NUMA nodes",
  why: "ESXi sizes a VM's NUMA nodes by the host of its first power-on and keeps them. On a host with other nodes, ESXi divides the VM differently, but the guest does not see it: one of its nodes then spans two host nodes. Declare hosts that share VMs under clusters: in vmlint.yaml.",
  whenNot: "When a rule of the cluster keeps the VM on hosts of one kind, or nothing in the guest is aware of NUMA.",
  evidence: {
    figure: "36 vCPUs sized on 2 x 20 cores and moved to 4 x 14: the guest keeps 2 nodes of 18, but the VM spans 3",
    source: DENNEMAN_2022_MISMATCH,
    against: "The article shows the layouts and no throughput.",
  },
  sources: [VNUMA_CONTROLS_67],
  shared: { host: "2x20x2@7.0", otherHosts: ["4x14x2@7.0"], vmx: `virtualHW.version = "17"` },
  bad: [
    { title: "36 vCPUs on two and on four sockets", vmx: `numvcpus = "36"`, expect: "differs" },
    { title: "Sized at each power-on", vmx: `numvcpus = "36"\nnuma.autosize.once = "FALSE"`, expect: "eachBoot" },
    { title: "CPU hot add hides the difference from the guest", vmx: `numvcpus = "20"\nvcpu.hotadd = "TRUE"`, expect: "hidden" },
  ],
  good: [
    { title: "28 vCPUs are 14+14 on both", vmx: `numvcpus = "28"` },
    { title: "14 vCPUs fit a node of both", vmx: `numvcpus = "14"` },
    { title: "Hosts of one kind", otherHosts: ["2x20x2:512@7.0"], vmx: `numvcpus = "36"` },
  ],
});

const clientsOf = (topology: Topology | undefined): number => topology?.numaClients.length ?? 0;

interface HostDifference {
  readonly vcpus: number;
  readonly host: string;
  readonly here: readonly number[];
  /** The hosts with another layout, and the layout of the first of them. */
  readonly others: readonly string[];
  readonly there: readonly number[];
}

const split = ({ vcpus, host, here: clientsHere, others, there }: HostDifference): string => {
  const [first, ...more] = others;
  const moreHosts =
    more.length === 0 ? "" : ` (${plural(more.length, "more host")} of the cluster ${more.length === 1 ? "differs" : "differ"} as well)`;
  return `The ${vcpus} vCPUs are placed ${groupText(clientsHere)} on ${host} and ${groupText(there)} on ${first}${moreHosts}`;
};
