import { once } from "../../model/memoize.ts";
import { ABSENT, known, type Range, type Setting, unknown, valueIfKnown } from "../../model/source.ts";
import { LIBVIRT_DOMAIN, LIBVIRT_NUMA } from "../../model/sources.ts";
import { type Directive, type KvmFacts, type KvmRefusal, NO_SETTINGS, type Settings, type VmSpec } from "../../model/spec.ts";
import { WITHOUT_POD } from "../../platforms/kvm/machine.ts";
import { machineOfDomain, refusal } from "../../platforms/kvm/stacks/libvirt.ts";
import * as read from "../../syntax/values.ts";
import type { Element } from "../../syntax/xml/xml.ts";
import { checkSettings } from "../check-settings.ts";
import { devicesIn } from "./devices.ts";
import { at, attribute, cellsIn, child, contentOf, memoryIn, type OddPin, onlineIn, pinsIn, settingIn, topologyIn } from "./domain.ts";
import { guestOsIn } from "./guest-os.ts";

/** The hypervisors of domains that QEMU runs. */
export const QEMU: ReadonlySet<string> = new Set(["kvm", "qemu", "hvf"]);

/** Returns the VM of a domain. */
export function vmOf(domain: Element, directive: Directive): VmSpec {
  const name = child(domain, "name")?.content ?? { value: "", range: domain.tag };
  const counts = countsIn(domain, name.range);
  const cells = cellsIn(domain);
  const checked = checkSettings({
    ...NO_SETTINGS,
    ...counts,
    memoryMiB: memoryOf(domain, cells),
    guestOs: guestOsIn(domain),
  });
  const remade = (settings: Settings) => ({ kvm: factsOf(domain, settings, cells, name.range) });
  const { kvm } = remade(checked.settings);
  return {
    name: name.value,
    format: "libvirt",
    platform: "kvm",
    kvm,
    remade,
    range: name.range,
    ...checked,
    defaults: { vcpus: 1, coresPerSocket: 1 },
    scsiControllers: [],
    devices: once(() => devicesIn(domain)),
    advanced: () => new Map(),
    directive,
    uuids: () => ({ bios: read.uuid(child(domain, "uuid")?.content.value) }),
    hints: () =>
      ["title", "description"].flatMap((key) => {
        const note = child(domain, key)?.content.value;
        return note ? [{ kind: "note", text: note }] : [];
      }),
  };
}

/** Reads present vCPUs, vCPUs of a socket and threads. Without topology each vCPU is a socket. */
function countsIn(domain: Element, range: Range): Pick<Settings, "vcpus" | "coresPerSocket" | "threadsPerCore"> {
  const vcpu = child(domain, "vcpu");
  const maximum = contentOf(vcpu, read.count);
  const current = settingIn(vcpu, "current", read.count);
  const online = onlineIn(domain);
  const topology = topologyIn(domain);
  const vcpus: Setting<number> =
    online.state === "known"
      ? known(online.value.length, online.range)
      : online.state === "unknown"
        ? online
        : current.state === "absent"
          ? maximum
          : current;
  if (topology.state === "absent") return { vcpus, coresPerSocket: ABSENT, threadsPerCore: ABSENT };
  // One finding is enough.
  if (topology.state === "unknown") return { vcpus, coresPerSocket: topology, threadsPerCore: unknown(topology.reason, topology.range) };
  const { dies, clusters, cores, threads } = topology.value;
  const element = at(domain, "cpu", "topology");
  const place = (key: string): Range => attribute(element, key)?.range ?? topology.range ?? range;
  return {
    vcpus,
    coresPerSocket: known(dies * clusters * cores * threads, place("cores")),
    threadsPerCore: threads > 1 ? known(threads, place("threads")) : ABSENT,
  };
}

/** The memory of cells replaces that of `<memory>` (virDomainDefPostParseMemory). */
function memoryOf(domain: Element, cells: ReturnType<typeof cellsIn>): Setting<number> {
  const memory = child(domain, "memory");
  const stated = memoryIn(memory?.content, attribute(memory, "unit"));
  if (cells.state !== "known" || cells.value.length === 0) return stated;
  const sizes = cells.value.map(({ memoryMiB }) => memoryMiB ?? Number.NaN);
  const sum = sizes.reduce((total, size) => total + size, 0);
  if (Number.isNaN(sum)) return unknown("the memory of a NUMA cell is unknown", cells.range);
  return sum > 0 ? known(sum, stated.state === "absent" ? cells.range : stated.range) : stated;
}

function factsOf(domain: Element, settings: Settings, cells: ReturnType<typeof cellsIn>, range: Range): KvmFacts {
  const vcpu = child(domain, "vcpu");
  const stated = vcpu ? contentOf(vcpu, read.count) : known(1, range);
  const isPart = settingIn(vcpu, "current", read.count).state !== "absent" || onlineIn(domain).state !== "absent";
  const maximum = stated.state === "unknown" && !isPart ? settings.vcpus : stated;
  const topology = topologyIn(domain);
  const facts: KvmFacts = { stack: "libvirt", ...WITHOUT_POD };
  const isKnown = [maximum, topology, settings.vcpus, settings.coresPerSocket, settings.threadsPerCore].every(
    ({ state }) => state !== "unknown",
  );
  if (!isKnown || maximum.state !== "known" || maximum.value > MOST) return facts;
  if (cells.state === "unknown") return { ...facts, unknown: `a NUMA cell is unknown: ${cells.reason}` };
  const machine = machineOfDomain({
    maximum: maximum.value,
    current: valueIfKnown(settingIn(vcpu, "current", read.count)),
    online: valueIfKnown(onlineIn(domain)),
    topology: valueIfKnown(topology),
    cells: valueIfKnown(cells),
    sharesL3: sharesL3(domain),
    addsMemory: child(domain, "maxMemory") !== undefined,
    isX86: /^(?:x86_64|i[3-6]86)?$/.test(attribute(at(domain, "os", "type"), "arch")?.value ?? ""),
    memoryMiB: valueIfKnown(settings.memoryMiB) ?? null,
    range: vcpu?.content.range ?? range,
  });
  const found = pinsIn(domain, maximum.value);
  if ("message" in machine) return { ...facts, refused: machine, pins: found?.pins };
  const refused = refusedMemory(domain, valueIfKnown(cells)?.length ?? machine.cells.length) ?? refusedPin(found?.odd ?? []);
  return { ...facts, machine, pins: found?.pins, ...(refused && { refused }) };
}

/** More vCPUs than any machine of QEMU has. */
const MOST = 4096;

/** `<memnode>` needs a cell, and no placement by numad. */
function refusedMemory(domain: Element, cells: number): KvmRefusal | undefined {
  const tune = child(domain, "numatune");
  const nodes = tune?.children.filter(({ name }) => name === "memnode") ?? [];
  for (const node of nodes) {
    const id = settingIn(node, "cellid", read.natural);
    if (id.state !== "known") continue;
    if (cells === 0) return refusal("noCells", {}, "Element 'memnode' is invalid without any guest NUMA cells", node.tag, LIBVIRT_NUMA);
    if (id.value >= cells) {
      const message = "Argument 'cellid' in memnode element must correspond to existing guest's NUMA cell";
      return refusal("noCell", { cell: id.value, cells }, message, id.range, LIBVIRT_NUMA);
    }
  }
  return undefined;
}

/** libvirt drops the pins of vCPUs beyond the last one, and refuses other odd pins. */
function refusedPin(odd: readonly OddPin[]): KvmRefusal | undefined {
  for (const { because, id, range } of odd) {
    if (because === "beyond") continue;
    const [messageId, data, message] = {
      twice: ["pinnedTwice", { vcpu: id }, `duplicate vcpupin for vcpu '${id}'`] as const,
      noThread: ["noThread", { thread: id }, `Cannot find 'iothread' : ${id}`] as const,
      threadTwice: ["threadTwice", { thread: id }, `duplicate iothreadpin for same iothread '${id}'`] as const,
    }[because];
    return refusal(messageId, data, message, range, LIBVIRT_DOMAIN);
  }
  return undefined;
}

/** Whether vCPUs of a socket share an L3 cache: QEMU's named models do; the CPU of the host is not known here. */
function sharesL3(domain: Element): boolean | null {
  const cpu = child(domain, "cpu");
  const mode = attribute(child(cpu, "cache"), "mode")?.value;
  if (mode === "disable") return false;
  if (mode === "emulate") return true;
  return mode === undefined && ["", "custom"].includes(attribute(cpu, "mode")?.value ?? "") ? true : null;
}
