import { type Setting, type TextEdit, valueIfKnown } from "../../model/source.ts";
import type { Change, Settings } from "../../model/spec.ts";
import type { Element } from "../../syntax/xml/xml.ts";
import { at, attribute, bytesOf, child } from "./domain.ts";

const COUNTS = ["vcpus", "coresPerSocket", "threadsPerCore"] as const;

/**
 * Returns edits that give a domain other counts or another memory. `undefined` if its cells or its vCPUs for hot plug would no longer fit,
 * because only a person knows how to divide them.
 */
export function editDomain(text: string, domain: Element, settings: Settings, changes: readonly Change[]): readonly TextEdit[] | undefined {
  const memory = changes.find(({ setting }) => setting === "memoryMiB")?.value;
  const wanted = shapeFor(domain, settings, changes);
  const size = memory === undefined ? [] : editMemory(domain, Number(memory));
  return wanted && size && [...editShape(text, domain, wanted), ...size];
}

/** The counts of a domain after changes; without counts only its memory changes. */
interface Shape {
  readonly maximum?: number;
  readonly counts?: Readonly<Record<"sockets" | "cores" | "threads", number>>;
}

/** Returns the counts that changes make; `undefined` for other settings, or if no topology has these counts. */
export function shapeFor(domain: Element, settings: Settings, changes: readonly Change[]): Shape | undefined {
  const wanted = new Map(changes.map(({ setting, value }) => [setting as string, Number(value)]));
  if ([...wanted.keys()].some((name) => name !== "memoryMiB" && !COUNTS.some((one) => one === name))) return undefined;
  if (!COUNTS.some((name) => wanted.has(name))) return {};
  const vcpu = child(domain, "vcpu");
  const hasHotPlug = attribute(vcpu, "current") !== undefined || child(domain, "vcpus") !== undefined;
  const changesCount = wanted.has("vcpus");
  if (!vcpu || (changesCount && (hasHotPlug || at(domain, "cpu", "numa")))) return undefined;
  const before = Number(vcpu.content.value);
  const maximum = wanted.get("vcpus") ?? before;
  const of = (name: "coresPerSocket" | "threadsPerCore"): number =>
    wanted.get(name) ?? (valueIfKnown(settings[name] as Setting<number>) || 1);
  const topology = at(domain, "cpu", "topology");
  // One socket stays one.
  const isOne = topology && changesCount && !wanted.has("coresPerSocket") && of("coresPerSocket") === before;
  const perSocket = isOne ? maximum : of("coresPerSocket");
  const threads = of("threadsPerCore");
  const [dies, clusters] = ["dies", "clusters"].map((name) => Number(attribute(topology, name)?.value ?? 1)) as [number, number];
  const counts = { sockets: maximum / perSocket, cores: perSocket / threads / dies / clusters, threads };
  if (!Object.values(counts).every((count) => Number.isInteger(count) && count > 0)) return undefined;
  return { counts, ...(changesCount && { maximum }) };
}

function editShape(text: string, domain: Element, { maximum, counts }: Shape): readonly TextEdit[] {
  const vcpu = child(domain, "vcpu");
  const topology = at(domain, "cpu", "topology");
  const countEdit = maximum !== undefined && vcpu ? [{ range: vcpu.content.range, newText: String(maximum) }] : [];
  if (!counts) return countEdit;
  return [...countEdit, ...(topology ? attributeEdits(text, topology, counts) : insertTopology(text, domain, counts))];
}

function attributeEdits(text: string, topology: Element, counts: Readonly<Record<string, number>>): readonly TextEdit[] {
  const end = topology.tag[1] - (text.slice(0, topology.tag[1]).endsWith("/>") ? 2 : 1);
  return Object.entries(counts).flatMap(([name, count]): readonly TextEdit[] => {
    const stated = attribute(topology, name);
    if (stated) return stated.value === String(count) ? [] : [{ range: stated.range, newText: String(count) }];
    return count === 1 ? [] : [{ range: [end, end], newText: ` ${name}='${count}'` }];
  });
}

/** Inserts `<topology>` into `<cpu>`, or both behind `<vcpu>`. */
function insertTopology(text: string, domain: Element, { sockets, cores, threads }: Readonly<Record<string, number>>): readonly TextEdit[] {
  const topology = `<topology sockets='${sockets}' cores='${cores}' threads='${threads}'/>`;
  const cpu = child(domain, "cpu");
  const eol = /\r\n|\n/.exec(text)?.[0] ?? "\n";
  const indentAt = (offset: number): string => /[ \t]*$/.exec(text.slice(0, offset))?.[0] ?? "";
  if (!cpu) {
    const after = child(domain, "vcpu") as Element;
    const indent = indentAt(after.tag[0]);
    const outside = indentAt(domain.tag[0]);
    const unit = indent.startsWith(outside) ? indent.slice(outside.length) : indent;
    const block = [`<cpu>`, `${unit}${topology}`, "</cpu>"].map((line) => `${eol}${indent}${line}`).join("");
    return [{ range: [after.end, after.end], newText: block }];
  }
  const indent = indentAt(cpu.tag[0]);
  const inside = cpu.children[0] ? indentAt(cpu.children[0].tag[0]) : `${indent}  `;
  const [, end] = cpu.tag;
  if (!text.slice(0, end).endsWith("/>")) return [{ range: [end, end], newText: `${eol}${inside}${topology}` }];
  return [{ range: [end - 2, end], newText: `>${eol}${inside}${topology}${eol}${indent}</cpu>` }];
}

/** Writes memory in its own unit, and the current memory with it if both are the same. */
function editMemory(domain: Element, memoryMiB: number): readonly TextEdit[] | undefined {
  const memory = child(domain, "memory");
  const unit = bytesOf(attribute(memory, "unit")?.value ?? "KiB");
  if (!memory || unit === undefined || at(domain, "cpu", "numa")) return undefined;
  const amount = (memoryMiB * 2 ** 20) / unit;
  if (!Number.isInteger(amount)) return undefined;
  const current = child(domain, "currentMemory");
  const isSame =
    current && current.content.value === memory.content.value && attribute(current, "unit")?.value === attribute(memory, "unit")?.value;
  if (current && !isSame) return undefined;
  return [memory, ...(current ? [current] : [])].map(({ content }) => ({ range: content.range, newText: String(amount) }));
}
