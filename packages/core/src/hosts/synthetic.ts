import { plural } from "../model/words.ts";
import type { DumpFacts, DumpFormat, Fail } from "./facts.ts";

const ITEM = /^(\[?)([a-z][a-z\d]*)(?::(\d{1,4}))?(?:\(([^()]*)\))?(\]?)$/i;

/** hwloc accepts any prefix of a type name, and its older names. */
const TYPES: readonly (readonly [RegExp, "package" | "numa" | "l3" | "core" | "pu" | "other"])[] = [
  [/^(pack(age)?|socket)$/i, "package"],
  [/^(numa(node)?|node)$/i, "numa"],
  [/^l3(u|cache)?$/i, "l3"],
  [/^core$/i, "core"],
  [/^pu$/i, "pu"],
  [/^(group\d*|die|cluster|l[1245][uid]?(cache)?)$/i, "other"],
];

interface Level {
  readonly type: (typeof TYPES)[number][1];
  /** The number in each object of the level above. */
  readonly count: number;
  readonly attached: boolean;
  readonly attributes: string;
}

/** hwloc's short description of a machine: `pack:2 numa:2 l3:1 core:12 pu:2`, `pack:4 [numa(memory=256GiB)] core:10 pu:2`. */
export const synthetic: DumpFormat = {
  id: "synthetic",
  title: "hwloc synthetic string",
  recognises: (text) => isSynthetic(text),
  read(text, fail): DumpFacts {
    const levels = items(text).map((item) => levelOf(item, fail));
    const numa = levels.filter(({ type }) => type === "numa");
    if (numa.length > 1) fail("The string places NUMA nodes at two levels: give one numa:.");
    if (levels.at(-1)?.type !== "pu") fail("The string must end with pu: (threads per core), as in pack:2 core:24 pu:2.");
    const totals = new Map<string, number>();
    let total = 1;
    for (const { type, count, attached } of levels) {
      if (totals.has(type) && type !== "other") fail(`The string has ${type} twice.`);
      totals.set(type, total * count);
      if (!attached) total *= count;
    }
    if (total > 65_536) fail(`${total} logical CPUs are more than any ESXi release supports.`);
    const [packages, cores, caches, nodes = 1] = ["package", "core", "l3", "numa"].map((type) => totals.get(type));
    const bytes = numa[0] && memoryOf(numa[0].attributes);
    const coresPerL3 = caches && cores && cores / caches;
    return {
      threads: total,
      nodes,
      ...(packages !== undefined && { packages }),
      ...(cores !== undefined && { cores, ...(coresPerL3 && coresPerL3 < cores / nodes && { coresPerL3 }) }),
      ...(bytes !== undefined && { memoryBytes: bytes * nodes }),
      ...(numa.length === 0 && {
        assumed: [{ about: "nodes", text: "1 NUMA node in the whole host: hwloc reads a string without numa: so" }],
      }),
    };
  },
};

/** Whether a text looks like a short description, valid or not: words with numbers, `core:10`. */
export const isSynthetic = (text: string): boolean =>
  text.length < 1000 && items(text).every((item) => ITEM.test(item)) && /(^|[\s\]])[a-z]\w*:\d/i.test(text);

/** Attributes may contain blanks, and stay with their item. */
const items = (text: string): readonly string[] => text.trim().match(/(?:\([^()]*\)|[^\s()])+/g) ?? [];

function levelOf(item: string, fail: Fail): Level {
  const [, open, name = "", count, attributes = "", close] = ITEM.exec(item) ?? [];
  const type = TYPES.find(([pattern]) => pattern.test(name))?.[1];
  if (type === undefined || (open === "[") !== (close === "]"))
    return fail(`"${item}" is no level: write pack:, numa:, l3:, core: and pu:, as in pack:2 numa:1 core:24 pu:2.`);
  const attached = open === "[";
  if (attached && type !== "numa") return fail(`"${item}": only [numa] is attached in brackets.`);
  if (count === undefined && !attached) return fail(`"${item}" has no number: write ${name}:2.`);
  if (Number(count ?? 1) < 1) return fail(`"${item}" must be ${plural(1, name)} or more.`);
  return { type, count: Number(count ?? 1), attached, attributes };
}

const UNITS: Readonly<Record<string, number>> = { k: 10, m: 20, g: 30, t: 40 };

/** hwloc's 2.x units: `GB` is decimal, `GiB` binary. */
function memoryOf(attributes: string): number | undefined {
  const [, amount, prefix = "", binary] = /memory=(\d+)\s*([kmgt]?)(i?)b?/i.exec(attributes) ?? [];
  if (amount === undefined) return undefined;
  const power = UNITS[prefix.toLowerCase()] ?? 0;
  return Number(amount) * (binary ? 2 ** power : 1000 ** (power / 10));
}
