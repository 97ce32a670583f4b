import { type Range, type TextEdit, valueIfKnown } from "../../model/source.ts";
import type { Change, Settings, VmSpec } from "../../model/spec.ts";
import { entriesOf, get, isMapping, isNothing, settingOf, spanOf, type Value } from "../../syntax/yaml/tree.ts";
import { field } from "../yaml/describe.ts";
import { editYaml } from "../yaml/edit.ts";
import type { EditableValue, Fields } from "../yaml/kind.ts";
import * as units from "../yaml/units.ts";
import type { Instancetype } from "./shipped.ts";

/** The parts of a VM that its readers share. */
export interface Parts {
  readonly root: Value;
  /** `spec` of the VM. */
  readonly vm: Value;
  readonly domain: Value;
  readonly instancetype: Instancetype | undefined;
}

const WRITTEN: ReadonlySet<string> = new Set(["vcpus", "coresPerSocket", "threadsPerCore", "memoryMiB"]);

/** The fields behind counts: an edit of `vcpus` writes sockets, one of `coresPerSocket` writes cores. */
const COUNTS = [
  ["vcpus", "sockets"],
  ["coresPerSocket", "cores"],
  ["threadsPerCore", "threads"],
] as const;

const count = (path: string) => field<number>(path, units.natural);
const IN_CPU: Fields = { vcpus: count("cpu.sockets"), coresPerSocket: count("cpu.cores") as never, threadsPerCore: count("cpu.threads") };

/** A block that a VM lacks, written under a setting that no one else writes here. */
const asBlock = (key: string): Fields => ({ vcpus: { path: [key], read: units.natural, write: (text) => String(text) } });

/** Returns a function that writes sizes of a VM: into its CPU topology, or in place of an instancetype with a size only. */
export function editsOf(parts: Parts, settings: Settings): NonNullable<VmSpec["edit"]> {
  return (changes) => {
    if (changes.some(({ setting }) => !WRITTEN.has(setting))) return undefined;
    const wanted = Object.fromEntries(changes.map(({ setting, value }) => [setting, value]));
    const of = (name: "vcpus" | "coresPerSocket" | "threadsPerCore"): number =>
      Number(wanted[name] ?? valueIfKnown<unknown>(settings[name]) ?? 1);
    const [vcpus, threads] = [of("vcpus"), of("threadsPerCore")];
    // One socket stays one.
    const isOne = of("coresPerSocket") === valueIfKnown(settings.vcpus) && !("coresPerSocket" in wanted);
    const perSocket = isOne ? vcpus : of("coresPerSocket");
    const shape = { sockets: vcpus / perSocket, cores: perSocket / threads, threads };
    if (!Object.values(shape).every(Number.isInteger)) return undefined;
    const memoryMiB = changes.find(({ setting }) => setting === "memoryMiB")?.value as number | undefined;
    const { instancetype, vm } = parts;
    if (isNothing(get(vm, "instancetype"))) return memoryMiB === undefined ? cpuEdits(parts, shape) : undefined;
    return instancetype?.isPlain ? withoutInstancetype(parts, shape, memoryMiB ?? instancetype.memoryMiB) : undefined;
  };
}

type Shape = Readonly<Record<(typeof COUNTS)[number][1], number>>;

function cpuEdits({ root, domain }: Parts, shape: Shape): readonly TextEdit[] | undefined {
  const cpu = get(domain, "cpu");
  if (isNothing(cpu)) return added(root, domain, "cpu", cpuText(shape));
  if (!isMapping(cpu)) return undefined;
  const statedValues = new Map<Change["setting"], EditableValue>();
  const changes = COUNTS.flatMap(([setting, key]): Change[] => {
    const value = get(cpu, key);
    if (!isNothing(value)) statedValues.set(setting, { value, write: String });
    const current = valueIfKnown(settingOf(value, units.natural)) || 1;
    return current === shape[key] ? [] : [{ setting, value: shape[key] }];
  });
  // Two lines at one place have no order.
  if (changes.filter(({ setting }) => !statedValues.has(setting)).length > 1) return undefined;
  return editYaml(root.source.text, spanOf(root), placeIn(domain, IN_CPU, statedValues), changes);
}

const placeIn = (base: Value, fields: Fields, statedValues: ReadonlyMap<Change["setting"], EditableValue> = new Map()) =>
  ({ fields, base, statedValues, scsi: new Map(), options: undefined }) as Parameters<typeof editYaml>[2];

const cpuText = ({ sockets, cores, threads }: Shape): string =>
  `{ sockets: ${sockets}, cores: ${cores}${threads > 1 ? `, threads: ${threads}` : ""} }`;

const added = (root: Value, domain: Value, key: string, text: string): readonly TextEdit[] | undefined =>
  editYaml(root.source.text, spanOf(root), placeIn(domain, asBlock(key)), [{ setting: "vcpus", value: text } as never]);

/** Writes the size of an instancetype into the VM. KubeVirt refuses a VM with both. */
function withoutInstancetype({ root, vm, domain }: Parts, shape: Shape, memoryMiB: number | undefined): readonly TextEdit[] | undefined {
  const removed = linesOf(vm, "instancetype");
  const cpu = added(root, domain, "cpu", cpuText(shape));
  const memory = memoryMiB === undefined ? undefined : added(root, domain, "memory", `{ guest: ${units.writeMemory(memoryMiB)} }`);
  const [first, second] = [cpu?.[0], memory?.[0]];
  if (!removed || !first || !second || !isNothing(get(domain, "cpu")) || !isNothing(get(domain, "memory"))) return undefined;
  return [
    { range: removed, newText: "" },
    { range: first.range, newText: first.newText + second.newText },
  ];
}

/** Returns the lines of an entry of a block; `undefined` if it begins in the middle of a line. */
function linesOf(block: Value, key: string): Range | undefined {
  const { text } = block.source;
  const [at] = entriesOf(block).find((entry) => entry.key === key)?.keyRange ?? [];
  if (at === undefined) return undefined;
  const start = text.lastIndexOf("\n", at - 1) + 1;
  if (text.slice(start, at).trim() !== "") return undefined;
  const isBelow = new RegExp(`^[ ]{${at - start + 1},}\\S`);
  let end = text.indexOf("\n", at) + 1 || text.length;
  while (isBelow.test(text.slice(end, text.indexOf("\n", end) >>> 0))) end = text.indexOf("\n", end) + 1 || text.length;
  return [start, end];
}
