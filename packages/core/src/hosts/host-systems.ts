import { plural } from "../model/words.ts";
import { type DumpFacts, type DumpFormat, type Fail, fromInsideVm, powerPolicyOf, versionFacts } from "./facts.ts";
import { sharesOf } from "./node-memory.ts";
import { readJson } from "./read-json.ts";
import { isVmodl, readVmodl } from "./vmodl.ts";

/** The text of `vim-cmd hostsvc/hosthardware` or `hostsvc/hostsummary`, complete or in part, and the same objects from pyVmomi. */
export const vimCmd: DumpFormat = {
  id: "vim-cmd",
  title: "vim-cmd hostsvc/hosthardware",
  recognises: isVmodl,
  read: (text, fail) => factsOfHost(plain(readVmodl(text, fail)), fail),
};

/** `govc host.info -json`, `govc object.collect -json` and the JSON of the vSphere API. */
export const vsphereJson: DumpFormat = {
  id: "vsphere-json",
  title: "JSON of govc or the vSphere API",
  recognises: (text) =>
    /^\s*(?:\{|\[\s*\{)/.test(text) &&
    /"(hostSystems|numCpu(Packages|Pkgs)|numaInfo|hyperThread|productLineId|Host(HyperThreadScheduleInfo|HardwareInfo))"/i.test(text),
  read: (text, fail) => factsOfHost(plain(readJson(text, fail)), fail),
};

type Json = { readonly [key: string]: unknown };

const object = (value: unknown): Json => (typeof value === "object" && value !== null ? (value as Json) : {});
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const text = (value: unknown): string | undefined =>
  typeof value === "string" && value.trim() !== "" ? value.trim().replace(/\s+/g, " ") : undefined;
const natural = (value: unknown): number | undefined =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : undefined;

/** Returns keys as the API spells them (govc before 0.31 capitalised them), and values of type Any without their wrapper. */
function plain(value: unknown, depth = 0): unknown {
  if (typeof value !== "object" || value === null || depth > 20) return value;
  if (Array.isArray(value)) return value.map((item) => plain(item, depth + 1));
  if ("_value" in value) return plain(value._value, depth + 1);
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key.replace(/^[A-Z]/, (letter) => letter.toLowerCase()), plain(item, depth + 1)]),
  );
}

/** Returns one host, from any part of the API's objects. */
function hostOf(root: unknown, fail: Fail): Json {
  if (Array.isArray(root)) {
    const changes = root.filter((item) => typeof object(item).name === "string" && "val" in object(item)).map(object);
    if (changes.length > 0) return assembled(changes);
    return one(root, fail);
  }
  const host = object(root);
  // `govc collect -type h` prints the requested properties as a change.
  if (Array.isArray(host.changeSet)) return hostOf(host.changeSet, fail);
  return Array.isArray(host.hostSystems) ? one(host.hostSystems, fail) : host;
}

function one(hosts: readonly unknown[], fail: Fail): Json {
  if (hosts.length === 1) return object(hosts[0]);
  const names = hosts.flatMap((host) => text(object(host).name) ?? []);
  return fail(
    `The dump holds ${plural(hosts.length, "host")}${names.length > 0 ? ` (${names.join(", ")})` : ""}. Give each a file of its own.`,
  );
}

/** Returns every host in a document of the vSphere API's JSON, with the API's names. */
export function hostSystemsIn(document: unknown): readonly HostSystem[] {
  return objectsIn(plain(document)).flatMap((host) => {
    const hardware = object(host.hardware);
    if (!("cpuInfo" in hardware || "numCpuPkgs" in object(object(host.summary).hardware))) return [];
    const parent = object(host.parent);
    const id = referenceOf(host);
    const isClustered = parent.type === CLUSTER;
    return {
      name: text(host.name) ?? text(object(object(host.summary).config).name) ?? id ?? "",
      id,
      cluster: isClustered ? text(parent.value) : undefined,
      facts: (fail: Fail) => factsOfHost(host, fail),
    };
  });
}

const CLUSTER = "ClusterComputeResource";

/** Returns every cluster with a name in a document of the vSphere API's JSON. */
export function clustersIn(document: unknown): readonly { readonly id: string; readonly name: string }[] {
  return objectsIn(plain(document)).flatMap((item) => {
    const [id, name] = [referenceOf(item), text(item.name)];
    return object(item.self ?? item.moRef).type === CLUSTER && id !== undefined && name !== undefined ? { id, name } : [];
  });
}

const referenceOf = (item: Json): string | undefined => text(object(item.self ?? item.moRef).value);

/** Returns the objects of a document, from lists, collected properties and output of PowerCLI. */
function objectsIn(value: unknown): readonly Json[] {
  if (Array.isArray(value)) {
    const changes = value.map(object);
    const isCollected = changes.length > 0 && changes.every(({ name, val }) => typeof name === "string" && val !== undefined);
    return isCollected ? [assembled(changes)] : value.flatMap(objectsIn);
  }
  const item = object(value);
  const listed = item.hostSystems ?? item.objects ?? (Array.isArray(item.value) && "count" in item ? item.value : undefined);
  const properties = item.changeSet ?? item.propSet;
  if (listed) return objectsIn(listed);
  if (Array.isArray(properties)) return [{ self: item.obj, ...assembled(properties.map(object)) }];
  return ["extensionData" in item ? object(item.extensionData) : item];
}

/** A host of several. */
export interface HostSystem {
  readonly name: string;
  readonly id: string | undefined;
  /** Its managed object reference. */
  readonly cluster: string | undefined;
  readonly facts: (fail: Fail) => DumpFacts;
}

/** `govc object.collect` names a property by its path: `hardware.cpuInfo`. */
function assembled(changes: readonly Json[]): Json {
  const host: Record<string, unknown> = {};
  for (const { name, val } of changes) {
    const path = String(name).split(".");
    const last = path.pop() ?? "";
    let parent: Record<string, unknown> = host;
    for (const step of path) {
      // A part may come before or after its parent.
      parent[step] = { ...object(parent[step]) };
      parent = parent[step] as Record<string, unknown>;
    }
    parent[last] = typeof val === "object" && val !== null && !Array.isArray(val) ? { ...object(parent[last]), ...val } : val;
  }
  return host;
}

/** vim.host.HardwareInfo, with config.hyperThread and config.product where the dump has them. */
function factsOfHost(root: unknown, fail: Fail): DumpFacts {
  const host = hostOf(root, fail);
  const hardware = object("hardware" in host ? host.hardware : host);
  const summary = object("summary" in host ? object(host.summary).hardware : hardware);
  const config = object(host.config);
  const info = object("cpuInfo" in hardware ? hardware.cpuInfo : hardware);
  const hyperThread = object("hyperThread" in config ? config.hyperThread : "hyperThread" in host ? host.hyperThread : host);
  const first = object(list(hardware.cpuPkg)[0]);

  const packages = natural(info.numCpuPackages) ?? natural(summary.numCpuPkgs);
  const cores = natural(info.numCpuCores) ?? natural(summary.numCpuCores);
  const allThreads = natural(info.numCpuThreads) ?? natural(summary.numCpuThreads);
  const active = typeof hyperThread.active === "boolean" ? hyperThread.active : undefined;
  const threads = active === false ? cores : allThreads;
  // PowerShell prints objects below its depth limit as one string.
  if (Array.isArray(hardware.cpuPkg) && hardware.cpuPkg.length !== packages) {
    fail(`The dump counts ${plural(packages ?? 0, "package")} and describes ${hardware.cpuPkg.length}. Take it again.`);
  }
  const memory = memoryOf(hardware, summary);
  const nodes = nodesOf("numaInfo" in hardware ? hardware.numaInfo : hardware, threads, memory.memoryBytes, fail);
  const mhz = natural(summary.cpuMhz);
  const hz = natural(info.hz) ?? (mhz === undefined ? undefined : mhz * 1e6);
  const cpu = text(first.description) ?? text(summary.cpuModel);
  const version = versionOf(config.product ?? host.product ?? object(object(host.summary).config).product ?? host);
  const model = text(object(hardware.systemInfo).model) ?? text(summary.model) ?? "";
  return {
    ...(packages !== undefined && { packages }),
    ...(cores !== undefined && { cores }),
    ...(threads !== undefined && { threads }),
    ...(hz !== undefined && { hz }),
    ...(cpu !== undefined && { cpu }),
    ...memory,
    ...nodes,
    notes: [...(memory.notes ?? []), ...(nodes.notes ?? [])],
    ...version,
    ...(hyperThread.available === true && active === false && { hyperthreadingOff: true as const }),
    ...powerPolicyOf(text(object(object(config.powerSystemInfo).currentPolicy).shortName)),
    assumed: [
      ...(version.assumed ?? []),
      ...(active === undefined && cores !== undefined && threads !== undefined && threads > cores
        ? [
            {
              about: "threads",
              text: "hyper-threading is active: the dump counts threads, and config.hyperThread is not in it",
            } as const,
          ]
        : []),
      ...(/^VMware(7,1|20,1| Virtual)/.test(model) ? [fromInsideVm(model)] : []),
    ],
  };
}

/** Returns the memory of a host. NVMe that extends it is part of its size, but of no NUMA node. */
function memoryOf(hardware: Json, summary: Json): Pick<DumpFacts, "memoryBytes" | "nvmeTierBytes" | "notes"> {
  const memoryBytes = natural(hardware.memorySize) ?? natural(summary.memorySize);
  if (hardware.memoryTieringType !== "softwareTiering") return memoryBytes === undefined ? {} : { memoryBytes };
  const tiers = list(hardware.memoryTierInfo).map(object);
  const sizeOf = (kind: string): number => tiers.reduce((sum, { type, size }) => sum + (type === kind ? (natural(size) ?? 0) : 0), 0);
  const [dram, nvme] = [sizeOf("DRAM"), sizeOf("NVMe")];
  if (dram > 0 && nvme > 0) return { memoryBytes: dram, nvmeTierBytes: nvme };
  return { notes: ["the memory is tiered, and the dump does not contain the sizes of DRAM and NVMe"] };
}

/** vCenter's own version is not the host's. */
function versionOf(product: unknown): Pick<DumpFacts, "esxi" | "assumed"> {
  const { name, productLineId, version } = object(product);
  const isEsxi = /^VMware ESX/.test(String(name)) || /esx/i.test(String(productLineId));
  return isEsxi && typeof version === "string" ? versionFacts(version) : {};
}

function nodesOf(
  value: unknown,
  threads: number | undefined,
  memoryBytes: number | undefined,
  fail: Fail,
): Pick<DumpFacts, "nodes" | "pcpusOfNode" | "unevenMemory" | "notes"> {
  const info = object(value);
  const count = natural(info.numNodes);
  if (count === undefined) return {};
  if (count === 0) return { nodes: 1, notes: ["the host shows ESXi no NUMA nodes, so it has one node"] };
  const all = list(info.numaNode).map((node, i) => {
    const { typeId, cpuID, memorySize, memoryRangeLength } = object(node);
    return {
      id: natural(typeId) ?? i,
      pcpus: list(cpuID).flatMap((pcpu) => natural(pcpu) ?? []),
      bytes: natural(memorySize) ?? natural(memoryRangeLength) ?? 0,
    };
  });
  if (all.every(({ pcpus }) => pcpus.length === 0)) return { nodes: count };
  if (all.length !== count) fail(`The dump counts ${plural(count, "NUMA node")} and describes ${all.length}. Take it again.`);
  const nodes = all.filter(({ pcpus }) => pcpus.length > 0).sort((a, b) => a.id - b.id);
  if (new Set(nodes.map(({ pcpus }) => pcpus.length)).size > 1) {
    const sizes = nodes.map(({ id, pcpus }) => `NUMA node ${id} has ${plural(pcpus.length, "logical CPU")}`);
    fail(`${sizes.join(", ")}: vmlint models hosts whose parts are equal. State the host by hand.`);
  }
  const total = nodes.reduce((sum, { pcpus }) => sum + pcpus.length, 0);
  if (threads !== undefined && total !== threads)
    fail(`The NUMA nodes list ${total} logical CPUs, and ${threads} are in use. Take the dump again.`);
  // Before 8.0, a node names only one of its memory ranges: the range below the hole for devices lacks a few GiB.
  const isWhole = all.reduce((sum, { bytes }) => sum + bytes, 0) >= 0.99 * (memoryBytes ?? 0);
  return {
    nodes: nodes.length,
    pcpusOfNode: nodes.map(({ pcpus }) => [...pcpus].sort((a, b) => a - b)),
    ...sharesOf(all.map(({ id, pcpus, bytes }) => ({ name: String(id), bytes: isWhole ? bytes : 0, hasCpus: pcpus.length > 0 }))),
  };
}
