import { shownGiB } from "../../limits/vm-memory.ts";
import { EXCHANGE_BIG, EXCHANGE_HEALTH_CHECKER, EXCHANGE_REQUIREMENTS } from "../../model/sources.ts";
import { builtinRule, holds, type PageOf } from "../define.ts";
import { useVcpus } from "../shape-advice.ts";

/** The largest sizes that Microsoft recommends (EXCHANGE_BIG for 2013, EXCHANGE_HEALTH_CHECKER for later versions). */
const LATEST = { cores: 48, gib: 256 };
const MOST: Readonly<Record<string, typeof LATEST>> = {
  "2013": { cores: 24, gib: 96 },
  "2016": { cores: 24, gib: 192 },
  "2019": LATEST,
  se: LATEST,
};
const LEAST_MOST = { cores: 24, gib: 96 };

/** The most sockets of a server (EXCHANGE_REQUIREMENTS). */
const MOST_SOCKETS = 2;

export const rule = builtinRule({
  id: "exchange/too-large",
  severity: "warning",
  for: "any",
  on: ["vcpus", "memoryMiB"],
  needs: ["workload"],
  about: "exchange",
  reads: ["vcpus", "memoryMiB"],
  messages: {
    cores: (d: { vcpus: number; most: number; use: number }) =>
      `Microsoft recommends at most ${d.most} processors for this Exchange server, and the VM has ${d.vcpus} vCPUs. Use ${d.use}, and more servers.`,
    memory: (d: { memoryGiB: number; most: number }) =>
      `Microsoft recommends at most ${d.most} GiB of memory for this Exchange server, and the VM has ${d.memoryGiB}. Use ${d.most} GiB, and more servers.`,
    sockets: (d: { vcpus: number; sockets: number; most: number; cores: number }) =>
      `Microsoft recommends at most ${d.most} processor sockets for Exchange, and ${d.vcpus} vCPUs take the cores of ${d.sockets} sockets of this host. Use at most ${d.cores} vCPUs, and more servers.`,
  },
  applies: ({ vcpus, memoryMiB }, _, workload) => {
    if (workload?.kind !== "exchange") return false;
    const wide = holds(vcpus, (count = 1) => count > MOST_SOCKETS);
    const large = holds(memoryMiB, (mib = 0) => mib > LEAST_MOST.gib * 1024);
    return wide === true || large === true ? true : wide === false && large === false ? false : undefined;
  },
  *check({ vm, host, workload }) {
    const { cores, gib } = MOST[workload.version ?? ""] ?? LATEST;
    const vcpus = vm.vcpus?.value ?? 1;
    const mib = vm.memoryMiB?.value ?? 0;
    const sockets = host ? Math.ceil(vcpus / host.coresPerSocket) : 0;
    const onSockets = host ? MOST_SOCKETS * host.coresPerSocket : Number.POSITIVE_INFINITY;
    const fixes = [useVcpus(Math.min(cores, onSockets))];
    const isOver = { cores: vcpus > cores, memory: mib > gib * 1024 };
    if (isOver.cores && vm.vcpus)
      yield { messageId: "cores", data: { vcpus, most: cores, use: Math.min(cores, onSockets) }, at: vm.vcpus.range, fixes };
    else if (vcpus > onSockets && vm.vcpus)
      yield { messageId: "sockets", data: { vcpus, sockets, most: MOST_SOCKETS, cores: onSockets }, at: vm.vcpus.range, fixes };
    if (isOver.memory && vm.memoryMiB) yield { messageId: "memory", data: { memoryGiB: shownGiB(mib), most: gib }, at: vm.memoryMiB.range };
    const isOpen = (vcpus > LEAST_MOST.cores && !isOver.cores) || (mib > LEAST_MOST.gib * 1024 && !isOver.memory);
    if (workload.version === undefined && isOpen) yield { skip: "workload-incomplete", lacks: ["version"] };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "Exchange has more vCPUs or memory than Microsoft recommends",
  why: "Each version of Exchange is tested up to a size. Beyond it, services wait for each other and for the garbage collector, and a larger server answers more slowly. Microsoft recommends more servers.",
  whenNot: "When other software in the VM uses the rest.",
  evidence: {
    figure: "Exchange 2013: 24 processors and 96 GB; 2016: 24 and 192 GB; 2019 and Subscription Edition: 48 and 256 GB",
    source: EXCHANGE_HEALTH_CHECKER,
  },
  sources: [EXCHANGE_BIG, EXCHANGE_REQUIREMENTS],
  bad: [
    { title: "49 vCPUs", workload: "exchange", vmx: `numvcpus = "49"`, expect: "cores" },
    { title: "32 vCPUs for 2016", workload: "exchange, 2016", vmx: `numvcpus = "32"`, expect: "cores" },
    { title: "384 GiB for 2019", workload: "exchange, 2019", vmx: `numvcpus = "24"\nmemSize = "393216"`, expect: "memory" },
    { title: "128 GiB for 2013", workload: "exchange, 2013", vmx: `numvcpus = "8"\nmemSize = "131072"`, expect: "memory" },
    { title: "40 vCPUs on processors of 10 cores", host: "dl580g7", workload: "exchange, 2019", vmx: `numvcpus = "40"`, expect: "sockets" },
  ],
  good: [
    { title: "Subscription Edition", workload: "exchange, se", vmx: `numvcpus = "48"\nmemSize = "262144"` },
    { title: "48 vCPUs and 256 GiB for 2019", workload: "exchange, 2019", vmx: `numvcpus = "48"\nmemSize = "262144"` },
    { title: "24 vCPUs and 96 GiB, any version", workload: "exchange", vmx: `numvcpus = "24"\nmemSize = "98304"` },
  ],
});
