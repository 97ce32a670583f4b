import { type Range, type TextEdit, valueIfKnown } from "../../model/source.ts";
import type { Change, Settings, VmSpec } from "../../model/spec.ts";
import { at, entriesOf, get, isMapping, isNothing, rangeOf, settingOf, spanOf, textOf, type Value } from "../../syntax/yaml/tree.ts";
import { field } from "../yaml/describe.ts";
import { editYaml } from "../yaml/edit.ts";
import type { EditableValue, Fields, ReadVm } from "../yaml/kind.ts";
import * as units from "../yaml/units.ts";
import type { Instancetype } from "./shipped.ts";

/** The parts of a VM that its readers share. */
export interface Parts {
  readonly root: Value;
  /** `spec` of the VM. */
  readonly vm: Value;
  readonly domain: Value;
  readonly instancetype: Instancetype | undefined;
  /** The preference if it is an object of the text, and no other VM of the text uses it. */
  readonly preference: Preference | undefined;
}

/** A preference as an object of the text. */
export interface Preference {
  readonly root: Value;
  readonly spec: Value;
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

/** A text or a block, written under a setting that no one else writes here. */
const asText = (path: string) => ({ path: path.split("."), read: units.natural, write: (text: number) => String(text) });
const asBlock = (key: string): Fields => ({ vcpus: asText(key) });

/** Returns the topology and the memory that changes make; `undefined` for other settings, or if no topology has these counts. */
function wantedFor(changes: readonly Change[], settings: Settings): { readonly shape: Shape; readonly memoryMiB?: number } | undefined {
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
  return { shape, ...(wanted["memoryMiB"] !== undefined && { memoryMiB: Number(wanted["memoryMiB"]) }) };
}

/**
 * Returns a function that writes sizes of a VM: into its CPU topology, into a preference of the text that no other VM uses, or in place of
 * an instancetype with a size only.
 */
export function editsOf(parts: Parts, settings: Settings): NonNullable<VmSpec["edit"]> {
  return (changes) => {
    const wanted = wantedFor(changes, settings);
    if (!wanted) return undefined;
    const { shape, memoryMiB } = wanted;
    const { instancetype, vm, preference } = parts;
    if (isNothing(get(vm, "instancetype"))) return memoryMiB === undefined ? cpuEdits(parts, shape) : undefined;
    const isSize = memoryMiB === undefined && vcpusOf(shape) === valueIfKnown(settings.vcpus);
    if (preference && isSize) return preferenceEdits(preference, shape);
    return instancetype?.isPlain ? withoutInstancetype(parts, shape, memoryMiB ?? instancetype.memoryMiB) : undefined;
  };
}

/** Returns a function that returns the values to replace, if the text states all values that change. */
export function replacementsOf({ vm, domain }: Parts, settings: Settings, memory: string): NonNullable<ReadVm["replacements"]> {
  return (changes) => {
    const wanted = wantedFor(changes, settings);
    if (!wanted || !isNothing(get(vm, "instancetype"))) return undefined;
    const { shape, memoryMiB } = wanted;
    const counts = COUNTS.flatMap(([, key]) => {
      const value = at(domain, ["cpu", key]);
      const current = valueIfKnown(settingOf(value, units.natural)) || 1;
      return current === shape[key] ? [] : [{ value, text: String(shape[key]) }];
    });
    const size = memoryMiB === undefined ? [] : [{ value: at(domain, memory.split(".")), text: `"${units.writeMemory(memoryMiB)}"` }];
    const all = [...counts, ...size];
    return all.some(({ value }) => isNothing(value)) ? undefined : all.map(({ value, text }) => ({ at: rangeOf(value), text }));
  };
}

/** A preference without options gets them as one line. */
const inPreference = (hasOptions: boolean): Fields => ({
  vcpus: asText("cpu.preferredCPUTopology"),
  coresPerSocket: asText(hasOptions ? "cpu.spreadOptions.ratio" : "cpu.spreadOptions") as never,
});

/** Sockets, cores, or cores spread over sockets: threads and older names of the ratio stay as they are. */
function preferenceEdits({ root, spec }: Preference, { sockets, cores, threads }: Shape): readonly TextEdit[] | undefined {
  const options = at(spec, ["cpu", "spreadOptions"]);
  const stated = at(spec, ["cpu", "preferredCPUTopology"]);
  const isOther = !isNothing(get(options, "across")) || !isNothing(get(spec, "preferSpreadSocketToCoreRatio"));
  if (threads > 1 || isOther || isNothing(stated)) return undefined;
  const topology = sockets === 1 ? "cores" : cores === 1 ? "sockets" : "spread";
  const statedValues = new Map<Change["setting"], EditableValue>([["vcpus", { value: stated, write: String }]]);
  const hasOptions = !isNothing(options);
  const ratio = get(options, "ratio");
  if (!isNothing(ratio)) statedValues.set("coresPerSocket", { value: ratio, write: String });
  const changes = [
    ...(textOf(stated) === topology ? [] : [{ setting: "vcpus", value: topology }]),
    ...(topology === "spread" ? [{ setting: "coresPerSocket", value: hasOptions ? cores : `{ ratio: ${cores} }` }] : []),
  ];
  return editYaml(root.source.text, spanOf(root), placeIn(spec, inPreference(hasOptions), statedValues), changes as never);
}

type Shape = Readonly<Record<(typeof COUNTS)[number][1], number>>;

const vcpusOf = ({ sockets, cores, threads }: Shape): number => sockets * cores * threads;

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
  const [first] = entriesOf(block).find((entry) => entry.key === key)?.keyRange ?? [];
  if (first === undefined) return undefined;
  const start = text.lastIndexOf("\n", first - 1) + 1;
  if (text.slice(start, first).trim() !== "") return undefined;
  const isBelow = new RegExp(`^[ ]{${first - start + 1},}\\S`);
  let end = text.indexOf("\n", first) + 1 || text.length;
  while (isBelow.test(text.slice(end, text.indexOf("\n", end) >>> 0))) end = text.indexOf("\n", end) + 1 || text.length;
  return [start, end];
}
