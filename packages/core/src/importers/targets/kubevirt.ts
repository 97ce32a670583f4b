import { groupText } from "../../platforms/esxi/layout.ts";
import { guestMemory, kubevirtText } from "../kubevirt-text.ts";
import { countsOf, type Target } from "./target.ts";

/**
 * KubeVirt makes NUMA nodes only from the host CPUs of a VM. Without hot add, `maxSockets` keeps it from preparing more sockets. A pod requests
 * all memory of its guest, unless the cluster overcommits memory (KubeVirt d923fdb815cd, renderresources.go:263-288, virt-config.go:62).
 */
export const kubevirt: Target = {
  name: "kubevirt",
  title: "KubeVirt",
  format: "yaml",
  path: "vm.yaml",
  separator: "---\n",
  keep: (vm) => {
    const counts = countsOf(vm);
    if (typeof counts === "string") return { why: counts };
    const text = kubevirtText(vm.name, [
      "cpu:",
      `  sockets: ${counts.sockets}`,
      `  cores: ${counts.cores}`,
      ...(counts.threads > 1 ? [`  threads: ${counts.threads}`] : []),
      ...(vm.cpuHotAdd ? [] : [`  maxSockets: ${counts.sockets}`]),
      ...guestMemory(vm.memoryMiB),
    ]);
    if (!vm.nodes || vm.nodes.length === 1) return { text };
    const misses = `the NUMA nodes ${groupText(vm.nodes)}: KubeVirt copies nodes of the host with guestMappingPassthrough, and has no field for others`;
    return { text: `# This definition does not keep ${misses}.\n${text}`, misses };
  },
  words: (vm) => {
    const counts = countsOf(vm);
    if (typeof counts === "string") return counts;
    return `cpu: { sockets: ${counts.sockets}, cores: ${counts.cores}${counts.threads > 1 ? `, threads: ${counts.threads}` : ""} }`;
  },
  memory: (memoryMiB) => `memory.guest: ${memoryMiB}Mi`,
  instead: {
    cpuReservation: "cpu.dedicatedCpuPlacement: true, or resources.requests.cpu",
    latency: "cpu.dedicatedCpuPlacement: true with cpu.isolateEmulatorThread: true",
    affinity: "cpu.dedicatedCpuPlacement: true; the kubelet chooses the host CPUs",
    cpuHotAdd: "cpu.maxSockets",
    memoryHotAdd: "memory.maxGuest",
  },
};
