import { coresOf, threadsOf } from "../../model/host.ts";
import { PERF55, SQL55 } from "../../model/sources.ts";
import { plural } from "../../model/words.ts";
import { isDemanding } from "../../model/workload.ts";
import { builtinRule, type Neighbour, type PageOf, vcpusOf } from "../define.ts";
import { MOST_READY, readyOfEach } from "../readiness.ts";

type Vm = Neighbour<"vcpus">;

const total = (vms: readonly Vm[]): number => vms.reduce((sum, { vm }) => sum + vcpusOf(vm), 0);

export const rule = builtinRule({
  id: "host/overcommit",
  severity: "warning",
  severities: { cores: "info" },
  over: "host",
  needs: ["host"],
  reads: ["vcpus"],
  messages: {
    cores: (d: { vms: number; vcpus: number; cores: number; threads: number; atLeast: boolean }) =>
      `${d.vms} database or latency-critical VMs have ${d.atLeast ? "at least " : ""}${d.vcpus} vCPUs on this host's ${plural(d.cores, "core")} (${d.threads} threads). When all are busy they share cores: give them ${d.cores} vCPUs in total if each vCPU needs its own core.`,
    threads: (d: { vms: number; vcpus: number; cores: number; threads: number; atLeast: boolean }) =>
      `${d.vms} database or latency-critical VMs have ${d.atLeast ? "at least " : ""}${d.vcpus} vCPUs on this host's ${plural(d.threads, "thread")} (${plural(d.cores, "core")}). When all are busy, some vCPUs always wait: remove ${plural(d.vcpus - d.threads, "vCPU")} or move a VM to another host.`,
  },
  *check({ host, vms, complete }) {
    const cores = coresOf(host);
    const threads = threadsOf(host);
    const counted = vms.filter(({ workload }) => isDemanding(workload));
    const vcpus = total(counted);
    // Measurements of all VMs decide before their number does.
    if (counted.length > 0 && counted.every(waitsLittle)) return;
    const [first, ...otherVms] = counted;
    if (!first || otherVms.length === 0 || vcpus <= cores) {
      const undeclared = vms.filter(({ workload }) => workload === undefined);
      if (undeclared.length > 0 && vcpus + total(undeclared) > cores) yield { skip: "no-workload" };
      return;
    }
    yield {
      messageId: vcpus > threads ? "threads" : "cores",
      data: { vms: counted.length, vcpus, cores, threads, atLeast: !complete },
      on: first,
      at: placeOf(first),
      related: otherVms.map((on) => ({ on, at: placeOf(on), message: `${on.name}: ${plural(vcpusOf(on.vm), "vCPU")}` })),
    };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "Demanding VMs need more cores than their host has",
  why: "VMs that fill their vCPUs at the same time compete for cores. With more vCPUs than cores, they share hyper-threads; with more vCPUs than threads, some vCPU always waits. Other workloads rarely run all vCPUs at once, so only VMs declared as a database, latency or imdg are counted.",
  whenNot:
    "When these VMs are not busy at the same time, or their total throughput matters more than each one's. VMs of other workloads are never counted: running several of their vCPUs on each core is normal.",
  evidence: {
    figure:
      "9 x 8 vCPUs on 40 cores with 80 threads: 473,267 operations a minute, 8 x 8: 493,804; 3 x 32: about 140,000 a VM, 2 x 32: over 200,000 a VM (SQL Server 2012)",
    source: SQL55,
    against:
      "8 x 8 (64 vCPUs on 40 cores) was the best total of the study. 5 x 16 lost 0.5 % against 4 x 16, and 3 x 32 won 4 % in total over 2 x 32. In most environments more vCPUs than cores do no harm (Performance Best Practices for vSphere 5.5).",
  },
  sources: [PERF55],
  shared: { host: "dl580g7", workload: "mssql" },
  bad: [
    { title: "9 x 8 vCPUs on 40 cores", vmx: Array.from({ length: 9 }, () => `numvcpus = "8"`), expect: "cores" },
    { title: "3 x 32 vCPUs on 80 threads", vmx: Array.from({ length: 3 }, () => `numvcpus = "32"`), expect: "threads" },
  ],
  good: [
    { title: "4 x 10 vCPUs on 40 cores", vmx: Array.from({ length: 4 }, () => `numvcpus = "10"`) },
    { title: "30 x 8 vCPUs of lightly loaded VMs", workload: "general", vmx: Array.from({ length: 30 }, () => `numvcpus = "8"`) },
  ],
});

const waitsLittle = ({ vm }: Vm): boolean => (readyOfEach(vm) ?? MOST_READY) < MOST_READY;

const placeOf = ({ vm }: Vm) => vm.vcpus?.range ?? vm.range;
