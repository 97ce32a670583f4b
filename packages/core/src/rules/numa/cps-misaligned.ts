import { isDecided, isSlight } from "../../advice/aligned-size.ts";
import { fewestCores } from "../../advice/sockets-and-cores.ts";
import { nodesForMemory } from "../../limits/vm-memory.ts";
import { DENNEMAN_2021_CPS, DENNEMAN_2022_DEVICES, SQL55, VNUMA_DOC_65 } from "../../model/sources.ts";
import type { SettingValues } from "../../model/spec.ts";
import { plural } from "../../model/words.ts";
import { groupText, isEven } from "../../platforms/esxi/layout.ts";
import { builtinRule, holds, type PageOf } from "../define.ts";
import { bestShape, nodeSizes, setCoresPerSocket } from "../shape-advice.ts";

export const rule = builtinRule({
  id: "numa/cps-misaligned",
  severity: "warning",
  severities: { slight: "info" },
  on: ["coresPerSocket"],
  needs: ["host", "topology"],
  onlyWiderThan: "node",
  reads: ["coresPerSocket", "coresPerNumaNode", "maxVcpusPerVnumaNode"],
  messages: { uneven: (d: Split) => sentence(d), slight: (d: Split) => sentence(d) },
  applies: ({ coresPerSocket }) => holds(coresPerSocket, (cores) => typeof cores === "number" && cores > 1),
  *check(facts) {
    const { vm, host, topology, advise, whatIf, ifKnown } = facts;
    const { vcpus, numaClients: clients, nodeCapacity, coresPerSocket, numaManaged } = topology;
    if (!vm.coresPerSocket || !numaManaged || (vm.coresPerNumaNode?.value ?? 0) > 0 || vm.maxVcpusPerVnumaNode) return;
    if (isEven(clients) || vcpus % clients.length !== 0) return;
    // Another rule reports memory that needs more nodes, which is more severe.
    if (clients.length < nodesForMemory(ifKnown("memoryMiB"), host)) return;
    const fewest = fewestCores(vcpus, vcpus / clients.length);
    const without = whatIf({ coresPerSocket: fewest });
    if (!without || !isEven(without.numaClients) || without.numaClients.length !== clients.length) return;
    if (!isDecided(topology)) return yield { skip: "layout-unknown" };
    if (clients.some((client) => client > nodeCapacity)) return;
    const aligned = advise(() => nodeSizes(facts, (size) => ({ coresPerSocket: size }))[0]);
    const instead = aligned ?? advise(() => sameCount(bestShape(facts, topology)?.settings)) ?? null;
    yield {
      messageId: isSlight(clients) ? "slight" : "uneven",
      data: { vcpus, coresPerSocket, clients, instead },
      at: vm.coresPerSocket.range,
      fixes: instead === null ? [] : [setCoresPerSocket(instead)],
    };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "Cores per socket make NUMA nodes uneven",
  why: "From ESXi 6.5 on cores per socket no longer size the NUMA nodes, but a node still holds whole virtual sockets. Where the sockets do not divide evenly over the nodes, one node gets a socket more than the other, although the vCPUs alone would divide. The logs are of 7.0; articles of the same author describe it for 6.5 and for 8.0.",
  whenNot: "When a licence needs this number of sockets, or the difference is small against the node.",
  evidence: {
    figure: "30 vCPUs on 2 x 20 cores: 2 cores per socket give 16+14, 6 give 18+12, 15 give 15+15",
    source: DENNEMAN_2021_CPS,
    against:
      "The author does not expect 16+14 to be noticeable; no throughput was measured. By the documentation of 6.5 to 8.0, cores per socket do not influence the nodes.",
  },
  sources: [DENNEMAN_2022_DEVICES, VNUMA_DOC_65, SQL55],
  shared: { host: "2x20x2@7.0", vmx: `virtualHW.version = "17"` },
  bad: [
    { title: "5 sockets of 6 on two nodes", vmx: `numvcpus = "30"\ncpuid.coresPerSocket = "6"`, expect: "uneven" },
    { title: "15 sockets of 2 on two nodes", vmx: `numvcpus = "30"\ncpuid.coresPerSocket = "2"`, expect: "slight" },
    {
      title: "The same on ESXi 8.0",
      host: "2x20x2@8.0",
      vmx: `virtualHW.version = "20"\nnumvcpus = "30"\ncpuid.coresPerSocket = "6"`,
      expect: "uneven",
    },
    {
      title: "On ESXi 6.5",
      host: "2x20x2@6.5",
      vmx: `virtualHW.version = "13"\nnumvcpus = "30"\ncpuid.coresPerSocket = "6"`,
      expect: "uneven",
    },
  ],
  good: [
    { title: "One socket for each node", vmx: `numvcpus = "30"\ncpuid.coresPerSocket = "15"` },
    { title: "Two sockets for each node", vmx: `numvcpus = "24"\ncpuid.coresPerSocket = "6"` },
  ],
});

/** Returns the cores per socket of a shape that changes nothing else. */
const sameCount = ({ coresPerSocket, ...others }: SettingValues = {}): number | undefined =>
  typeof coresPerSocket === "number" && Object.keys(others).length === 0 ? coresPerSocket : undefined;

interface Split {
  readonly vcpus: number;
  readonly coresPerSocket: number;
  readonly clients: readonly number[];
  readonly instead: number | null;
}

const sentence = ({ vcpus, coresPerSocket, clients, instead }: Split): string =>
  `${vcpus} vCPUs in sockets of ${coresPerSocket} are split ${groupText(clients)} over ${clients.length} NUMA nodes, which hold whole sockets. ${
    instead === null
      ? `Choose a vCPU count whose sockets divide over ${clients.length} nodes.`
      : `Set ${plural(instead, "core")} per socket to make them equal.`
  }`;
