// Options of QEMU that each stack makes of a definition. Core is not asked: this reads the sources of the stacks a second time, so a field that
// core reads wrongly shows. Also draws definitions of up to 8 vCPUs.
import { parseAllDocuments } from "yaml";
import { optionsOfDomain } from "./lab.mjs";

const MODELS = ["Skylake-Server", "EPYC", "Nehalem"];

/** The numbers of "0-3;8,10". */
const idsOf = (text) =>
  text.split(/[,;]/).flatMap((run) => {
    const [from, to = from] = run.split("-").map(Number);
    return Array.from({ length: to - from + 1 }, (_, i) => from + i);
  });

/** A domain as KubeVirt and Nova define it for libvirt. */
const domainOf = ({ vcpus, most = vcpus, sockets, cores, threads, cells = [], memoryMiB = 320, model = "Skylake-Server" }) => {
  const each = Math.floor(memoryMiB / Math.max(cells.length, 1));
  const numa = cells.map((ids, i) => `<cell id='${i}'${ids.length > 0 ? ` cpus='${ids}'` : ""} memory='${each}' unit='MiB'/>`);
  return `<domain type='qemu'><name>vm</name><memory unit='MiB'>${each * Math.max(cells.length, 1)}</memory><vcpu current='${vcpus}'>${most}</vcpu><os><type arch='x86_64' machine='q35'>hvm</type></os><features><acpi/></features><cpu mode='custom' match='exact'><model>${model}</model><topology sockets='${sockets}' dies='1' cores='${cores}' threads='${threads}'/>${numa.length > 0 ? `<numa>${numa.join("")}</numa>` : ""}</cpu></domain>`;
};

/** Sockets, cores and threads of at most 8 vCPUs. */
function counts({ pick }, mostThreads = 4) {
  const threads = pick([1, 1, 2, 4].filter((number) => number <= mostThreads));
  const cores = pick([1, 2, 3, 4, 6, 8].filter((number) => number * threads <= 8));
  const sockets = pick([1, 2, 3, 4, 8].filter((number) => number * cores * threads <= 8));
  return { sockets, cores, threads };
}

/** Divides vCPUs into cells: in order, interleaved, sometimes with one vCPU left out. */
function cellsFor(vcpus, { below, pick }) {
  const number = Math.min(vcpus, pick([2, 2, 3]));
  const ids = Array.from({ length: vcpus }, (_, i) => i);
  const cuts = new Set([0, vcpus]);
  while (cuts.size <= number) cuts.add(1 + below(vcpus));
  const borders = [...cuts].sort((a, b) => a - b);
  const cells =
    below(5) < 3
      ? borders.slice(1).map((end, i) => ids.slice(borders[i], end))
      : Array.from({ length: number }, (_, cell) => ids.filter((id) => id % number === cell));
  if (below(4) === 0 && cells.at(-1).length > 1) cells.at(-1).pop();
  return cells;
}

/** Replaces the parts of a domain that the lab lacks: KVM, and the processor of a host. */
const bootable = (xml) =>
  xml
    .replace("type='kvm'", "type='qemu'")
    .replace(/<cpu( mode='host-model')?>/, "<cpu mode='custom' match='exact'><model>Skylake-Server</model>");

const libvirt = {
  file: "xml",
  options: (text) => optionsOfDomain(bootable(text)),
  draw: (random) => {
    const { below, pick } = random;
    const shape = counts(random, 2);
    const most = shape.sockets * shape.cores * shape.threads;
    const cells = most > 2 && below(4) > 0 ? cellsFor(most, random) : [];
    const vcpus = most > 2 && below(3) === 0 ? 1 + below(most) : most;
    return domainOf({ ...shape, vcpus, most, cells, model: pick(MODELS) });
  },
};

const quantity = (text) => (/m$/.test(text) ? Number.parseInt(text, 10) / 1000 : Number(text));

/** Each topology of a preference (pkg/instancetype/apply/cpu.go). */
const SPREADS = {
  SocketsCores: (vcpus, ratio) => ({ sockets: vcpus / ratio, cores: ratio, threads: 1 }),
  CoresThreads: (vcpus, ratio) => ({ sockets: 1, cores: vcpus / ratio, threads: ratio }),
  SocketsCoresThreads: (vcpus, ratio) => ({ sockets: vcpus / 2 / ratio, cores: ratio, threads: 2 }),
};

function kubevirtShape(documents) {
  const specOf = (kind) => documents.find((one) => one.kind === kind)?.spec;
  const { cpu = {}, resources = {} } = specOf("VirtualMachine").template.spec.domain;
  const vcpus = specOf("VirtualMachineInstancetype")?.cpu.guest;
  if (vcpus !== undefined) {
    const { preferredCPUTopology: wish, spreadOptions: { across = "SocketsCores", ratio = 2 } = {} } =
      specOf("VirtualMachinePreference")?.cpu ?? {};
    if (wish === "cores") return { sockets: 1, cores: vcpus, threads: 1 };
    if (wish === "threads") return { sockets: 1, cores: 1, threads: vcpus };
    return wish === "spread" && vcpus > 1 ? SPREADS[across](vcpus, ratio) : { sockets: vcpus, cores: 1, threads: 1 };
  }
  const { sockets, cores = 1, threads = 1, maxSockets } = cpu;
  const asked = quantity(resources.limits?.cpu ?? resources.requests?.cpu ?? "1");
  const isStated = ["sockets", "cores", "threads"].some((key) => key in cpu);
  return { sockets: sockets ?? (isStated ? 1 : Math.ceil(asked)), cores, threads, maxSockets };
}

const manifest = (kind, spec, group = "kubevirt.io/v1") => ({ apiVersion: group, kind, metadata: { name: "own" }, spec });
const INSTANCETYPES = "instancetype.kubevirt.io/v1beta1";

const kubevirt = {
  file: "yaml",
  options: (text) => {
    const { sockets, cores, threads, maxSockets } = kubevirtShape(parseAllDocuments(text).map((document) => document.toJS()));
    if (![sockets, cores, threads].every(Number.isInteger) || sockets > (maxSockets ?? sockets)) return { refused: "admission" };
    // Hot plug prepares four times the sockets.
    const most = maxSockets ?? sockets * 4;
    return optionsOfDomain(domainOf({ vcpus: sockets * cores * threads, most: most * cores * threads, sockets: most, cores, threads }));
  },
  draw: (random) => {
    const { below, pick } = random;
    const memory = { guest: "320Mi" };
    const vm = (domain, more = {}) =>
      manifest("VirtualMachine", { ...more, template: { spec: { domain: { memory, devices: {}, ...domain } } } });
    const { sockets, cores, threads } = counts(random);
    const documents = () => {
      if (below(4) === 0) return [vm({ resources: { [pick(["requests", "limits"])]: { cpu: pick(["1500m", "3", "5", "8"]) } } })];
      if (below(3) === 0) {
        const names = {
          instancetype: { kind: "VirtualMachineInstancetype", name: "own" },
          preference: { kind: "VirtualMachinePreference", name: "own" },
        };
        const cpu = { preferredCPUTopology: pick(["sockets", "cores", "threads", "spread", "any"]) };
        if (cpu.preferredCPUTopology === "spread") cpu.spreadOptions = { across: pick(Object.keys(SPREADS)), ratio: pick([2, 2, 4]) };
        const type = { cpu: { guest: pick([1, 2, 4, 6, 8]) }, memory };
        const template = { spec: { domain: { devices: {} } } };
        return [
          manifest("VirtualMachineInstancetype", type, INSTANCETYPES),
          manifest("VirtualMachinePreference", { cpu }, INSTANCETYPES),
          manifest("VirtualMachine", { ...names, template }),
        ];
      }
      const stated = Object.entries({ sockets, cores, threads }).filter(([, value]) => value > 1 || below(2) === 0);
      const cpu = { ...Object.fromEntries(stated), ...(below(3) === 0 && { maxSockets: pick([1, 2, 4, 8]) }) };
      return [vm({ cpu })];
    };
    return documents()
      .map((document) => JSON.stringify(document))
      .join("\n---\n");
  },
};

/** QemuServer.pm (config_to_command) and QemuServer/Memory.pm (config) of qemu-server e6352be67f70. */
function proxmoxOptions(text) {
  const keys = Object.fromEntries(Array.from(text.matchAll(/^(\w+): *(.*)$/gm), ([, key, value]) => [key, value]));
  const number = (key, other) => Number(keys[key] ?? other);
  const [sockets, cores, memory] = [number("sockets", 1), number("cores", 1), number("memory", 512)];
  const vcpus = number("vcpus", 0) || sockets * cores;
  const custom = Object.entries(keys)
    .filter(([key]) => /^numa\d$/.test(key))
    .map(([, value]) => Object.fromEntries(value.split(",").map((pair) => pair.split("="))));
  const bySocket = Array.from({ length: sockets }, (_, i) => ({ cpus: `${i * cores}-${(i + 1) * cores - 1}`, memory: memory / sockets }));
  const nodes = keys.numa !== "1" ? [] : custom.length > 0 ? custom : bySocket;
  const model = /^(?:cputype=)?([\w-]+)/.exec(keys.cpu ?? "")?.[1] ?? "kvm64";
  // QEMU has no model of this name: Proxmox adds features to qemu64.
  const cpu = model === "x86-64-v2-AES" ? "qemu64" : model;
  const isPlugged = /\bcpu\b/.test(keys.hotplug ?? "");
  const plugged = Array.from({ length: isPlugged ? vcpus - 1 : 0 }, (_, i) => i + 1);
  return [
    ...["-machine", "q35", "-m", String(memory), "-cpu", cpu],
    ...["-smp", `${isPlugged ? 1 : vcpus},sockets=${sockets},cores=${cores},maxcpus=${sockets * cores}`],
    ...nodes.flatMap(({ cpus, memory: size }, i) => [
      ...["-object", `memory-backend-ram,id=ram-node${i},size=${size}M`],
      ...["-numa", `node,nodeid=${i},${cpus.split(";").map((run) => `cpus=${run}`)},memdev=ram-node${i}`],
    ]),
    ...plugged.flatMap((id) => {
      const place = `socket-id=${Math.floor(id / cores)},core-id=${id % cores},thread-id=0`;
      return ["-device", `${cpu}-x86_64-cpu,id=cpu${id + 1},${place}`];
    }),
  ];
}

/** `qm set` writes options into a configuration. */
export const proxmoxKeys = (text) =>
  text.startsWith("qm set")
    ? text
        .replace(/ #.*/, "")
        .replace(/ --(\w+) '?([^' \n]+)'?/g, "\n$1: $2")
        .replace(/^qm set VMID/, "memory: 320")
    : text;

const proxmox = {
  file: "conf",
  options: (text) => proxmoxOptions(proxmoxKeys(text)),
  draw: (random) => {
    const { below, pick } = random;
    const { sockets, cores } = counts(random, 1);
    const most = sockets * cores;
    const hasNuma = below(4) > 0;
    const cells = hasNuma && most > 2 && below(2) === 0 ? cellsFor(most, random) : [];
    const each = 120;
    return [
      `cores: ${cores}`,
      `sockets: ${sockets}`,
      `memory: ${each * (cells.length || sockets) + (hasNuma ? 0 : 200)}`,
      `numa: ${hasNuma ? 1 : 0}`,
      ...cells.map((ids, i) => `numa${i}: cpus=${ids.join(";")},memory=${each}`),
      ...(most > 2 && below(3) === 0 ? [`vcpus: ${1 + below(most)}`] : []),
      ...(below(4) === 0 ? ["hotplug: disk,network,cpu"] : []),
      ...pick([[], [], ["cpu: kvm64"], ["cpu: x86-64-v2-AES"], ["cpu: Skylake-Server"], ["cpu: cputype=EPYC"]]),
      "",
    ].join("\n");
  },
};

/** The parts of nova/virt/hardware.py (00a030403f67) that decide sockets, cores, threads and cells. */
function novaMachine({ vcpus, ram, properties: specs }) {
  const most = (key) => Number(specs[`hw:cpu_max_${key}`] ?? 65536);
  const keys = ["sockets", "cores", "threads"];
  const wishes = keys.map((key) => Number(specs[`hw:cpu_${key}`] ?? 0));
  const wanted = keys.some((key, i) => wishes[i] > most(key)) ? [0, 0, 0] : wishes;
  const found = [];
  for (let sockets = 1; sockets <= Math.min(vcpus, most("sockets")); sockets++)
    for (let cores = 1; cores <= Math.min(vcpus / sockets, most("cores")); cores++) {
      const threads = vcpus / sockets / cores;
      if (Number.isInteger(threads) && threads <= most("threads")) found.push([sockets, cores, threads]);
    }
  const matches = (shape) => shape.filter((value, i) => value === wanted[i]).length;
  found.sort((a, b) => matches(b) - matches(a) || b[0] * b[1] - a[0] * a[1] || b[0] - a[0]);
  const nodes = Number(specs["hw:numa_nodes"] ?? 0);
  if (found.length === 0) return { refused: "ImageVCPULimitsRangeImpossible" };
  const own = Array.from({ length: nodes }, (_, i) => specs[`hw:numa_cpus.${i}`]).filter((ids) => ids !== undefined);
  if (own.length === 0 && nodes > 0 && (vcpus % nodes !== 0 || ram % nodes !== 0)) return { refused: "ImageNUMATopologyAsymmetric" };
  const even = (i) => Array.from({ length: vcpus / nodes }, (_, id) => (i * vcpus) / nodes + id);
  const cells = own.length > 0 ? own.map(idsOf) : Array.from({ length: nodes }, (_, i) => even(i));
  const [sockets, cores, threads] = found[0];
  return { vcpus, sockets, cores, threads, cells };
}

const openstack = {
  file: "json",
  options: (text) => {
    const machine = novaMachine(JSON.parse(text));
    return machine.refused ? machine : optionsOfDomain(domainOf(machine));
  },
  draw: ({ below, pick }) => {
    const vcpus = pick([2, 3, 4, 6, 8, 8]);
    const properties = {};
    for (const key of ["sockets", "cores", "threads", "max_sockets", "max_cores", "max_threads"])
      if (below(4) === 0) properties[`hw:cpu_${key}`] = String(pick([1, 2, 4]));
    const nodes = pick([0, 0, 1, 2, 3]);
    if (nodes > 0) properties["hw:numa_nodes"] = String(nodes);
    if (nodes === 2 && below(2) === 0) {
      const cut = 1 + below(vcpus - 1);
      const ids = Array.from({ length: vcpus }, (_, i) => i);
      for (const [node, own] of [ids.slice(0, cut), ids.slice(cut)].entries()) {
        properties[`hw:numa_cpus.${node}`] = own.join();
        properties[`hw:numa_mem.${node}`] = "160";
      }
    }
    return JSON.stringify({ "OS-FLV-DISABLED:disabled": false, name: "flavor", properties, ram: 320, vcpus });
  },
};

export const STACKS = { kubevirt, libvirt, proxmox, openstack };
