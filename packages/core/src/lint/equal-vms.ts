import type { Diagnostic, Skip } from "../model/diagnostic.ts";
import type { HostModel } from "../model/host.ts";
import { getOrInsert } from "../model/maps.ts";
import { onceFor } from "../model/memoize.ts";
import type { Range } from "../model/source.ts";
import type { VmSpec } from "../model/spec.ts";
import type { Ran } from "./check-vm.ts";
import { sameHost } from "./hosted-vms.ts";
import type { LintedVm, Target } from "./target.ts";

/** The most kinds of VMs to remember. */
const MOST_KINDS = 20_000;

/** The results of the first VM of a kind, with its places. */
interface Known {
  readonly results: readonly (Diagnostic | Skip)[];
  readonly ran: number;
  readonly places: readonly string[];
}

/** Returns the results of a VM, and counts the checks. */
export type CountingChecker = (vm: LintedVm, ran: Pick<Ran, "count">) => Iterable<Diagnostic | Skip>;

/**
 * Returns a checker that checks one of equal VMs of a table, and moves its findings to the cells of the other VMs: an estate has few
 * kinds of VMs. Two VMs are equal if a rule reads the same facts of both.
 */
export function sharingChecker(check: CountingChecker): CountingChecker {
  // `by host`: a result names the host, so only VMs of that host share it.
  const kinds = new Map<string, Known | "by host" | "never">();
  const keyOfTarget = keysOfTargets();
  return (vm, ran) => {
    const shape = shapeOf(vm.spec);
    if (!shape) return check(vm, ran);
    const { host } = vm.target;
    const key = `${keyOfTarget(vm.target)}\n${shape.key}`;
    const own = `${key}\n${host && sameHost(host)}`;
    const found = kinds.get(key);
    const known = found === "by host" ? kinds.get(own) : found;
    if (known === "never") return check(vm, ran);
    if (typeof known === "object") {
      ran.count += known.ran;
      return known.results.map((result) => moved(result, vm, known.places, shape.ranges));
    }
    const before = ran.count;
    const results = [...check(vm, ran)];
    if (kinds.size >= MOST_KINDS) return results;
    const places = shape.ranges.map(String);
    const first: Known = { results, ran: ran.count - before, places };
    if (!results.every((result) => rangesIn(result).every((range) => places.includes(String(range))))) kinds.set(key, "never");
    else if (results.some((result) => names(result, host))) kinds.set(key, "by host").set(own, first);
    else kinds.set(key, first);
    return results;
  };
}

const kindOfHost = onceFor(({ name: _, ...host }: HostModel): string => JSON.stringify(host));
const allOf = onceFor((hosts: readonly HostModel[]): string => JSON.stringify(hosts));

/** Returns a function that returns a text with all facts about a target, except for the name of its host. */
function keysOfTargets(): (target: Target) => string {
  let last = 0;
  const numberOf = onceFor(() => ++last);
  return ({ host, otherHosts, workload, guess, machine: _, ...others }) =>
    [
      host && kindOfHost(host),
      otherHosts && allOf(otherHosts),
      JSON.stringify(workload),
      guess?.kind,
      ...Object.entries(others).map(([name, one]) => `${name} ${one instanceof Object ? numberOf(one) : one}`),
    ].join("\n");
}

/** The facts of a row that decide what rules find, besides settings, devices and comments. */
const FACTS = [
  "format",
  "platform",
  "defaults",
  "running",
  "off",
  "template",
  "exportHosts",
  "observed",
  "measured",
  "scsiControllers",
] as const satisfies readonly (keyof VmSpec)[];
const OTHERS: readonly (keyof VmSpec)[] = ["name", "range", "problems", "uuids", "managed", "runsOn", "advanced", "cellAt", "rowOf"];
const OF_ROWS: ReadonlySet<string> = new Set([...FACTS, ...OTHERS, "settings", "devices", "directive"]);

interface Shape {
  readonly key: string;
  readonly ranges: readonly Range[];
}

/** Returns a text with all facts about a VM that rules can read, and their ranges; `undefined` if a VM has more facts than a row. */
function shapeOf(spec: VmSpec): Shape | undefined {
  if (!Object.keys(spec).every((name) => OF_ROWS.has(name))) return undefined;
  const ranges: Range[] = [];
  const indexes = new Map<string, number>();
  const at = (range: Range): number => getOrInsert(indexes, String(range), () => ranges.push(range));
  const words: unknown[] = [at(spec.range)];
  const add = (one: unknown): void => {
    words.push(JSON.stringify(one, (name, value) => (name === "range" ? at(value) : value)));
  };
  for (const [name, setting] of Object.entries(spec.settings)) {
    if (setting.state === "absent") continue;
    if (setting.state === "known") words.push(name, JSON.stringify(setting.value), at(setting.range));
    else add([name, setting]);
  }
  add([...FACTS.map((name) => spec[name]), spec.devices(), spec.directive.has("workload")]);
  return { key: words.join("\n"), ranges };
}

const isSkip = (result: Diagnostic | Skip): result is Skip => "reason" in result;

/** The places of a result. */
const rangesIn = (result: Diagnostic | Skip): readonly Range[] =>
  isSkip(result) ? [] : [result, ...result.related].map(({ range }) => range);

/** Whether a result says the name of the host. */
const names = (result: Diagnostic | Skip, host: HostModel | undefined): boolean =>
  JSON.stringify({ ...result, vm: "", host: "" }).includes(JSON.stringify(host?.name ?? "").replace(/^"|"$/g, ""));

/** Returns a result of an equal VM for this one. */
function moved(result: Diagnostic | Skip, { spec, target }: LintedVm, from: readonly string[], to: readonly Range[]): Diagnostic | Skip {
  if (isSkip(result)) return result;
  const place = (range: Range): Range => to[from.indexOf(String(range))] ?? range;
  return {
    ...result,
    range: place(result.range),
    related: result.related.map((one) => ({ ...one, range: place(one.range) })),
    vm: spec.name,
    host: target.host?.name ?? null,
    ...(result.guess && { guess: target.guess ?? result.guess }),
  };
}
