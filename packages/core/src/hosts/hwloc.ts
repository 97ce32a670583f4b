import { SaxesParser } from "saxes";
import { type DumpFacts, type DumpFormat, type Fail, fromInsideVm } from "./facts.ts";
import { factsOfCpus } from "./grid.ts";
import { sharesOf } from "./node-memory.ts";

interface HwlocObject {
  readonly type: string;
  readonly name: string;
  readonly cpus: readonly number[];
  /** Including offline and forbidden CPUs. */
  readonly allCpus: readonly number[];
  readonly memoryBytes: number;
  /** One-based. */
  readonly line: number;
}

interface Tree {
  readonly objects: readonly HwlocObject[];
  readonly infos: ReadonlyMap<string, string>;
}

/**
 * `lstopo --of xml`, of hwloc 1.x and 2.x. The position of a NUMANode in the tree varies, so all relations come from cpusets. CPU numbers
 * are the operating system's, so only their counts are used.
 */
export const hwlocXml: DumpFormat = {
  id: "hwloc-xml",
  title: "lstopo --of xml",
  recognises: (text) => /^\s*<\?xml[^>]*>\s*(<!DOCTYPE[^>]*>\s*)?<topology[\s>]|^\s*<topology[\s>]/.test(text),
  read(text, fail) {
    const { objects, infos } = treeOf(text, fail);
    const of = (...types: string[]) => objects.filter(({ type }) => types.includes(type));
    const [machine] = of("Machine");
    if (!machine) return fail("The topology has no Machine. Take the dump of the whole machine: lstopo --of xml.");
    const hidden = machine.allCpus.length - of("PU").length;
    if (hidden > 0) {
      return fail(
        `${hidden} of ${machine.allCpus.length} CPUs are offline or not allowed. Take the dump again, as root and with every CPU online.`,
        machine.line,
      );
    }
    const numaNodes = of("NUMANode");
    const withCpus = new Set(numaNodes.filter((node, i) => !isMemoryOnly(node, i, numaNodes)));
    const [packages, cores, nodes, caches] = [of("Package", "Socket"), of("Core"), [...withCpus], of("L3Cache")].map((objects) =>
      owners(objects, fail),
    );
    const cpus = of("PU").map(({ cpus: [id = -1], line }) => ({
      id,
      package: packages?.get(id),
      core: cores?.get(id),
      node: nodes?.get(id),
      l3: caches?.get(id),
      line,
    }));
    const facts = factsOfCpus(cpus, fail);
    const memoryBytes = [machine, ...numaNodes].reduce((sum, node) => sum + node.memoryBytes, 0);
    const shares = sharesOf(numaNodes.map((node) => ({ name: node.name, bytes: node.memoryBytes, hasCpus: withCpus.has(node) })));
    const cpu = infos.get("CPUModel")?.trim();
    return {
      // hwloc 1.x writes no NUMANode for a machine that has one.
      ...(numaNodes.length === 0 && { nodes: 1 }),
      ...facts,
      ...(memoryBytes > 0 && hasRealMemory(infos) && { memoryBytes }),
      ...(cpu && { cpu }),
      ...virtual(infos),
      ...shares,
      notes: [...(facts.notes ?? []), ...(shares.notes ?? [])],
    };
  },
};

function treeOf(text: string, fail: Fail): Tree {
  const objects: HwlocObject[] = [];
  const infos = new Map<string, string>();
  const parser = new SaxesParser();
  parser.on("error", () => fail("The XML is truncated. Take the dump again: lstopo --of xml.", parser.line));
  parser.on("opentag", ({ name, attributes }) => {
    const {
      type = "",
      os_index = "",
      cpuset = "",
      complete_cpuset,
      local_memory = "0",
      depth,
    } = attributes as Record<string, string | undefined>;
    if (name === "info" && attributes.name !== undefined && !infos.has(attributes.name)) infos.set(attributes.name, attributes.value ?? "");
    if (name !== "object") return;
    objects.push({
      type: type === "Cache" ? `L${depth}Cache` : type,
      name: os_index,
      cpus: type === "PU" ? [Number(os_index)] : membersOf(cpuset, parser.line, fail),
      allCpus: membersOf(complete_cpuset ?? cpuset, parser.line, fail),
      memoryBytes: Number(local_memory),
      line: parser.line,
    });
  });
  parser.write(text).close();
  return { objects, infos };
}

/** Hexadecimal words of 32 CPUs, the most significant first: `0x0000ffff,0xffffffff`. An empty word has no CPUs. */
function membersOf(cpuset: string, line: number, fail: Fail): readonly number[] {
  if (cpuset === "") return [];
  const words = cpuset.split(",").reverse();
  if (words.length > 128) fail("The cpuset holds more CPUs than any host has. Take the dump again.", line);
  return words.flatMap((word, i) => {
    if (!/^(0x[0-9a-f]{1,8})?$/i.test(word))
      fail(`"${cpuset}" is no set of CPUs this reader knows. Take the dump again with lstopo --of xml.`, line);
    const bits = Number(word || 0);
    return Array.from({ length: 32 }, (_, bit) => bit).flatMap((bit) => ((bits >>> bit) & 1 ? [i * 32 + bit] : []));
  });
}

/**
 * A node without CPUs has no cpuset, or the cpuset of the part it is attached to (hwloc's documentation, Heterogeneous Memory): the CPUs of
 * one or more earlier nodes.
 */
function isMemoryOnly(node: HwlocObject, index: number, all: readonly HwlocObject[]): boolean {
  if (node.cpus.length === 0) return true;
  const cpus = new Set(node.cpus);
  return all.some(
    (other, i) =>
      other.cpus.length > 0 && (i < index || other.cpus.length < cpus.size) && i !== index && other.cpus.every((cpu) => cpus.has(cpu)),
  );
}

/** Returns the object of each CPU; `undefined` if the dump has no such objects. */
function owners(objects: readonly HwlocObject[], fail: Fail): ReadonlyMap<number, string> | undefined {
  if (objects.length === 0) return undefined;
  const found = new Map<number, string>();
  for (const [i, { type, cpus, line }] of objects.entries()) {
    for (const cpu of cpus) {
      if (found.has(cpu)) fail(`CPU ${cpu} is in two ${type}s. State the host by hand.`, line);
      found.set(cpu, String(i));
    }
  }
  return found;
}

/** A topology made from a short string has 1 GiB per node by default. */
const hasRealMemory = (infos: Tree["infos"]): boolean =>
  infos.get("Backend") !== "Synthetic" || /memory=/.test(infos.get("SyntheticDescription") ?? "");

function virtual(infos: Tree["infos"]): Pick<DumpFacts, "assumed"> {
  const product = [infos.get("DMISysVendor"), infos.get("DMIProductName")].filter(Boolean).join(" ");
  return /VMware(7,1|20,1| Virtual)|QEMU|KVM|Virtual Machine|VirtualBox|HVM domU/i.test(product)
    ? { assumed: [fromInsideVm(product)] }
    : {};
}
