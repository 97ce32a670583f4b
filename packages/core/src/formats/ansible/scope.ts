import { getOrInsert } from "../../model/maps.ts";
import { valueIfKnown } from "../../model/source.ts";
import { type Entry, get, isMapping, isNothing, itemsOf, rangeOf, settingOf, textOf, type Value } from "../../syntax/yaml/tree.ts";
import * as units from "../yaml/units.ts";
import { evaluate, pairsIn, plainText, type Result } from "./expression.ts";
import { type Layer, layerOf } from "./project.ts";
import type { Names } from "./runs.ts";
import { ANY, loopOf, namesOfLoop } from "./steps.ts";

/** What a task sees: variables and module defaults, the innermost first. */
export interface Scope {
  readonly vars: readonly Value[];
  /** Where variables come from that no block and no task sets: the strongest first. Files are read when one is asked for. */
  readonly around: () => readonly (readonly Layer[])[];
  readonly defaults: readonly Value[];
  /** Variables that a run sets on its way, as `set_fact`, `register` and `vars_prompt` do, and where. Files are read when one is asked for. */
  readonly dynamic: () => Names;
  /** Whether another task adds devices to VMs, and whether one sets options of theirs. */
  readonly adds: boolean;
  readonly setsOptions: boolean;
  /** The hosts of the play, as they are written. */
  readonly hosts: string;
  /** The VMs that the tasks before are about. */
  readonly met: Set<string>;
  /** Rounds of tasks still to be read: aliases and loops can ask for more than there is time for. */
  readonly budget: { left: number };
  /** Whether only a run knows how often the tasks are done, if at all. */
  readonly uncounted: boolean;
  /** What a loop sets: nothing where only a run knows it. */
  readonly loop: ReadonlyMap<string, Value>;
  /** Whether mappings of several places are put together, where others take the strongest. Files are read when one is asked for. */
  readonly merges: () => boolean;
}

/** More rounds of tasks than any file has. */
const MOST_ROUNDS = 20_000;

/** The scope of a file before anything is said. */
export const outside = (): Scope => ({
  vars: [],
  around: () => [],
  defaults: [],
  dynamic: () => new Map(),
  adds: false,
  setsOptions: false,
  hosts: "",
  met: new Set(),
  budget: { left: MOST_ROUNDS },
  uncounted: false,
  loop: new Map(),
  merges: () => false,
});

/** Whether a condition leaves open that a task is done. */
const mayBeSkipped = (when: Value): boolean => !isNothing(when) && valueIfKnown(settingOf(when, units.bool)) !== true;

/** The scope inside of a play, a block or a task. */
export function within(scope: Scope, inner: Value): Scope {
  const defaults = get(inner, "module_defaults");
  return {
    ...scope,
    uncounted: scope.uncounted || mayBeSkipped(get(inner, "when")),
    vars: [...[get(inner, "vars")].filter(isMapping), ...scope.vars],
    // They may be a list, whose last item counts first (Base._load_module_defaults).
    defaults: [...[defaults, ...itemsOf(defaults)].filter(isMapping).reverse(), ...scope.defaults],
  };
}

/** One variable, with filters that leave a value that is there as it is, as `default` with one argument: `{{ vm.cpus | default(4) | int }}`. */
const VARIABLE = /^\{\{-?\s*([A-Za-z_]\w*)((?:\.\w+|\[(?:'[\w-]+'|"[\w-]+")\])*)\s*(?:\|\s*(?:int|default\([^(){},]*\))\s*)*-?\}\}$/;

/** Variables may lead to variables, but not in a circle, and no path is long. */
const MOST_STEPS = 4;
const LONGEST_PATH = 5;

/**
 * What a value stands for: itself, or a variable that the task, a block, the play or a file beside it gives a value; what only a run
 * decides is left as it is.
 */
export function resolve(value: Value, scope: Scope, steps = MOST_STEPS): Value {
  const text = textOf(value)?.trim();
  if (steps === 0 || !text?.startsWith("{{")) return value;
  const [, name, members = ""] = VARIABLE.exec(text) ?? [];
  if (name === undefined) return computed(value, text, scope, steps);
  const path = [...members.matchAll(/[\w-]+/g)].map(([member]) => member);
  const found = variable(value, name, path, scope, steps);
  if (found) return found;
  return DEFAULT.test(text) ? computed(value, text, scope, steps) : value;
}

const DEFAULT = /\|\s*(?:default|d)\(/;

/** The value of an expression over variables: `{{ ram * 1024 }}`, `{{ a + b }}`; itself where only a run knows it. */
function computed(value: Value, text: string, scope: Scope, steps: number): Value {
  const result = expressionOf(value, text, scope, steps);
  if (result?.kind === "value") return { ...result.value, usedAt: rangeOf(value) };
  const plain = result && plainText(result);
  return plain === undefined ? value : { ...value, part: plain, usedAt: rangeOf(value) };
}

function expressionOf(value: Value, text: string, scope: Scope, steps: number): Result | undefined {
  return evaluate(text, (name, path) => {
    const found = variable(value, name, path, scope, steps - 1);
    if (!found) return { kind: "unset" };
    const isKnown = found.unsure === undefined && !textOf(found)?.includes("{{");
    return isKnown && found !== value ? { kind: "value", value: found } : undefined;
  });
}

/** What a variable stands for, or the value that names it where only a run knows; `undefined`: no place sets it. */
function variable(value: Value, name: string, path: readonly string[], scope: Scope, steps: number): Value | undefined {
  if (path.length > LONGEST_PATH) return value;
  const ofLoop = scope.loop.get(name) ?? scope.loop.get(ANY);
  if (ofLoop) {
    const found = descend(ofLoop, path, scope, steps);
    return isNothing(found) ? value : found;
  }
  const dynamic = scope.dynamic();
  const setter = [name, ANY].find((one) => dynamic.has(one));
  if (setter !== undefined) return unsure(value, mayBeSet(name, dynamic.get(setter)));
  const own = scope.vars.find((vars) => get(vars, name).node !== undefined);
  const setters = own ? [layerOf(own)] : settersOf(name, scope.around());
  const hidden = setters.find(({ vars }) => !vars);
  if (hidden) return unsure(value, mayBeSet(name, hidden.shown));
  const found = setters.map((layer) => ({ layer, value: descend(get(layer.vars ?? value, name), path, scope, steps) }));
  const [last] = found.slice(-1);
  if (!last) return undefined;
  const files = [...new Set(setters.map(({ shown }) => shown ?? "the play"))].join(" and ");
  if (!last.layer.always) return unsure(value, `it may come from ${files}, or from none`);
  if (found.some((one) => !isSame(one.value, last.value))) return unsure(value, `${files} disagree about ${name}`);
  if (isMapping(last.value) && scope.merges() && placesOf(name, scope) > 1) return value;
  return isNothing(last.value) ? value : used(last.value, value, { name, path: last.layer.path });
}

/** How many places set a variable. */
const placesOf = (name: string, { vars, around }: Scope): number =>
  [...vars.map(layerOf), ...around().flat()].filter(({ sets }) => sets(name)).length;

/** Those that may decide about a variable, up to the first that always does. */
function settersOf(name: string, parts: readonly (readonly Layer[])[]): readonly Layer[] {
  const found: Layer[] = [];
  for (const part of parts) {
    for (const layer of settersIn(part, name)) found.push(layer);
    if (found.at(-1)?.always) break;
  }
  return found;
}

/** An inventory has a layer for each of thousands of hosts, and is asked by each of many playbooks. */
const inParts = new WeakMap<readonly Layer[], Map<string, readonly Layer[]>>();

/** The same of one part; of those of a file that say the same plain word, one. */
function settersIn(part: readonly Layer[], name: string): readonly Layer[] {
  const known = getOrInsert(inParts, part, () => new Map());
  const before = known.get(name);
  if (before) return before;
  const found = new Map<unknown, Layer>();
  for (const layer of part) {
    if (!layer.sets(name)) continue;
    const text = layer.vars && textOf(get(layer.vars, name));
    const key = text === undefined || layer.always ? layer : `${layer.path}\n${text}`;
    if (!found.has(key)) found.set(key, layer);
    if (layer.always) break;
  }
  const setters = [...found.values()];
  known.set(name, setters);
  return setters;
}

const mayBeSet = (name: string, place: string | undefined): string | undefined => place && `${place} may set ${name}`;

const unsure = (value: Value, reason: string | undefined): Value => (reason === undefined ? value : { ...value, unsure: reason });

/** Lists and mappings are not compared. */
const isSame = (one: Value, other: Value): boolean => one === other || (textOf(one) !== undefined && textOf(one) === textOf(other));

/** A value in the place where it is used; what templates decide there, they decide of it. */
function used(value: Value, at: Value, { name, path }: { readonly name: string; readonly path: string | undefined }): Value {
  const { branches, inserts, scoped } = at.source;
  const setBy = value.setBy ?? { message: `${name} is set here`, range: rangeOf(value), ...(path !== undefined && { path }) };
  return { ...value, source: { ...value.source, branches, inserts, ...(scoped && { scoped }) }, usedAt: rangeOf(at), setBy };
}

/** A path of keys, each of whose values may be a variable. */
export const descend = (from: Value, path: readonly string[], scope: Scope, steps = MOST_STEPS): Value =>
  path.reduce((value, key) => resolve(get(value, key), scope, steps - 1), resolve(from, scope, steps - 1));

/** More than anyone writes down. */
const MOST_ITEMS = 500;

/** Loops over a list as it is written; others make items of it. */
const PLAIN = new Set(["loop", "with_items", "with_list"]);

/** The items of a loop, as far as they are written down; `with_dict` makes a list of a mapping's keys and values (lookup/dict). */
function itemsIn({ key, value }: Entry, scope: Scope): readonly Value[] {
  if (key === "with_dict") return pairsIn(resolve(value, scope));
  if (!PLAIN.has(key)) return [];
  const text = textOf(value)?.trim();
  const result = text?.startsWith("{{") && !VARIABLE.test(text) ? expressionOf(value, text, scope, MOST_STEPS) : undefined;
  const items = result?.kind === "items" ? result.items : itemsOf(resolve(value, scope));
  return items.map((item) => resolve(item, scope));
}

/** The scopes of a task's rounds: one for each item of a loop that is written down, or the one it has. */
export function rounds(task: Value, scope: Scope): readonly Scope[] {
  const over = loopOf(task);
  if (!over) return [scope];
  const names = namesOfLoop(task);
  const [name = ANY] = names;
  const unknown = new Map(names.map((one) => [one, { ...task, node: undefined }]));
  const items = itemsIn(over, scope);
  // A list in a list is flattened, or not, by the kind of loop.
  const isPlain = name !== ANY && items.length > 0 && items.length <= MOST_ITEMS && items.every((item) => itemsOf(item).length === 0);
  return isPlain
    ? items.map((item) => ({ ...scope, loop: new Map([...unknown, [name, item]]) }))
    : [{ ...scope, loop: unknown, uncounted: true }];
}
