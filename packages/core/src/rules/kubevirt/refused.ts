import { KUBEVIRT_ADMISSION, KUBEVIRT_INSTANCETYPE } from "../../model/sources.ts";
import { plural } from "../../model/words.ts";
import type { PageOf } from "../define.ts";
import { kubevirtVm } from "../kubevirt-example.ts";
import { refusalRule } from "../refusal.ts";

const vm = (domain: string, spec?: string): string => kubevirtVm(`devices: {}${domain}`, spec);

export const rule = refusalRule("kubevirt", {
  shared: () => "KubeVirt refuses guestMappingPassthrough without dedicated CPUs. Set dedicatedCpuPlacement: true.",
  smallPages: () => "KubeVirt refuses guestMappingPassthrough without huge pages. Set memory.hugepages.pageSize.",
  sockets: (d: { sockets: number; maxSockets: number }) =>
    `KubeVirt refuses ${d.sockets} sockets with maxSockets ${d.maxSockets}. Set maxSockets to at least ${d.sockets}.`,
  threads: (d: { threads: number }) => `KubeVirt refuses ${d.threads} threads per core with dedicated CPUs. Set threads to 1 or 2.`,
  pages: (d: { memoryMiB: number; pageMiB: number }) =>
    `KubeVirt refuses ${d.memoryMiB} MiB of memory in huge pages of ${d.pageMiB} MiB. Set a multiple of ${d.pageMiB} MiB.`,
  cpus: (d: { vcpus: number; cpus: number }) =>
    `KubeVirt refuses ${plural(d.cpus, "CPU")} in resources for ${plural(d.vcpus, "vCPU")} with dedicated CPUs. Set the request and the limit to ${d.vcpus}, or remove both.`,
  conflict: (d: { key: string }) => `KubeVirt refuses ${d.key} together with an instancetype, which sets the vCPUs. Remove ${d.key}.`,
  spread: (d: { vcpus: number; divisor: number }) =>
    `KubeVirt refuses the preference: it spreads vCPUs by ${d.divisor}, which does not divide ${d.vcpus}. Choose an instancetype with a multiple of ${d.divisor}.`,
});

export const page = (): PageOf<typeof rule> => ({
  summary: "KubeVirt refuses the definition",
  why: "The admission of KubeVirt compares the CPUs, the memory and the instancetype of a VM. It refuses the object, or the VM does not start.",
  whenNot: "When a webhook of the cluster changes the object before KubeVirt sees it.",
  sources: [KUBEVIRT_ADMISSION, KUBEVIRT_INSTANCETYPE],
  bad: [
    {
      title: "Nodes of the host without dedicated CPUs",
      yaml: vm("\ncpu:\n  cores: 4\n  numa:\n    guestMappingPassthrough: {}\nmemory:\n  guest: 4Gi"),
      expect: "shared",
    },
    {
      title: "Nodes of the host without huge pages",
      yaml: vm("\ncpu:\n  cores: 4\n  dedicatedCpuPlacement: true\n  numa:\n    guestMappingPassthrough: {}\nmemory:\n  guest: 4Gi"),
      expect: "smallPages",
    },
    { title: "More sockets than the maximum", yaml: vm("\ncpu:\n  sockets: 8\n  maxSockets: 4"), expect: "sockets" },
    { title: "4 threads with dedicated CPUs", yaml: vm("\ncpu:\n  threads: 4\n  dedicatedCpuPlacement: true"), expect: "threads" },
    {
      title: "Memory that huge pages do not divide",
      yaml: vm("\ncpu:\n  cores: 2\nmemory:\n  guest: 1500Mi\n  hugepages:\n    pageSize: 1Gi"),
      expect: "pages",
    },
    {
      title: "2 CPUs requested for 4 dedicated vCPUs",
      yaml: vm("\ncpu:\n  cores: 4\n  dedicatedCpuPlacement: true\nresources:\n  requests:\n    cpu: 2"),
      expect: "cpus",
    },
    { title: "Cores and an instancetype", yaml: vm("\ncpu:\n  cores: 4", "instancetype:\n  name: u1.xlarge"), expect: "conflict" },
    {
      title: "2 vCPUs for a preference that spreads by 8",
      yaml: vm("", "instancetype:\n  name: u1.large\npreference:\n  name: rhel.9.dpdk"),
      expect: "spread",
    },
  ],
  good: [
    {
      title: "All that passthrough needs",
      yaml: vm(
        "\ncpu:\n  cores: 4\n  dedicatedCpuPlacement: true\n  numa:\n    guestMappingPassthrough: {}\nmemory:\n  guest: 4Gi\n  hugepages:\n    pageSize: 2Mi",
      ),
    },
    { title: "An instancetype alone", yaml: vm("", "instancetype:\n  name: u1.xlarge") },
  ],
});
