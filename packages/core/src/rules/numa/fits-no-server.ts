import { MAX_VCPUS } from "../../limits/hardware.ts";
import { fitsSomeServer, LARGEST_SERVERS } from "../../limits/servers.ts";
import { DENNEMAN_2021_CPS, SPEC_CPU2017, SUPERDOME_FLEX } from "../../model/sources.ts";
import { builtinRule, holds, type PageOf } from "../define.ts";

interface Misfit {
  readonly vcpus: number;
  readonly coresPerSocket: number;
  /** The next smaller VM that fits; null if smaller sockets are enough. */
  readonly fitting: number | null;
}

/** Every VM up to this size fits one node of the largest server, if its sockets do. */
const LARGEST_NODE = Math.max(...LARGEST_SERVERS.map(({ coresPerSocket }) => coresPerSocket));

const SIZES = LARGEST_SERVERS.map(({ sockets, coresPerSocket }) => `${coresPerSocket} cores in up to ${sockets} sockets`).join(", or ");

/** Returns the next smaller VM that some server holds. */
const nextFitting = (vcpus: number): number => (fitsSomeServer(vcpus - 1) ? vcpus - 1 : nextFitting(vcpus - 1));

export const rule = builtinRule({
  id: "numa/fits-no-server",
  severity: "warning",
  on: ["vcpus"],
  reads: ["vcpus", "coresPerSocket", "preferHt", "threadsPerCore"],
  messages: {
    misfit: ({ vcpus, coresPerSocket, fitting }: Misfit) =>
      `${vcpus} vCPUs${coresPerSocket > 1 ? ` in sockets of ${coresPerSocket}` : ""} do not divide evenly into the NUMA nodes of any processor that vmlint knows: the largest nodes have ${SIZES}. ${fitting === null ? "Set fewer cores per socket" : `Use ${fitting} vCPUs`}, or declare the host.`,
  },
  applies: ({ vcpus }) => holds(vcpus, (count = 1) => count > LARGEST_NODE && count <= MAX_VCPUS),
  *check({ vm, host }) {
    const cores = vm.coresPerSocket?.value ?? 1;
    const coresPerSocket = cores === "auto" ? 1 : cores;
    if (!vm.vcpus || host || vm.preferHt?.value || (vm.threadsPerCore?.value ?? 1) > 1) return;
    const vcpus = vm.vcpus.value;
    if (fitsSomeServer(vcpus, coresPerSocket)) return;
    yield {
      messageId: "misfit",
      data: { vcpus, coresPerSocket, fitting: fitsSomeServer(vcpus) ? null : nextFitting(vcpus) },
      at: vm.vcpus.range,
    };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "VM fits the NUMA nodes of no server",
  why: "A VM runs best in one NUMA node, or in equal nodes that each have whole virtual sockets. No processor that vmlint knows gives this VM such nodes, so it is uneven on every host.",
  whenNot:
    "When you have a larger server or a newer processor: declare it as the host. VMs with preferHT or virtual hyper-threading are not reported.",
  evidence: {
    figure: "The largest processors have 192 cores in 2 sockets; others have at most 86, and servers at most 32 sockets",
    source: SPEC_CPU2017,
  },
  sources: [SUPERDOME_FLEX, DENNEMAN_2021_CPS],
  bad: [
    { title: "211 vCPUs", vmx: `numvcpus = "211"` },
    { title: "One socket of 256 cores", vmx: `virtualHW.version = "20"\nnumvcpus = "256"\ncpuid.coresPerSocket = "256"` },
  ],
  good: [
    { title: "191 vCPUs fit one node", vmx: `numvcpus = "191"` },
    { title: "256 vCPUs in two halves", vmx: `numvcpus = "256"` },
    { title: "768 vCPUs on 16 nodes", vmx: `numvcpus = "768"` },
    { title: "The host is known, and other rules check it", host: "2x24x2@8.0", vmx: `numvcpus = "211"` },
  ],
});
