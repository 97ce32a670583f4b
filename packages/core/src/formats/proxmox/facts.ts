import { ABSENT, known, type Range, type Setting, unknown, valueIfKnown } from "../../model/source.ts";
import type { KvmFacts, Settings } from "../../model/spec.ts";
import { WITHOUT_POD } from "../../platforms/kvm/machine.ts";
import { machineOfProxmox, type ProxmoxNode } from "../../platforms/kvm/stacks/proxmox.ts";
import type { Read } from "../../syntax/values.ts";
import * as read from "../../syntax/values.ts";

/** How a format finds the keys of Proxmox. */
interface Keys {
  readonly setting: <T>(key: string, reader: Read<T>) => Setting<T>;
  /** The VM, for absent keys. */
  readonly range: Range;
}

interface ProxmoxFacts {
  readonly settings: Pick<Settings, "vcpus" | "coresPerSocket" | "memoryMiB">;
  /** Returns the facts of the platform, from checked settings. */
  readonly facts: (checked: Settings) => KvmFacts;
}

/** Booleans of Proxmox (PVE::JSONSchema, parse_boolean). */
const bool: Read<boolean> = (text, range) => known(/^(?:1|on|yes|true)$/i.test(text), range);

/** `memory: 4096` or `memory: current=4096`. */
const proxmoxMemory: Read<number> = (text, range) => read.count(text.replace(/^current=/, ""), range);

const DEFAULT_HOTPLUG = ["network", "disk", "usb"];

/** `hotplug: 1` means the default, `0` nothing. */
const hotplug: Read<readonly string[]> = (text, range) =>
  known(text === "1" ? DEFAULT_HOTPLUG : text === "0" ? [] : text.split(/[,; ]+/), range);

const MOST = 4096;

/** Returns the settings of a VM of Proxmox, and a function for its machine. */
export function proxmoxFacts({ setting, range }: Keys): ProxmoxFacts {
  const sockets = setting("sockets", read.count);
  const smp = setting("smp", read.count);
  const cores = setting("cores", read.count);
  const present = setting("vcpus", read.natural);
  const memory = setting("memory", proxmoxMemory);
  const args = setting("args", read.text);
  const socketsOrSmp = sockets.state === "absent" ? smp : sockets;
  const open = [socketsOrSmp, cores, present].find(({ state }) => state === "unknown");
  const count = (valueIfKnown(socketsOrSmp) ?? 1) * (valueIfKnown(cores) ?? 1);
  const place = cores.state === "absent" ? socketsOrSmp : cores;
  const at = place.state === "absent" ? range : place.range;
  const vcpus = valueIfKnown(present) || count;
  return {
    settings: {
      vcpus: open ? (open as Setting<never>) : known(vcpus, present.state === "known" ? present.range : at),
      coresPerSocket: cores.state === "unknown" ? unknown(cores.reason, cores.range) : cores,
      memoryMiB: memory,
    },
    facts: (checked) => {
      const facts: KvmFacts = { stack: "proxmox", ...WITHOUT_POD };
      const affinity = setting("affinity", read.cpuSet);
      const pins = affinity.state === "known" ? { vcpus: new Map(), others: affinity } : undefined;
      const { vcpus: all, coresPerSocket, memoryMiB } = checked;
      if ([all, coresPerSocket, memoryMiB].some(({ state }) => state === "unknown") || count > MOST) return { ...facts, pins };
      const counts = countsOf({ sockets: socketsOrSmp, cores, present }, checked);
      if (!counts) return { ...facts, pins, unknown: "its sockets, cores and vCPUs do not fit together" };
      if (/-(?:smp|numa)\b/.test(valueIfKnown(args) ?? "")) return { ...facts, pins, unknown: "args has options of QEMU for CPUs" };
      const nodes = nodesIn(setting);
      const others = [setting("numa", bool), setting("hotplug", hotplug), setting("hugepages", read.text), args];
      const isOpen = others.some(({ state }) => state === "unknown") || nodes === undefined;
      if (isOpen) return { ...facts, pins, unknown: "a setting of its NUMA nodes is unknown" };
      const made = machineOfProxmox({
        ...counts,
        memoryMiB: valueIfKnown(memoryMiB) ?? 512,
        numa: valueIfKnown(setting("numa", bool)) ?? false,
        nodes,
        hotplugsMemory: (valueIfKnown(setting("hotplug", hotplug)) ?? DEFAULT_HOTPLUG).includes("memory"),
        hugePages: setting("hugepages", read.text).state === "known",
        isTemplate: valueIfKnown(setting("template", bool)) ?? false,
        sharesL3: /^(?:cputype=)?(?:host|max)\b/.test(valueIfKnown(setting("cpu", read.text)) ?? "") ? null : true,
        at: (key) => {
          const found = setting(key, read.text);
          return found.state === "absent" ? at : found.range;
        },
      });
      return "message" in made ? { ...facts, pins, refused: made } : { ...facts, pins, machine: made };
    },
  };
}

interface Stated {
  readonly sockets: Setting<number>;
  readonly cores: Setting<number>;
  /** The vCPUs that are present at start. */
  readonly present: Setting<number>;
}

/** Returns the counts, where the settings decide what the keys leave unknown; `undefined` if they do not fit the known keys. */
function countsOf({ sockets, cores, present }: Stated, settings: Settings) {
  const keys = { sockets: valueIfKnown(sockets) ?? 1, cores: valueIfKnown(cores) ?? 1, vcpus: valueIfKnown(present) };
  if ([sockets, cores, present].every(({ state }) => state !== "unknown")) return keys;
  const all = valueIfKnown(settings.vcpus) ?? 1;
  const ofSocket = cores.state === "unknown" ? valueIfKnown(settings.coresPerSocket) : keys.cores;
  const isOpen = sockets.state === "unknown";
  if (typeof ofSocket !== "number" || (isOpen && keys.vcpus)) return undefined;
  const possible = isOpen ? all : keys.sockets * ofSocket;
  const isPart = all < possible && (present.state === "unknown" || keys.vcpus === all);
  if (possible % ofSocket !== 0 || (all !== possible && !isPart)) return undefined;
  return { sockets: possible / ofSocket, cores: ofSocket, vcpus: isPart ? all : undefined };
}

/** Reads `numa0` to `numa7`; `undefined` if one is unknown. */
function nodesIn(setting: Keys["setting"]): readonly ProxmoxNode[] | undefined {
  const nodes: ProxmoxNode[] = [];
  for (let i = 0; i < 8; i++) {
    const node = setting(`numa${i}`, read.text);
    if (node.state === "unknown") return undefined;
    if (node.state === "absent") continue;
    const parts = new Map(node.value.split(",").map((part): [string, string] => (part.includes("=") ? splitAt(part) : ["cpus", part])));
    const part = <T>(key: string, reader: Read<T>): Setting<T> => {
      const text = parts.get(key);
      return text === undefined ? ABSENT : reader(text, node.range);
    };
    const cpus = part("cpus", read.cpuSet);
    const hostNodes = part("hostnodes", read.cpuSet);
    const memoryMiB = part("memory", read.natural);
    if ([cpus, hostNodes, memoryMiB].some(({ state }) => state === "unknown")) return undefined;
    nodes.push({
      cpus: valueIfKnown(cpus),
      hostNodes: valueIfKnown(hostNodes),
      memoryMiB: valueIfKnown(memoryMiB),
      policy: parts.get("policy"),
      range: node.range,
    });
  }
  return nodes;
}

const splitAt = (part: string): [string, string] => [part.slice(0, part.indexOf("=")), part.slice(part.indexOf("=") + 1)];
