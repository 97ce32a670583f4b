import { CPU_MANAGER, KUBEVIRT_VCPU } from "../../model/sources.ts";
import { plural } from "../../model/words.ts";
import { obstacleOn } from "../../platforms/kvm/starts.ts";
import { builtinRule, type PageOf } from "../define.ts";
import { kubevirtVm } from "../kubevirt-example.ts";

const dedicated = (cores: number): string => kubevirtVm(`cpu:\n  cores: ${cores}\n  dedicatedCpuPlacement: true`);
const pages = () => kubevirtVm("cpu:\n  cores: 4\nmemory:\n  guest: 16Gi\n  hugepages:\n    pageSize: 1Gi");

const SIZE = { name: "node", sockets: 2, coresPerSocket: 16, threadsPerCore: 2, numaNodes: 2 };
const hostWith = (cpuManager: string, options: readonly string[] = []) => ({
  ...SIZE,
  runs: { platform: "kvm" as const },
  kvm: { kubernetes: { cpuManager, options, reservedCpus: 2 } },
});
const withPages = (gib: number) => ({ ...SIZE, runs: { platform: "kvm" as const }, kvm: { hugePagesMiB: { 1024: gib * 1024 } } });

export const rule = builtinRule({
  id: "kubevirt/no-node",
  severity: "error",
  for: ["kvm"],
  on: ["kvm"],
  needs: ["host"],
  reads: ["vcpus"],
  messages: {
    shared: (d: { policy: string }) =>
      `The VM needs dedicated CPUs, and the CPU manager of this node has the policy ${d.policy}. Set cpuManagerPolicy: static on the nodes.`,
    fewCpus: (d: { cpus: number; free: number }) =>
      `The VM needs ${plural(d.cpus, "dedicated CPU")}, and this node has ${d.free} for pods. Use fewer vCPUs, or a larger node.`,
    partOfCore: (d: { cpus: number; threads: number }) =>
      `The VM needs ${plural(d.cpus, "dedicated CPU")}, which are no whole cores of ${d.threads} threads: full-pcpus-only refuses them. Use a multiple of ${d.threads}, with the CPU of an isolated emulator thread.`,
    fewPages: (d: { memoryMiB: number; pageMiB: number; totalMiB: number }) =>
      `The VM needs ${d.memoryMiB} MiB in huge pages of ${d.pageMiB} MiB, and this node has ${d.totalMiB} MiB. Reserve more huge pages on the nodes, or use less memory.`,
  },
  *check({ vm: { kvm, vcpus, range }, host, guest, ifKnown }) {
    const view = guest();
    if (!kvm || kvm.refused || !view) return;
    const found = obstacleOn(host, kvm, { vcpus: view.vcpus, memoryMiB: ifKnown("memoryMiB") });
    if (!found) return;
    const { kind, ...data } = found;
    // The kind names the message with this data.
    yield { messageId: kind, data, at: vcpus?.range ?? range } as never;
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "No node like its host runs the VM",
  why: "A VM with dedicated CPUs needs a node whose kubelet has the static policy and enough free CPUs. With full-pcpus-only it must take whole cores. A VM in huge pages needs a node that has them. Otherwise its pod waits, or the kubelet rejects it.",
  whenNot: "When the cluster has larger or other nodes than this host.",
  evidence: { figure: "A request that is no multiple of the threads of a core fails with SMTAlignmentError", source: CPU_MANAGER },
  sources: [KUBEVIRT_VCPU],
  bad: [
    { title: "The default policy of the kubelet", host: hostWith("none"), yaml: dedicated(4), expect: "shared" },
    { title: "64 CPUs on a node that reserves 2", host: hostWith("static"), yaml: dedicated(64), expect: "fewCpus" },
    { title: "3 CPUs with full-pcpus-only", host: hostWith("static", ["full-pcpus-only"]), yaml: dedicated(3), expect: "partOfCore" },
    { title: "16 GiB on a node with 8 GiB of huge pages", host: withPages(8), yaml: pages(), expect: "fewPages" },
  ],
  good: [
    { title: "4 CPUs with full-pcpus-only", host: hostWith("static", ["full-pcpus-only"]), yaml: dedicated(4) },
    { title: "16 GiB on a node with 32 GiB of huge pages", host: withPages(32), yaml: pages() },
    { title: "A node of unknown policy", host: SIZE, yaml: dedicated(4) },
  ],
});
