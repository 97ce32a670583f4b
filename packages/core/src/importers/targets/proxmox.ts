import { consecutive } from "../../model/sequence.ts";
import { numberRuns } from "../../model/words.ts";
import { domainName, proxmoxCounts, proxmoxText } from "../proxmox-text.ts";
import { countsOf, type KeptVm, partsOf, type Target } from "./target.ts";

/**
 * `numa: 1` makes a node of each socket, with equal memory. Other nodes need a line each. So does memory that does not divide: QEMU
 * refuses the fraction that Proxmox VE computes (qemu-server e6352be67f70, Memory.pm:440-455).
 */
function nodeSettings({ nodes, vcpus, coresPerSocket, memoryMiB }: KeptVm): readonly (readonly [key: string, value: string])[] | string {
  if (!nodes || nodes.length === 1) return [];
  if (memoryMiB === undefined) return "its memory is unknown, and each NUMA node needs a part of it";
  const isBySocket = nodes.length === vcpus / coresPerSocket && nodes.every((size) => size === coresPerSocket);
  if (isBySocket && memoryMiB % nodes.length === 0) return [["numa", "1"]];
  const parts = partsOf(memoryMiB, nodes.length);
  if (nodes.length > MOST_NODES) return `Proxmox VE has at most ${MOST_NODES} NUMA nodes`;
  const lines = consecutive(nodes).map((ids, node) => [`numa${node}`, `cpus=${numberRuns(ids, ";")},memory=${parts[node]}`] as const);
  return [["numa", "1"], ...lines];
}

/** `numa0` to `numa7` (qemu-server e6352be67f70, QemuServer.pm, MAX_NUMA). */
const MOST_NODES = 8;

function settingsOf(vm: KeptVm): readonly (readonly [key: string, value: string])[] | string {
  const counts = countsOf(vm);
  if (typeof counts === "string") return counts;
  if (counts.threads > 1) return "Proxmox VE has no threads of a core";
  const nodes = nodeSettings(vm);
  return typeof nodes === "string" ? nodes : [...proxmoxCounts(counts.sockets, counts.cores), ...nodes];
}

const command = (settings: readonly (readonly [string, string])[]): string =>
  `qm set VMID ${settings.map(([key, value]) => `--${key} ${/[;=]/.test(value) ? `'${value}'` : value}`).join(" ")}`;

export const proxmox: Target = {
  name: "proxmox",
  title: "Proxmox VE",
  format: "proxmox",
  path: "100.conf",
  separator: "",
  keep: (vm) => {
    const settings = settingsOf(vm);
    if (typeof settings === "string") return { why: settings };
    return { text: proxmoxText(vm.name, settings, vm.memoryMiB), commands: `${command(settings)} # ${domainName(vm.name)}\n` };
  },
  words: (vm) => {
    const settings = settingsOf(vm);
    return typeof settings === "string" ? settings : command(settings);
  },
  memory: (memoryMiB) => `qm set VMID --memory ${memoryMiB}`,
  instead: {
    cpuReservation: "affinity to host CPUs that no other VM uses",
    memoryReservation: "balloon: 0, and less memory for all VMs than the node has",
    latency: "affinity to host CPUs that no other VM uses",
    affinity: "affinity",
    cpuHotAdd: "hotplug with cpu, and vcpus below sockets x cores",
    memoryHotAdd: "hotplug with memory, and numa: 1",
  },
};
