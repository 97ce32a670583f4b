import { ABSENT, known, type Located, type Range, type Setting, unknown, valueIfKnown } from "../../model/source.ts";
import type { KvmPins } from "../../model/spec.ts";
import type { LibvirtCell, LibvirtTopology } from "../../platforms/kvm/stacks/libvirt.ts";
import { scalarOf, settingOf } from "../../syntax/node.ts";
import * as read from "../../syntax/values.ts";
import type { Attribute, Element } from "../../syntax/xml/xml.ts";

/** Returns the first child with a name. */
export const child = (element: Element | undefined, name: string): Element | undefined =>
  element?.children.find((one) => one.name === name);

/** Returns the element at a path of names. */
export const at = (element: Element | undefined, ...path: readonly string[]): Element | undefined => path.reduce(child, element);

const all = (element: Element | undefined, name: string): readonly Element[] => element?.children.filter((one) => one.name === name) ?? [];

export const attribute = (element: Element | undefined, name: string): Attribute | undefined =>
  element?.attributes.find((one) => one.name === name);

/** Reads an attribute as a setting. */
export const settingIn = <T>(element: Element | undefined, name: string, reader: read.Read<T>): Setting<T> => {
  const found = attribute(element, name);
  return settingOf(found && scalarOf(found), reader, name);
};

/** Reads the content of an element as a setting. */
export const contentOf = <T>(element: Element | undefined, reader: read.Read<T>): Setting<T> =>
  element ? settingOf(scalarOf(element.content), reader, element.name) : ABSENT;

/** The powers of the units of libvirt (virScaleInteger in src/util/virutil.c): `KiB` and `k` are 1024 bytes, `KB` is 1000. */
const POWERS = "bkmgtpe";

/** Returns the bytes of a unit; `undefined` if it is none. */
export function bytesOf(unit: string): number | undefined {
  const [, letter = "", ending = ""] = /^([bkmgtpe])(.*)$/i.exec(unit) ?? [];
  const power = POWERS.indexOf(letter.toLowerCase());
  if (power === 0) return /^(?:bytes?|b)$/i.test(unit) ? 1 : undefined;
  if (power < 0) return undefined;
  return ending === "" || /^ib$/i.test(ending) ? 1024 ** power : /^b$/i.test(ending) ? 1000 ** power : undefined;
}

/** Reads an amount with its unit, which is KiB if it has none. */
export function memoryIn(amount: Element["content"] | undefined, unit: Attribute | undefined): Setting<number> {
  if (!amount) return ABSENT;
  if (unit?.unsure !== undefined) return unknown(unit.unsure, unit.range);
  const bytes = bytesOf(unit?.value ?? "KiB");
  const count = settingOf(scalarOf(amount), read.natural, "memory");
  if (count.state !== "known") return count;
  if (bytes === undefined) return unknown(`"${unit?.value}" is not a known unit`, amount.range);
  // QEMU rounds up to whole MiB.
  return known(Math.ceil((count.value * bytes) / 2 ** 20), amount.range);
}

const COUNTS = ["sockets", "dies", "clusters", "cores", "threads"] as const;

/** Reads `<topology>`; unknown if a count is. */
export function topologyIn(domain: Element): Setting<LibvirtTopology> {
  const topology = at(domain, "cpu", "topology");
  if (!topology) return ABSENT;
  const counts = COUNTS.map((name) => settingIn(topology, name, read.count));
  const open = counts.find(({ state }) => state === "unknown");
  if (open) return open as Setting<never>;
  const [sockets = 1, dies = 1, clusters = 1, cores = 1, threads = 1] = counts.map(valueIfKnown);
  return known({ sockets, dies, clusters, cores, threads, range: topology.tag }, topology.tag);
}

/** Reads the NUMA cells; absent without `<numa>`, unknown if one is. */
export function cellsIn(domain: Element): Setting<readonly LibvirtCell[]> {
  const numa = at(domain, "cpu", "numa");
  if (!numa) return ABSENT;
  const nodes = new Map(
    all(child(domain, "numatune"), "memnode").flatMap((node) => {
      const id = valueIfKnown(settingIn(node, "cellid", read.natural));
      const set = valueIfKnown(settingIn(node, "nodeset", read.cpuSet));
      return id === undefined || !set ? [] : [[id, set] as const];
    }),
  );
  const cells: LibvirtCell[] = [];
  for (const [i, cell] of all(numa, "cell").entries()) {
    const id = settingIn(cell, "id", read.natural);
    const cpus = settingIn(cell, "cpus", read.cpuSet);
    const open = [id, cpus].find(({ state }) => state === "unknown");
    if (open) return open as Setting<never>;
    const memoryMiB = valueIfKnown(memoryIn(attribute(cell, "memory"), attribute(cell, "unit"))) ?? null;
    const place = attribute(cell, "cpus")?.range ?? cell.tag;
    cells.push({
      id: valueIfKnown(id),
      vcpus: valueIfKnown(cpus),
      memoryMiB,
      hostNodes: nodes.get(valueIfKnown(id) ?? i),
      range: place,
    });
  }
  return known(cells, numa.tag);
}

/** Reads the vCPUs that `<vcpus>` enables; absent if it lists none. */
export function onlineIn(domain: Element): Setting<readonly number[]> {
  const listed = all(child(domain, "vcpus"), "vcpu");
  const [first] = listed;
  if (!first) return ABSENT;
  const ids: number[] = [];
  for (const vcpu of listed) {
    const id = settingIn(vcpu, "id", read.numbers);
    const enabled = settingIn(vcpu, "enabled", read.word);
    const open = [id, enabled].find(({ state }) => state === "unknown");
    if (open) return open as Setting<never>;
    if (valueIfKnown(enabled) === "yes") ids.push(...(valueIfKnown(id) ?? []));
  }
  return ids.length > 0
    ? known(
        [...ids].sort((a, b) => a - b),
        first.tag,
      )
    : unknown("it enables no vCPU", first.tag);
}

/** A pin that libvirt refuses or ignores. */
export interface OddPin {
  readonly because: "twice" | "beyond" | "noThread" | "threadTwice";
  /** The vCPU or the I/O thread. */
  readonly id: number;
  readonly range: Range;
}

/** Reads the pins of a domain, also odd ones; `undefined` if some are unknown. */
export function pinsIn(domain: Element, maximum: number): { readonly pins: KvmPins; readonly odd: readonly OddPin[] } | undefined {
  const tune = child(domain, "cputune");
  const vcpu = child(domain, "vcpu");
  const vcpus = new Map<number, Located<readonly number[]>>();
  const odd: OddPin[] = [];
  let isOpen = false;
  const locate = (setting: Setting<readonly number[]>): Located<readonly number[]> | undefined => {
    if (setting.state === "unknown") isOpen = true;
    return setting.state === "known" ? setting : undefined;
  };
  for (const pin of all(tune, "vcpupin")) {
    const id = settingIn(pin, "vcpu", read.natural);
    const set = locate(settingIn(pin, "cpuset", read.cpuSet));
    if (id.state !== "known") isOpen = true;
    else if (id.value >= maximum) odd.push({ because: "beyond", id: id.value, range: id.range });
    else if (vcpus.has(id.value)) odd.push({ because: "twice", id: id.value, range: id.range });
    else if (set) vcpus.set(id.value, set);
  }
  const isAuto = attribute(vcpu, "placement")?.value === "auto";
  const others = isAuto ? undefined : locate(settingIn(vcpu, "cpuset", read.cpuSet));
  const emulator = locate(settingIn(child(tune, "emulatorpin"), "cpuset", read.cpuSet));
  const ioThreads = new Map<number, Located<readonly number[]>>();
  const threads = ioThreadsIn(domain);
  for (const pin of all(tune, "iothreadpin")) {
    const id = settingIn(pin, "iothread", read.natural);
    const set = locate(settingIn(pin, "cpuset", read.cpuSet));
    if (id.state !== "known" || !threads) isOpen = true;
    else if (!threads.has(id.value)) odd.push({ because: "noThread", id: id.value, range: id.range });
    else if (ioThreads.has(id.value)) odd.push({ because: "threadTwice", id: id.value, range: id.range });
    else if (set) ioThreads.set(id.value, set);
  }
  const memory = locate(settingIn(at(domain, "numatune", "memory"), "nodeset", read.cpuSet));
  return isOpen ? undefined : { pins: { vcpus, others, emulator, ioThreads, memory }, odd };
}

/** More I/O threads than a domain has. */
const MOST_THREADS = 4096;

/**
 * Returns the ids of the I/O threads; `undefined` if they are unknown. `<iothreadids>` lists some, and libvirt gives
 * further threads, up to `<iothreads>`, the lowest free ids (virDomainDefPostParse, virDomainIOThreadIDArrayInit).
 */
function ioThreadsIn(domain: Element): ReadonlySet<number> | undefined {
  const count = contentOf(child(domain, "iothreads"), read.natural);
  const listed = all(child(domain, "iothreadids"), "iothread").map((one) => settingIn(one, "id", read.natural));
  if (count.state === "unknown" || listed.some(({ state }) => state !== "known")) return undefined;
  const ids = new Set(listed.flatMap((id) => valueIfKnown(id) ?? []));
  const total = Math.min(valueIfKnown(count) ?? 0, MOST_THREADS);
  for (let id = 1; ids.size < total; id++) ids.add(id);
  return ids;
}
