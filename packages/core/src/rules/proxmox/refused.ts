import { PROXMOX_MEMORY, QEMU_NUMA } from "../../model/sources.ts";
import { plural } from "../../model/words.ts";
import type { PageOf } from "../define.ts";
import { refusalRule } from "../refusal.ts";

const conf = (...lines: readonly string[]): string => `cores: 4\nname: vm\n${lines.join("\n")}\n`;
const NODE = "numa0: cpus=0-3,hostnodes=0,memory=4096,policy=bind";

export const rule = refusalRule("proxmox", {
  vcpus: (d: { vcpus: number; possible: number }) =>
    `QEMU refuses ${plural(d.vcpus, "vCPU")} of at most ${d.possible} (sockets x cores). Set vcpus to ${d.possible} or fewer.`,
  hotplugNeedsNuma: () => "Proxmox refuses hot plug of memory without NUMA. Set numa: 1.",
  hotplugCustom: () => "Proxmox refuses hot plug of memory together with numa0 to numa7. Remove memory from hotplug, or the nodes.",
  hotplugMemory: (d: { memoryMiB: number; least: number }) =>
    `Proxmox refuses hot plug of memory with ${d.memoryMiB} MiB: it starts with ${d.least}. Set memory to at least ${d.least}.`,
  pagesNeedNuma: () => "Proxmox refuses huge pages without NUMA. Set numa: 1.",
  pagesNeedNodes: (d: { node: number }) =>
    `Proxmox refuses huge pages for numa${d.node} without hostnodes. Add hostnodes and policy to it.`,
  nodeMemory: (d: { node: number }) => `Proxmox refuses numa${d.node} without memory. Add memory= to it.`,
  nodeCpus: (d: { node: number }) => `Proxmox refuses numa${d.node} without cpus. Add cpus= to it.`,
  policy: (d: { node: number }) => `Proxmox refuses hostnodes of numa${d.node} without a policy. Add policy=bind or policy=preferred.`,
  sum: (d: { sum: number; memoryMiB: number }) =>
    `Proxmox refuses NUMA nodes with ${d.sum} MiB for a memory of ${d.memoryMiB} MiB. Make both the same.`,
  uneven: (d: { memoryMiB: number; sockets: number }) =>
    `QEMU refuses ${d.memoryMiB} MiB in ${d.sockets} NUMA nodes, which numa: 1 makes of the sockets. Set a multiple of ${d.sockets} MiB.`,
});

export const page = (): PageOf<typeof rule> => ({
  summary: "Proxmox does not start the VM",
  why: "Proxmox takes these settings, and fails at start: NUMA nodes, huge pages and hot plug of memory depend on each other.",
  whenNot: "When a program changes the configuration before the start.",
  sources: [PROXMOX_MEMORY, QEMU_NUMA],
  bad: [
    { title: "More vCPUs than cores", conf: conf("memory: 4096", "vcpus: 8"), expect: "vcpus" },
    { title: "Hot plug without NUMA", conf: conf("memory: 4096", "hotplug: memory,cpu"), expect: "hotplugNeedsNuma" },
    { title: "Hot plug and own nodes", conf: conf("memory: 4096", "numa: 1", "hotplug: memory", NODE), expect: "hotplugCustom" },
    { title: "Hot plug from 512 MiB", conf: conf("memory: 512", "numa: 1", "hotplug: memory"), expect: "hotplugMemory" },
    { title: "Huge pages without NUMA", conf: conf("memory: 4096", "hugepages: 2"), expect: "pagesNeedNuma" },
    {
      title: "Huge pages without nodes of the host",
      conf: conf("memory: 4096", "numa: 1", "hugepages: 2", "numa0: cpus=0-3,memory=4096"),
      expect: "pagesNeedNodes",
    },
    { title: "A node without memory", conf: conf("memory: 4096", "numa: 1", "numa0: cpus=0-3"), expect: "nodeMemory" },
    { title: "A node without CPUs", conf: conf("memory: 4096", "numa: 1", "numa0: memory=4096"), expect: "nodeCpus" },
    { title: "No policy", conf: conf("memory: 4096", "numa: 1", "numa0: cpus=0-3,hostnodes=0,memory=4096"), expect: "policy" },
    { title: "A node with half of the memory", conf: conf("memory: 4096", "numa: 1", "numa0: cpus=0-3,memory=2048"), expect: "sum" },
    { title: "320 MiB on 3 sockets", conf: conf("sockets: 3", "memory: 320", "numa: 1"), expect: "uneven" },
  ],
  good: [
    { title: "A node for each socket", conf: conf("sockets: 2", "memory: 4096", "numa: 1") },
    { title: "A node of the host", conf: conf("memory: 4096", "numa: 1", "hugepages: 2", NODE) },
  ],
});
