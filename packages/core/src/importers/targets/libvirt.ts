import { consecutive } from "../../model/sequence.ts";
import { numberRuns } from "../../model/words.ts";
import { libvirtText } from "../libvirt-text.ts";
import { countsOf, partsOf, type Target } from "./target.ts";

const KIB = 1024;

/** A domain states sockets, cores, threads and NUMA cells, so it keeps any whole shape. */
export const libvirt: Target = {
  name: "libvirt",
  title: "libvirt",
  format: "libvirt",
  path: "vm.xml",
  separator: "\n",
  keep: (vm) => {
    const topology = countsOf(vm);
    if (typeof topology === "string") return { why: topology };
    const { vcpus, memoryMiB, nodes } = vm;
    if (!nodes || nodes.length === 1) return { text: libvirtText(vm.name, { vcpus, memoryMiB, topology }) };
    if (memoryMiB === undefined) return { why: "its memory is unknown, and each NUMA cell needs a part of it" };
    const parts = partsOf(memoryMiB * KIB, nodes.length);
    const cells = consecutive(nodes).map((ids, cell) => ({ vcpus: numberRuns(ids), memoryKiB: parts[cell] ?? 0 }));
    return { text: libvirtText(vm.name, { vcpus, memoryMiB, topology, cells }) };
  },
  words: (vm) => {
    const counts = countsOf(vm);
    if (typeof counts === "string") return counts;
    const cells = vm.nodes && vm.nodes.length > 1 ? `, and <numa> with cells of ${vm.nodes.join(", ")} vCPUs` : "";
    return `<topology sockets='${counts.sockets}' cores='${counts.cores}' threads='${counts.threads}'/>${cells}`;
  },
  memory: (memoryMiB) => `<memory unit='MiB'>${memoryMiB}</memory>`,
  instead: {
    cpuReservation: "<vcpupin> to host CPUs that no other VM uses",
    memoryReservation: "<memoryBacking><locked/> with a <hard_limit>, or huge pages",
    latency: "<vcpupin> and <emulatorpin> to host CPUs that no other VM uses",
    affinity: "<vcpupin>, and <numatune> for its memory",
    cpuHotAdd: "<vcpu current='...'> below the maximum",
    memoryHotAdd: "<maxMemory slots='...'>",
  },
};
