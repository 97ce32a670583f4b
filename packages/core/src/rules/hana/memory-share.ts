import { isHanaSize, shareGiB } from "../../limits/hana.ts";
import { shownGiB } from "../../limits/vm-memory.ts";
import { DELL_HANA } from "../../model/sources.ts";
import { builtinRule, holds, type PageOf } from "../define.ts";

export const rule = builtinRule({
  id: "hana/memory-share",
  severity: "warning",
  on: ["memoryMiB"],
  needs: ["host", "workload"],
  about: "hana",
  reads: ["vcpus", "memoryMiB", "preferHt"],
  messages: {
    beyond: (d: { memoryGiB: number; vcpus: number; shareGiB: number; percent: number; threads: boolean }) =>
      `${d.memoryGiB} GiB are more than the ${d.shareGiB} GiB (${d.percent} % of this host) that go with ${d.vcpus} vCPUs${d.threads ? ", even with a core for each" : ""}. Use ${d.shareGiB} GiB or less, or more sockets.`,
  },
  applies: ({ memoryMiB }, _, workload) =>
    workload?.kind === "hana" && workload.environment !== "test" ? holds(memoryMiB, (mib) => mib !== undefined) : false,
  *check({ vm, host, workload }) {
    if (!vm.vcpus || !vm.memoryMiB) return;
    const vcpus = vm.vcpus.value;
    // In cores. If the size counts threads, its share is no larger.
    const share = shareGiB(vcpus, host);
    if (share === undefined) return yield { skip: "host-incomplete", lacks: ["memoryGiB"] };
    const memoryMiB = vm.memoryMiB.value;
    if (!isHanaSize(vcpus, host) || memoryMiB <= share * 1024) return;
    if (workload.environment === undefined) return yield { skip: "workload-incomplete", lacks: ["environment"] };
    const percent = Math.round((share / (host.memoryGiB ?? share)) * 1000) / 10;
    yield {
      messageId: "beyond",
      data: {
        memoryGiB: shownGiB(memoryMiB),
        vcpus,
        shareGiB: Math.floor(share),
        percent,
        threads: vm.preferHt?.value ?? host.preferHt ?? false,
      },
      at: vm.memoryMiB.range,
    };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "SAP HANA has more memory than its sockets share",
  why: "A VM on half a socket or whole sockets owns that part of the host's memory. More memory comes from another NUMA node, and is missing for the VM that owns that node.",
  whenNot: "For systems that are not production: declare `environment: test`.",
  evidence: {
    figure:
      "Half a socket: 25 % of the memory of a host with two sockets, 12.5 % with four; a socket: 50 and 25 %; two and three of four sockets: 50 and 75 %",
    source: DELL_HANA,
  },
  shared: { host: "2x28x2:1536@7.0", workload: "hana, production", vmx: `numvcpus = "14"` },
  bad: [{ title: "Half of a two-socket host's memory on half a socket", vmx: `memSize = "786432"` }],
  good: [
    { title: "A quarter", vmx: `memSize = "393216"` },
    { title: "The host's memory is not stated", host: "2x28x2@7.0", vmx: `memSize = "786432"` },
    { title: "A test system", workload: "hana, test", vmx: `memSize = "786432"` },
  ],
});
