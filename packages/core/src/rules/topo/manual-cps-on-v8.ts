import { isAligned } from "../../advice/aligned-size.ts";
import { AUTO_TOPOLOGY_HARDWARE } from "../../limits/hardware.ts";
import { nodesForMemory } from "../../limits/vm-memory.ts";
import { DENNEMAN_2022_DEVICES, VTOPO_DOC_80, VTOPO80 } from "../../model/sources.ts";
import { plural } from "../../model/words.ts";
import { isSure } from "../../platforms/esxi/certainty.ts";
import { isSameLayout } from "../../platforms/esxi/layout.ts";
import { builtinRule, holds, type PageOf } from "../define.ts";
import { setCoresPerSocket } from "../shape-advice.ts";

export const rule = builtinRule({
  id: "topo/manual-cps-on-v8",
  severity: "info",
  on: ["coresPerSocket"],
  needs: ["host", "topology"],
  reads: ["vcpus", "coresPerSocket", "hardwareVersion"],
  messages: {
    manual: (d: { vcpus: number; sockets: number; coresPerSocket: number; auto: { sockets: number; coresPerSocket: number } }) =>
      `${d.vcpus} vCPUs have ${plural(d.sockets, "socket")} of ${d.coresPerSocket}, set by hand; ESXi would choose ${plural(d.auto.sockets, "socket")} of ${d.auto.coresPerSocket}. Let ESXi choose (assigned at power on), or set ${d.auto.coresPerSocket}.`,
  },
  applies: ({ vcpus, coresPerSocket, hardwareVersion }) => {
    const byHand = [
      // ESXi chooses the one socket of 2 vCPUs, too.
      holds(vcpus, (count = 1) => count > 2),
      holds(coresPerSocket, (cores) => typeof cores === "number" && cores > 1),
      holds(hardwareVersion, (version = 0) => version >= AUTO_TOPOLOGY_HARDWARE),
    ];
    return byHand.includes(false) ? false : byHand.includes(undefined) ? undefined : true;
  },
  *check({ vm, host, topology, whatIf, ifKnown }) {
    const { vcpus, sockets, coresPerSocket } = topology;
    if (!vm.coresPerSocket || (vm.hardwareVersion?.value ?? 0) < AUTO_TOPOLOGY_HARDWARE) return;
    const auto = whatIf({ coresPerSocket: "auto" });
    if (!auto || !isSure(auto.certainty) || auto.coresPerSocket === coresPerSocket) return;
    // Another rule reports nodes that stay bad or that change with the sockets.
    if (!isAligned(auto, host.numaNodes) || !isSameLayout(auto, topology)) return;
    // Another rule reports memory that needs more nodes, which is more severe.
    if (auto.numaClients.length < nodesForMemory(ifKnown("memoryMiB"), host)) return;
    const value = auto.coresPerSocket;
    yield {
      messageId: "manual",
      data: { vcpus, sockets, coresPerSocket, auto: { sockets: auto.sockets, coresPerSocket: value } },
      at: vm.coresPerSocket.range,
      fixes: [setCoresPerSocket("auto"), setCoresPerSocket(value)],
    };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "Cores per socket differ from the choice of ESXi 8.0",
  why: "From hardware version 20 on ESXi chooses the cores per socket at power-on, so that the sockets and the caches the guest sees follow the NUMA nodes. A value by hand takes precedence and stays as it is when the VM or its host changes.",
  whenNot:
    "When a licence or the software in the guest needs this number of sockets, or when passthrough devices are assigned to NUMA nodes: the vSphere client allows that only with sockets set by hand.",
  evidence: {
    figure: "A VM of 8 vCPUs on an EPYC 7763 sees 262,144K of L3 as 8 sockets, and as one socket the 32,768K that its cores really share",
    source: VTOPO80,
    against: "Only one core per socket was measured.",
  },
  sources: [VTOPO_DOC_80, DENNEMAN_2022_DEVICES],
  bad: [
    { title: "Four sockets of 4 in one node", host: "r640", vmx: `virtualHW.version = "20"\nnumvcpus = "16"\ncpuid.coresPerSocket = "4"` },
  ],
  good: [
    { title: "What ESXi would choose", host: "r640", vmx: `virtualHW.version = "20"\nnumvcpus = "16"\ncpuid.coresPerSocket = "16"` },
    { title: "Left to ESXi", host: "r640", vmx: `virtualHW.version = "20"\nnumvcpus = "16"` },
    {
      title: "Before hardware version 20 somebody has to choose",
      host: "r640",
      vmx: `virtualHW.version = "19"\nnumvcpus = "16"\ncpuid.coresPerSocket = "4"`,
    },
  ],
});
