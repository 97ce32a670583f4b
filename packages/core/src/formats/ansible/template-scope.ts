import { getOrInsert } from "../../model/maps.ts";
import { valueIfKnown } from "../../model/source.ts";
import { type Entry, get, isMapping, isNothing, itemsOf, rangeOf, settingOf, textOf, type Value } from "../../syntax/yaml/tree.ts";
import * as units from "../yaml/units.ts";
import { evaluate, HOSTVARS, pairsIn, plainText, type Result, THIS_HOST } from "./expression.ts";
import { type Layer, layerOf } from "./project.ts";
import type { Names } from "./runs.ts";
import { ANY, loopOf, namesOfLoop } from "./steps.ts";

/** The variables and module defaults of a task, innermost first. */
export interface Scope {
  readonly vars: readonly Value[];
  /** The variables from outside of blocks and tasks, strongest first. Files are read on demand. */
  readonly outerLayers: () => readonly (readonly Layer[])[];
  readonly defaults: readonly Value[];
  /** Variables that a run sets with `set_fact`, `register` or `vars_prompt`, and the files that set them. Files are read on demand. */
  readonly dynamic: () => Names;
  /** Whether another task adds devices to VMs, whether one sets their options, and whether one changes their size. */
  readonly adds: boolean;
  readonly setsOptions: boolean;
  readonly resizes: boolean;
  /** The host pattern of the play. */
  readonly hosts: string;
  /** The hosts and groups of the inventory; missing if there are no files. */
  readonly inventory?: HostsOfScope | undefined;
  /** The VMs of earlier tasks. */
  readonly dependencies: Set<string>;
  /** The number of task iterations left, because aliases and loops can multiply without limit. */
  readonly budget: { remaining: number };
  /** Whether only a run knows how often the tasks run. */
  readonly hasUnknownCount: boolean;
  /** The variables of a loop; undefined values are only known to a run. */
  readonly loop: ReadonlyMap<string, Value>;
  /** Whether mappings from several places are merged; by default the strongest replaces the rest. Files are read on demand. */
  readonly merges: () => boolean;
}

/** The inventory of a play. */
export interface HostsOfScope {
  /** Returns the places that set variables of a host, strongest first; without a name, of each host of the play. */
  readonly layersOf: (host: string | undefined) => readonly Layer[];
  /** Returns the names of the hosts in a group; `undefined` if only a run knows them. */
  readonly hostsIn: (group: string) => readonly string[] | undefined;
}

/** Real files have fewer iterations. */
const MOST_ROUNDS = 20_000;

/** Returns the scope outside of any play. */
export const emptyScope = (): Scope => ({
  vars: [],
  outerLayers: () => [],
  defaults: [],
  dynamic: () => new Map(),
  adds: false,
  setsOptions: false,
  resizes: false,
  hosts: "",
  dependencies: new Set(),
  budget: { remaining: MOST_ROUNDS },
  hasUnknownCount: false,
  loop: new Map(),
  merges: () => false,
});

/** Whether a condition decides at run time if a task runs. */
const mayBeSkipped = (when: Value): boolean => !isNothing(when) && valueIfKnown(settingOf(when, units.bool)) !== true;

/** Returns the scope inside of a play, a block or a task. */
export function scopeOf(scope: Scope, inner: Value): Scope {
  const defaults = get(inner, "module_defaults");
  return {
    ...scope,
    hasUnknownCount: scope.hasUnknownCount || mayBeSkipped(get(inner, "when")),
    vars: [...[get(inner, "vars")].filter(isMapping), ...scope.vars],
    // They may be a list, whose last item wins (Base._load_module_defaults).
    defaults: [...[defaults, ...itemsOf(defaults)].filter(isMapping).reverse(), ...scope.defaults],
  };
}

/**
 * One variable with filters that do not change an existing value, such as `default` with one argument: `{{ vm.cpus | default(4) | int }}`.
 */
const VARIABLE = /^\{\{-?\s*([A-Za-z_]\w*)((?:\.\w+|\[(?:'[\w-]+'|"[\w-]+")\])*)\s*(?:\|\s*(?:int|default\([^(){},]*\))\s*)*-?\}\}$/;

/** Variables may refer to variables, but not in a circle, and only through short paths. */
const MOST_STEPS = 4;
const LONGEST_PATH = 5;

/**
 * Returns the value of a variable from the task, a block, the play or a file; any other value, and a value that only a run knows,
 * unchanged.
 */
export function resolve(value: Value, scope: Scope, steps = MOST_STEPS): Value {
  const text = textOf(value)?.trim();
  if (steps === 0 || !text?.startsWith("{{")) return value;
  const [, name, members = ""] = VARIABLE.exec(text) ?? [];
  if (name === undefined) return computed(value, text, scope, steps);
  const path = [...members.matchAll(/[\w-]+/g)].map(([member]) => member);
  const resolved = variable(value, name, path, scope, steps);
  if (resolved) return resolved;
  return DEFAULT.test(text) ? computed(value, text, scope, steps) : value;
}

const DEFAULT = /\|\s*(?:default|d)\(/;

/** Returns the value of an expression over variables: `{{ ram * 1024 }}`, `{{ a + b }}`; the expression itself if only a run knows it. */
function computed(value: Value, text: string, scope: Scope, steps: number): Value {
  const result = expressionOf(value, text, scope, steps);
  if (result?.kind === "value") return { ...result.value, usedAt: rangeOf(value) };
  const plain = result && plainText(result);
  return plain === undefined ? value : { ...value, part: plain, usedAt: rangeOf(value) };
}

function expressionOf(value: Value, text: string, scope: Scope, steps: number): Result | undefined {
  return evaluate(text, (name, path) => {
    if (name === "groups") return hostsOfGroup(value, path, scope);
    const resolved = variable(value, name, path, scope, steps - 1);
    if (!resolved) return { kind: "unset" };
    const isComplete = resolved.unsure === undefined && !textOf(resolved)?.includes("{{");
    return isComplete && resolved !== value ? { kind: "value", value: resolved } : undefined;
  });
}

/** `groups['sql']`: the names of the hosts in a group. */
function hostsOfGroup(value: Value, [group, ...more]: readonly string[], { inventory }: Scope): Result | undefined {
  const hosts = group === undefined || more.length > 0 ? undefined : inventory?.hostsIn(group);
  return hosts && { kind: "items", items: hosts.map((host) => ({ ...value, part: host, usedAt: rangeOf(value) })) };
}

/** `hostvars['sql01'].cpus`: a variable that the inventory sets for a host. Variables of the play do not count. */
function variableOfHost(value: Value, [host, name, ...path]: readonly string[], scope: Scope, steps: number): Value {
  const { inventory } = scope;
  if (!inventory || host === undefined || name === undefined) return value;
  const layers = inventory.layersOf(host === THIS_HOST ? undefined : host);
  const { inventory: _, ...rest } = scope;
  return variable(value, name, path, { ...rest, vars: [], loop: new Map(), outerLayers: () => [layers] }, steps) ?? value;
}

/** Returns the value of a variable, or its unresolved use if only a run knows it; `undefined` if no place sets it. */
function variable(value: Value, name: string, path: readonly string[], scope: Scope, steps: number): Value | undefined {
  if (path.length > LONGEST_PATH) return value;
  if (name === HOSTVARS) return variableOfHost(value, path, scope, steps);
  const ofLoop = scope.loop.get(name) ?? scope.loop.get(ANY);
  if (ofLoop) {
    const resolved = descend(ofLoop, path, scope, steps);
    return isNothing(resolved) ? value : resolved;
  }
  const dynamic = scope.dynamic();
  const setter = [name, ANY].find((key) => dynamic.has(key));
  if (setter !== undefined) return unsure(value, mayBeSet(name, dynamic.get(setter)));
  const ownVars = scope.vars.find((vars) => get(vars, name).node !== undefined);
  const setters = ownVars ? [layerOf(ownVars)] : settersOf(name, scope.outerLayers());
  const unreadable = setters.find(({ vars }) => !vars);
  if (unreadable) return unsure(value, mayBeSet(name, unreadable.shownPath));
  const values = setters.map((layer) => ({ layer, value: descend(get(layer.vars ?? value, name), path, scope, steps) }));
  const [last] = values.slice(-1);
  if (!last) return undefined;
  const files = [...new Set(setters.map(({ shownPath }) => shownPath ?? "the play"))].join(" and ");
  if (!last.layer.always) return unsure(value, `it may come from ${files}, or from none`);
  if (values.some((entry) => !isSame(entry.value, last.value))) return unsure(value, `${files} disagree about ${name}`);
  if (isMapping(last.value) && scope.merges() && placesOf(name, scope) > 1) return value;
  return isNothing(last.value) ? value : usedAt(last.value, value, { name, path: last.layer.path });
}

const placesOf = (name: string, { vars, outerLayers }: Scope): number =>
  [...vars.map(layerOf), ...outerLayers().flat()].filter(({ sets }) => sets(name)).length;

/** Returns the places that may set a variable, up to the first that certainly does. */
function settersOf(name: string, parts: readonly (readonly Layer[])[]): readonly Layer[] {
  const values: Layer[] = [];
  for (const part of parts) {
    for (const layer of settersIn(part, name)) values.push(layer);
    if (values.at(-1)?.always) break;
  }
  return values;
}

/** An inventory has a layer for each of thousands of hosts, and many playbooks query it. */
const inParts = new WeakMap<readonly Layer[], Map<string, readonly Layer[]>>();

/** Returns the same for one part. Files that set the same plain word are merged into one. */
function settersIn(part: readonly Layer[], name: string): readonly Layer[] {
  const cache = getOrInsert(inParts, part, () => new Map());
  const before = cache.get(name);
  if (before) return before;
  const layerByKey = new Map<unknown, Layer>();
  for (const layer of part) {
    if (!layer.sets(name)) continue;
    const text = layer.vars && textOf(get(layer.vars, name));
    const key = text === undefined || layer.always ? layer : `${layer.path}\n${text}`;
    if (!layerByKey.has(key)) layerByKey.set(key, layer);
    if (layer.always) break;
  }
  const setters = [...layerByKey.values()];
  cache.set(name, setters);
  return setters;
}

const mayBeSet = (name: string, place: string | undefined): string | undefined => place && `${place} may set ${name}`;

const unsure = (value: Value, reason: string | undefined): Value => (reason === undefined ? value : { ...value, unsure: reason });

/** Lists and mappings are not compared. */
const isSame = (first: Value, other: Value): boolean => first === other || (textOf(first) !== undefined && textOf(first) === textOf(other));

/** Returns a value at the place of its use, with the templates that apply there. */
function usedAt(value: Value, at: Value, { name, path }: { readonly name: string; readonly path: string | undefined }): Value {
  const { branches, inserts, scoped } = at.source;
  const setBy = value.setBy ?? { message: `${name} is set here`, range: rangeOf(value), ...(path !== undefined && { path }) };
  return { ...value, source: { ...value.source, branches, inserts, ...(scoped && { scoped }) }, usedAt: rangeOf(at), setBy };
}

/** Follows a path of keys. Each value on the path may be a variable. */
export const descend = (from: Value, path: readonly string[], scope: Scope, steps = MOST_STEPS): Value =>
  path.reduce((value, key) => resolve(get(value, key), scope, steps - 1), resolve(from, scope, steps - 1));

/** Real loops have fewer items. */
const MOST_ITEMS = 500;

/** Loops that iterate over a plain list; other loops build their items. */
const PLAIN = new Set(["loop", "with_items", "with_list"]);

const GROUPS = /^\{\{-?\s*groups\b/;

/** Returns the literal items of a loop; `with_dict` makes a list of keys and values (lookup/dict). */
function itemsIn({ key, value }: Entry, scope: Scope): readonly Value[] {
  if (key === "with_dict") return pairsIn(resolve(value, scope));
  if (!PLAIN.has(key)) return [];
  const text = textOf(value)?.trim();
  const result =
    text?.startsWith("{{") && (!VARIABLE.test(text) || GROUPS.test(text)) ? expressionOf(value, text, scope, MOST_STEPS) : undefined;
  const items = result?.kind === "items" ? result.items : itemsOf(resolve(value, scope));
  return items.map((item) => resolve(item, scope));
}

/** Returns the scopes of a task's iterations: one per literal item, or the scope itself without a loop. */
export function rounds(task: Value, scope: Scope): readonly Scope[] {
  const loop = loopOf(task);
  if (!loop) return [scope];
  const names = namesOfLoop(task);
  const [name = ANY] = names;
  const unknown = new Map(names.map((loopName) => [loopName, { ...task, node: undefined }]));
  const items = itemsIn(loop, scope);
  // Some loops flatten nested lists and some do not.
  const isPlain = name !== ANY && items.length > 0 && items.length <= MOST_ITEMS && items.every((item) => itemsOf(item).length === 0);
  return isPlain
    ? items.map((item) => ({ ...scope, loop: new Map([...unknown, [name, item]]) }))
    : [{ ...scope, loop: unknown, hasUnknownCount: true }];
}
