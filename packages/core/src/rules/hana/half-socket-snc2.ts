import { isHalfSocket, sharesSockets } from "../../limits/hana.ts";
import { esxi } from "../../model/esxi.ts";
import type { HostModel } from "../../model/host.ts";
import { HANA_SNC2 } from "../../model/sources.ts";
import { builtinRule, holds, type PageOf } from "../define.ts";

const sapphireRapids = (numaNodes: number): HostModel => ({
  name: `2x Xeon Gold 6430, ${numaNodes} NUMA nodes`,
  cpu: "Intel Xeon Gold 6430",
  sockets: 2,
  coresPerSocket: 32,
  threadsPerCore: 2,
  numaNodes,
  esxi: esxi(8, 0),
});

export const rule = builtinRule({
  id: "hana/half-socket-snc2",
  severity: "error",
  on: ["vcpus"],
  needs: ["host", "workload"],
  about: "hana",
  reads: ["vcpus"],
  messages: {
    off: (d: { vcpus: number; coresPerSocket: number; cpu: string }) =>
      `${d.vcpus} vCPUs are half of a ${d.coresPerSocket}-core socket (${d.cpu}), which HANA in production can share only with SNC-2. Enable SNC-2 in the firmware, or use ${d.coresPerSocket} vCPUs.`,
  },
  applies: ({ vcpus }, _, workload) =>
    workload?.kind === "hana" && workload.environment !== "test" ? holds(vcpus, (count) => count !== undefined) : false,
  *check({ vm, host, workload }) {
    if (!vm.vcpus || !isHalfSocket(vm.vcpus.value, host) || sharesSockets(host)) return;
    if (workload.environment === undefined) return yield { skip: "workload-incomplete", lacks: ["environment"] };
    yield {
      messageId: "off",
      data: { vcpus: vm.vcpus.value, coresPerSocket: host.coresPerSocket, cpu: host.cpu ?? "" },
      at: vm.vcpus.range,
    };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "Half-socket SAP HANA on Sapphire Rapids without sub-NUMA clustering",
  why: "Two HANA VMs on one socket of these processors disturb each other more than SAP allows, unless SNC-2 gives each half its own memory controllers.",
  whenNot: "For systems that are not production: declare `environment: test`.",
  evidence: {
    figure:
      "With SNC-2 the deviation of two half-socket VMs stayed significantly below the 5 % SAP allows, and they are supported; before, half-socket VMs were not",
    source: HANA_SNC2,
  },
  bad: [{ title: "16 vCPUs on sockets of 32 cores", host: sapphireRapids(2), workload: "hana, production", vmx: `numvcpus = "16"` }],
  good: [
    { title: "SNC-2", host: sapphireRapids(4), workload: "hana, production", vmx: `numvcpus = "16"` },
    { title: "A whole socket", host: sapphireRapids(2), workload: "hana, production", vmx: `numvcpus = "32"` },
    { title: "Other processors", host: "r640", workload: "hana, production", vmx: `numvcpus = "12"` },
  ],
});
