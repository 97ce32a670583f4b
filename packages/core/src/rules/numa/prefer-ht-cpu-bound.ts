import { coresOf, coresPerNode } from "../../model/host.ts";
import { KB_415687, SQL55 } from "../../model/sources.ts";
import { plural } from "../../model/words.ts";
import { isDemanding } from "../../model/workload.ts";
import { builtinRule, type Neighbour, type PageOf, vcpusOf } from "../define.ts";

type Vm = Neighbour<"vcpus" | "preferHt">;

const total = (vms: readonly Vm[]): number => vms.reduce((sum, { vm }) => sum + vcpusOf(vm), 0);

export const rule = builtinRule({
  id: "numa/prefer-ht-cpu-bound",
  severity: "info",
  over: "host",
  needs: ["host"],
  reads: ["vcpus", "preferHt"],
  messages: {
    packed: (d: { vm: string; vcpus: number; nodeCores: number; busy: number; busyVcpus: number; cores: number; atLeast: boolean }) =>
      `preferHT packs the ${d.vcpus} vCPUs of ${d.vm} onto nodes of ${plural(d.nodeCores, "core")}, on a host whose ${d.busy} database or latency-critical VMs have ${d.atLeast ? "at least " : ""}${d.busyVcpus} vCPUs on ${plural(d.cores, "core")}. Remove preferHT, or give these VMs ${d.cores} vCPUs in total.`,
  },
  *check({ host, vms, complete }) {
    const packed = vms.filter(({ vm }) => vm.preferHt?.value === true && vcpusOf(vm) > coresPerNode(host) && host.threadsPerCore > 1);
    const busy = vms.filter(({ workload }) => isDemanding(workload));
    const busyVcpus = total(busy);
    const cores = coresOf(host);
    if (packed.length === 0) return;
    if (busy.length < 2 || busyVcpus <= cores) {
      const undeclared = vms.filter(({ workload }) => workload === undefined);
      if (undeclared.length > 0 && busyVcpus + total(undeclared) > cores) yield { skip: "no-workload" };
      return;
    }
    for (const on of packed.filter((neighbour) => busy.includes(neighbour))) {
      yield {
        messageId: "packed",
        data: {
          vm: on.name,
          vcpus: vcpusOf(on.vm),
          nodeCores: coresPerNode(host),
          busy: busy.length,
          busyVcpus,
          cores,
          atLeast: !complete,
        },
        on,
        at: on.vm.preferHt?.range ?? on.vm.range,
        related: busy
          .filter((neighbour) => neighbour !== on)
          .map((neighbour) => ({
            on: neighbour,
            at: neighbour.vm.vcpus?.range ?? neighbour.vm.range,
            message: `${neighbour.name}: ${plural(vcpusOf(neighbour.vm), "vCPU")}`,
          })),
      };
    }
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "preferHT on a host with busy cores",
  why: "preferHT keeps a VM's vCPUs on few NUMA nodes by counting hyper-threads as cores. Where other busy VMs want the same cores, its vCPUs share them twice over, and the scheduler has fewer places to move them to. Only VMs declared as a database, latency or imdg are counted as busy.",
  whenNot: "When these VMs are not busy at the same time, or the VM was measured to be faster with preferHT on the busy host.",
  evidence: {
    figure: "8 vCPUs: 92,712 operations a minute on 8 cores, 58,145 on the 8 threads of 4 (SQL Server 2012, 4 x Xeon E7-4870)",
    source: SQL55,
    against:
      "Alone on its host, a VM of 64 vCPUs gained 30 % by preferHT in the same study, and its authors expect a gain for two VMs of 32, which they did not run with preferHT.",
  },
  sources: [KB_415687, SQL55],
  shared: { host: "dl580g7", workload: "mssql" },
  bad: [
    {
      title: "16 vCPUs with preferHT and 32 more, on 40 cores",
      vmx: [`displayName = "a"\nnumvcpus = "16"\nnuma.vcpu.preferHT = "TRUE"`, `displayName = "b"\nnumvcpus = "32"`],
    },
  ],
  good: [
    {
      title: "16 and 24: a core for each",
      vmx: [`displayName = "a"\nnumvcpus = "16"\nnuma.vcpu.preferHT = "TRUE"`, `displayName = "b"\nnumvcpus = "24"`],
    },
    {
      title: "10 vCPUs fit the cores of a node: preferHT changes nothing",
      vmx: [`displayName = "a"\nnumvcpus = "10"\nnuma.vcpu.preferHT = "TRUE"`, `displayName = "b"\nnumvcpus = "32"`],
    },
    {
      title: "Lightly loaded VMs",
      workload: "general",
      vmx: [`displayName = "a"\nnumvcpus = "16"\nnuma.vcpu.preferHT = "TRUE"`, `displayName = "b"\nnumvcpus = "32"`],
    },
  ],
});
