import { type DumpFacts, type DumpFormat, keyedLines, onceEach, wholeNumber } from "./facts.ts";
import { readJson } from "./read-json.ts";

const NODE_INFO = [
  "CPU(s)",
  "CPU frequency",
  "CPU socket(s)",
  "Core(s) per socket",
  "Thread(s) per core",
  "NUMA cell(s)",
  "Memory size",
] as const;

const CLUSTERS = "1 socket per NUMA node: virsh nodeinfo prints sub-NUMA clusters alike, and virsh capabilities tells them apart";
const UNUSUAL = "1 socket: virsh nodeinfo prints unusual layouts alike, and virsh capabilities tells them apart";

/**
 * `virsh nodeinfo`: sockets of each NUMA cell. For an unusual layout libvirt prints one socket of one cell, with all CPUs as cores
 * (libvirt-host.h, virNodeInfo).
 */
export const virshNodeInfo: DumpFormat = {
  id: "virsh-nodeinfo",
  title: "virsh nodeinfo",
  recognises: (text) => /^CPU socket\(s\):/m.test(text) && /^NUMA cell\(s\):/m.test(text),
  read(text, fail) {
    const found = onceEach(keyedLines(text), NODE_INFO, fail);
    const number = (key: (typeof NODE_INFO)[number]): number => {
      const line = found[key];
      return line
        ? wholeNumber({ ...line, value: line.value.replace(/ (?:MHz|KiB)$/, "") }, fail)
        : fail(`The dump ends before "${key}". Take it again.`);
    };
    const [threads, sockets, cores, perCore, nodes] = [
      number("CPU(s)"),
      number("CPU socket(s)"),
      number("Core(s) per socket"),
      number("Thread(s) per core"),
      number("NUMA cell(s)"),
    ];
    const packages = sockets * nodes;
    if (packages * cores * perCore !== threads)
      return fail(
        `Cells, sockets, cores and threads make ${packages * cores * perCore} CPUs, and CPU(s) says ${threads}. Bring every CPU online and take the dump again.`,
      );
    return {
      packages,
      cores: packages * cores,
      threads,
      nodes,
      hz: number("CPU frequency") * 1e6,
      memoryBytes: number("Memory size") * 1024,
      runs: { platform: "kvm" },
      ...(sockets === 1 && { assumed: [{ text: nodes > 1 ? CLUSTERS : UNUSUAL }] }),
    };
  },
};

interface NodeStatus {
  readonly cpuinfo?: { readonly sockets?: unknown; readonly cores?: unknown; readonly cpus?: unknown; readonly model?: unknown };
  readonly memory?: { readonly total?: unknown };
  readonly pveversion?: unknown;
}

/** `pvesh get /nodes/NODE/status --output-format json`: totals of the machine (PVE::ProcFSTools, read_cpuinfo), without NUMA nodes. */
export const proxmoxNode: DumpFormat = {
  id: "proxmox-node",
  title: "pvesh get /nodes/NODE/status",
  recognises: (text) => /^\s*\{/.test(text) && /"cpuinfo"\s*:/.test(text) && /"pveversion"\s*:/.test(text),
  read(text, fail): DumpFacts {
    const whole = readJson(text, fail) as NodeStatus & { readonly data?: NodeStatus };
    const { cpuinfo, memory, pveversion } = whole.data ?? whole;
    const count = (value: unknown, key: string): number =>
      Number.isInteger(Number(value)) && Number(value) > 0 ? Number(value) : fail(`cpuinfo has no number of ${key}. Take the dump again.`);
    const version = /^pve-manager\/([\d.]+)/.exec(String(pveversion))?.[1];
    return {
      packages: count(cpuinfo?.sockets, "sockets"),
      cores: count(cpuinfo?.cores, "cores"),
      threads: count(cpuinfo?.cpus, "cpus"),
      ...(typeof cpuinfo?.model === "string" && { cpu: cpuinfo.model }),
      ...(Number(memory?.total) > 0 && { memoryBytes: Number(memory?.total) }),
      runs: { platform: "kvm", ...(version !== undefined && { version }) },
    };
  },
};

interface Inventory {
  readonly resource_class?: unknown;
  readonly total?: unknown;
}

/**
 * `openstack resource provider inventory list -f json`: the memory of a compute node, and the CPUs that Nova may use. Those are not all
 * CPUs of the host, which `lscpu` in the same file has.
 */
export const resourceProvider: DumpFormat = {
  id: "openstack-resource-provider",
  title: "openstack resource provider inventory list",
  recognises: (text) => /"resource_class"\s*:\s*"(?:VCPU|PCPU|MEMORY_MB)"/.test(text),
  read(text, fail): DumpFacts {
    const [json = ""] = /\[\s*\{[^[\]]*"resource_class"[^[\]]*\]/.exec(text) ?? [];
    const rows = readJson(json, fail) as readonly (Inventory | null)[];
    const totalOf = (name: string): number => Number(rows.find((row) => row?.resource_class === name)?.total ?? 0);
    const [shared, own, memory] = ["VCPU", "PCPU", "MEMORY_MB"].map(totalOf) as [number, number, number];
    return {
      ...(memory > 0 && { memoryBytes: memory * 2 ** 20 }),
      runs: { platform: "kvm" },
      notes: [`Nova may use ${shared} CPUs for shared vCPUs and ${own} for dedicated ones`],
    };
  },
};
