import type { Diagnostic, Skip } from "../model/diagnostic.ts";
import type { HostModel } from "../model/host.ts";
import { getOrInsert } from "../model/maps.ts";
import { onceFor } from "../model/memoize.ts";
import type { Range } from "../model/source.ts";
import type { VmSpec } from "../model/spec.ts";
import type { VmChecker } from "./check-vm.ts";
import type { LintedVm, Target } from "./target.ts";

/** The most kinds of VMs to remember. */
const MOST_KINDS = 20_000;

/** The results of the first VM of a kind, whose places have the numbers of its own list. */
interface Known {
  readonly results: readonly (Diagnostic | Skip)[];
  readonly ran: number;
  readonly ranges: readonly Range[];
}

/**
 * Returns a checker that checks one of equal VMs of a table, and moves its findings to the cells of the other VMs: an estate has few
 * kinds of VMs. Two VMs are equal if a rule reads the same facts of both.
 */
export function sharingChecker(check: VmChecker): VmChecker {
  // `by host`: a result names the host, so only VMs of that host share it.
  const kinds = new Map<string, Known | "by host" | "never">();
  const numberOf = numbers();
  const targetKey = keysOfTargets(numberOf);
  return (vm, ran = { count: 0 }) => {
    const shape = isShareable(vm) && !ran.silent && !ran.leavesOut ? shapeOf(vm.spec) : undefined;
    if (!shape) return check(vm, ran);
    const key = `${targetKey(vm.target)}\n${shape.key}`;
    const own = `${key}\n${numberOf(vm.target.host)}`;
    const found = kinds.get(key);
    const known = found === "by host" ? kinds.get(own) : found;
    if (known === "never") return check(vm, ran);
    if (typeof known === "object") {
      ran.count += known.ran;
      return known.results.map((result) => moved(result, vm, known.ranges, shape.ranges));
    }
    const before = ran.count;
    const results = [...check(vm, ran)];
    if (kinds.size >= MOST_KINDS) return results;
    const first: Known = { results, ran: ran.count - before, ranges: shape.ranges };
    if (!results.every((result) => isPlaced(result, shape.ranges))) kinds.set(key, "never");
    else if (results.some((result) => names(result, vm.target.host))) kinds.set(key, "by host").set(own, first);
    else kinds.set(key, first);
    return results;
  };
}

/** Whether the values, the devices and the target of the VM decide all its results. */
function isShareable({ spec, target, locate }: LintedVm): boolean {
  const { cellAt, directive, edit, board, configured, traceTo, calledAt, written, kvm, variant, choiceOf, generator } = spec;
  const others = edit ?? board ?? configured ?? traceTo ?? calledAt ?? written ?? kvm ?? variant ?? choiceOf ?? generator ?? locate;
  return cellAt !== undefined && others === undefined && directive.size === 0 && !target.running && !target.problems?.length;
}

/** Returns a function that numbers objects. */
function numbers(): (one: object | undefined) => number {
  const known = new WeakMap<object, number>();
  let last = 0;
  return (one) => (one ? getOrInsert(known, one, () => ++last) : 0);
}

const kindOfHost = onceFor(({ name: _, ...host }: HostModel): string => JSON.stringify(host));
const allOf = onceFor((hosts: readonly HostModel[]): string => JSON.stringify(hosts));

const keysOfTargets =
  (numberOf: (one: object | undefined) => number) =>
  ({ host, otherHosts, workload, guess, selects, severities, assumptions, cluster, onAnyHost, othersMayRun }: Target): string =>
    [
      host && kindOfHost(host),
      otherHosts && allOf(otherHosts),
      workload && JSON.stringify(workload),
      guess?.kind,
      [selects, severities, assumptions].map(numberOf).join(),
      cluster,
      onAnyHost,
      othersMayRun,
    ].join("\n");

/** Returns a text with all facts about a VM that rules can read, and the ranges of the facts in their order. */
function shapeOf(spec: VmSpec): { readonly key: string; readonly ranges: readonly Range[] } {
  const ranges: Range[] = [];
  const indexes = new Map<string, number>();
  const at = (range: Range): number => getOrInsert(indexes, range.join(), () => ranges.push(range) - 1);
  const words: unknown[] = [at(spec.range)];
  const add = (one: unknown): void => {
    words.push(JSON.stringify(one, (name, value) => (name === "range" ? at(value) : value)));
  };
  for (const [name, setting] of Object.entries(spec.settings)) {
    if (setting.state === "absent") continue;
    if (setting.state === "known") words.push(name, JSON.stringify(setting.value), at(setting.range));
    else add([name, setting]);
  }
  const { format, platform, defaults, running, off, template, hasUnknownCount, changes, clonedFrom, exportHosts, observed, measured } =
    spec;
  add([format, platform, defaults, running, off, template, hasUnknownCount, changes, clonedFrom, exportHosts]);
  add([observed, measured, spec.unmet, spec.scsiControllers, spec.devices()]);
  return { key: words.join("\n"), ranges };
}

const isSkip = (result: Diagnostic | Skip): result is Skip => "reason" in result;

const indexOf = (range: Range, ranges: readonly Range[]): number =>
  ranges.findIndex(([start, end]) => start === range[0] && end === range[1]);

const isPlaced = (result: Diagnostic | Skip, ranges: readonly Range[]): boolean =>
  isSkip(result) || [result, ...result.related].every(({ range }) => indexOf(range, ranges) >= 0);

const names = (result: Diagnostic | Skip, host: HostModel | undefined): boolean =>
  host !== undefined &&
  (isSkip(result) ? result.input?.host !== undefined : JSON.stringify([result.message, result.data]).includes(host.name));

/** Returns a result of an equal VM for this one. */
function moved(result: Diagnostic | Skip, { spec, target }: LintedVm, from: readonly Range[], to: readonly Range[]): Diagnostic | Skip {
  if (isSkip(result)) return result;
  const place = (range: Range): Range => to[indexOf(range, from)] ?? range;
  return {
    ...result,
    range: place(result.range),
    related: result.related.length === 0 ? result.related : result.related.map((one) => ({ ...one, range: place(one.range) })),
    vm: spec.name,
    host: target.host?.name ?? null,
    ...(result.guess && target.guess && { guess: target.guess }),
  };
}
