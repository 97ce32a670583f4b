import { shownGiB } from "../../limits/vm-memory.ts";
import { EXCHANGE_BIG, EXCHANGE_HEALTH_CHECKER } from "../../model/sources.ts";
import { defineRule, holds } from "../define.ts";
import { useVcpus } from "../shape-advice.ts";

/** The largest sizes that Microsoft recommends, of Exchange 2016 and of later versions. */
const MOST_2016 = { cores: 24, gib: 192 };
const MOST = { cores: 48, gib: 256 };

export const rule = defineRule({
  id: "exchange/too-large",
  since: "0.1.0",
  severity: "warning",
  summary: "Exchange has more vCPUs or memory than Microsoft recommends",
  why: "Each version of Exchange is tested up to a size. Beyond it, services wait for each other and for the garbage collector, and a larger server answers more slowly. Microsoft recommends more servers.",
  whenNot: "When other software in the VM uses the rest.",
  evidence: {
    figure: "Exchange 2016: 24 logical processors and 192 GB; Exchange 2019 and later: 48 and 256 GB",
    source: EXCHANGE_HEALTH_CHECKER,
  },
  sources: [EXCHANGE_HEALTH_CHECKER, EXCHANGE_BIG],
  anyPlatform: true,
  on: ["vcpus", "memoryMiB"],
  needs: ["workload"],
  about: "exchange",
  reads: ["vcpus", "memoryMiB"],
  messages: {
    cores: (d: { vcpus: number; most: number }) =>
      `Microsoft recommends at most ${d.most} processors for this Exchange server, and the VM has ${d.vcpus} vCPUs. Use ${d.most}, and more servers.`,
    memory: (d: { memoryGiB: number; most: number }) =>
      `Microsoft recommends at most ${d.most} GiB of memory for this Exchange server, and the VM has ${d.memoryGiB}. Use ${d.most} GiB, and more servers.`,
  },
  bad: [
    { title: "49 vCPUs", workload: { kind: "exchange" }, vmx: `numvcpus = "49"`, expect: "cores" },
    { title: "32 vCPUs for 2016", workload: { kind: "exchange", version: "2016" }, vmx: `numvcpus = "32"`, expect: "cores" },
    {
      title: "384 GiB for 2019",
      workload: { kind: "exchange", version: "2019" },
      vmx: `numvcpus = "24"\nmemSize = "393216"`,
      expect: "memory",
    },
  ],
  good: [
    {
      title: "48 vCPUs and 256 GiB for 2019",
      workload: { kind: "exchange", version: "2019" },
      vmx: `numvcpus = "48"\nmemSize = "262144"`,
    },
    {
      title: "24 vCPUs and 192 GiB, any version",
      workload: { kind: "exchange" },
      vmx: `numvcpus = "24"\nmemSize = "196608"`,
    },
  ],
  applies: ({ vcpus, memoryMiB }, _, workload) => {
    if (workload?.kind !== "exchange") return false;
    const wide = holds(vcpus, (count = 1) => count > MOST_2016.cores);
    const large = holds(memoryMiB, (mib = 0) => mib > MOST_2016.gib * 1024);
    return wide === true || large === true ? true : wide === false && large === false ? false : undefined;
  },
  *check({ vm, workload }) {
    const { cores, gib } = workload.version === "2016" ? MOST_2016 : MOST;
    const vcpus = vm.vcpus?.value ?? 1;
    const mib = vm.memoryMiB?.value ?? 0;
    const isOver = { cores: vcpus > cores, memory: mib > gib * 1024 };
    if (isOver.cores && vm.vcpus) yield { messageId: "cores", data: { vcpus, most: cores }, at: vm.vcpus.range, fixes: [useVcpus(cores)] };
    if (isOver.memory && vm.memoryMiB) yield { messageId: "memory", data: { memoryGiB: shownGiB(mib), most: gib }, at: vm.memoryMiB.range };
    const isOpen = (vcpus > MOST_2016.cores && !isOver.cores) || (mib > MOST_2016.gib * 1024 && !isOver.memory);
    if (workload.version === undefined && isOpen) yield { skip: "workload-incomplete", lacks: ["version"] };
  },
});
