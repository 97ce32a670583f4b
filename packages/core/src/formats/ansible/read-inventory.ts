import { addTo, getOrInsert } from "../../model/maps.ts";
import type { Range } from "../../model/source.ts";
import { entriesOf, get, isMapping, isNothing, readDocuments, type Value } from "../../syntax/yaml/tree.ts";
import type { Layer } from "./project.ts";

/** The content of a static inventory. The caller sets `always` of its layers. */
export interface Inventory {
  readonly hosts: ReadonlyMap<string, readonly Layer[]>;
  readonly groups: ReadonlyMap<string, Group>;
}

export interface Group {
  readonly hosts: Set<string>;
  readonly children: Set<string>;
  readonly vars: Layer[];
}

/** An inventory during parsing. */
interface Draft {
  readonly hosts: Map<string, Layer[]>;
  readonly groups: Map<string, Group>;
  /** The number of hosts that groups may still list. */
  remaining: number;
}

/** The file and the text of a part of an inventory. */
interface InventoryPlace {
  readonly path: string;
  readonly shownPath: string;
}

/** A file of an inventory. */
export interface ListOfHosts extends InventoryPlace {
  readonly text: string;
}

const NAME = /^[A-Za-z0-9_](?:[\w.-]*\w)?$/;

/** Real inventories list fewer hosts. */
const MOST_CHARACTERS = 1_000_000;
const MOST_HOSTS = 20_000;

/**
 * Reads the hosts and groups of inventory files, strongest last, in the built-in formats of Ansible (plugins `yaml` and `ini`). `undefined`
 * for other formats, for values that only a run knows, and for ambiguous syntax.
 */
export function readInventory(lists: readonly ListOfHosts[]): Inventory | undefined {
  const draft: Draft = { hosts: new Map(), groups: new Map(), remaining: MOST_HOSTS };
  groupIn(draft, "all");
  groupIn(draft, "ungrouped");
  return lists.every((list) => readList(list, draft)) && isSound(draft) ? draft : undefined;
}

function readList({ text, ...place }: ListOfHosts, draft: Draft): boolean {
  // This variable changes the order of groups of the same depth.
  if (text.length > MOST_CHARACTERS || /^(?:#!|\$ANSIBLE_VAULT)|ansible_group_priority/.test(text)) return false;
  const isYaml = /\.(?:ya?ml|json)$/.test(place.path) || (/\/[^./]+$/.test(place.path) && rootOf(text) !== undefined);
  return isYaml ? readYaml(text, draft, place) : readIni(text, draft, place);
}

const groupIn = ({ groups }: Draft, name: string): Group =>
  getOrInsert(groups, name, () => ({ hosts: new Set(), children: new Set(), vars: [] }));

/** Adds the hosts of a pattern to a group; returns false if the pattern is ambiguous or stands for too many hosts. */
function addHosts(draft: Draft, group: Group, pattern: string, hostLayers: readonly Layer[]): boolean {
  const names = expanded(pattern, draft.remaining);
  if (!names?.every((name) => NAME.test(name))) return false;
  draft.remaining -= names.length;
  for (const name of names) {
    const hostVars = getOrInsert(draft.hosts, name, () => []);
    for (const layer of hostLayers) hostVars.push(layer);
    group.hosts.add(name);
  }
  return true;
}

const RANGE = /^(.*?)\[(?:([a-z]):([a-z])|(\d{1,9}):(\d{1,9}))(?::([1-9]\d{0,8}))?\](.*)$/;

/**
 * Returns the hosts of `web[01:20]`, `db-[a:f]`, `[1:9:2].x`. With a leading 0, both ends of a range have the same number of digits
 * (expand_hostname_range).
 */
function expanded(pattern: string, most: number): readonly string[] | undefined {
  const [range, before = "", a, z, first = "", last = "", step = "1", suffix = ""] = RANGE.exec(pattern) ?? [];
  if (range === undefined) return most > 0 ? [pattern] : undefined;
  const isPadded = first.startsWith("0") && first.length > 1;
  const [from, to] = a && z ? [a.charCodeAt(0), z.charCodeAt(0)] : [Number(first), Number(last)];
  const count = Math.floor((to - from) / Number(step)) + 1;
  if (count < 1 || count > most || (isPadded && first.length !== last.length)) return undefined;
  const names: string[] = [];
  for (let i = 0; i < count; i++) {
    const at = from + i * Number(step);
    const inner = expanded(
      before + (a ? String.fromCharCode(at) : String(at).padStart(isPadded ? first.length : 1, "0")) + suffix,
      most - names.length,
    );
    if (!inner) return undefined;
    for (const name of inner) names.push(name);
  }
  return names;
}

/** The deepest nesting of groups. */
const DEEPEST = 16;

/** Circular groups, and a name of both a host and a group, are errors. */
function isSound({ hosts, groups }: Draft): boolean {
  const heights = new Map<string, number>();
  const heightOf = (name: string, parentHeight: number): number => {
    const cached = heights.get(name);
    if (cached !== undefined || parentHeight > DEEPEST) return cached ?? parentHeight;
    const inner = [...(groups.get(name)?.children ?? [])].map((child) => heightOf(child, parentHeight + 1));
    const height = 1 + Math.max(0, ...inner);
    heights.set(name, height);
    return height;
  };
  return [...groups.keys()].every((name) => !hosts.has(name) && heightOf(name, 0) <= DEEPEST);
}

const SECTION = /^\[([^\s:[\]]+)(?::(vars|children))?\]$/;
const DEFINITION = /^([A-Za-z_]\w*)[ \t]*=[ \t]*(.*)$/;
const HOST = /^((?:[^\s:#=[\]]|\[[^\s#=[\]]*\])+)(:\d+)?(?=\s|$)/;
/** Host names that parse_address does not split from a port. */
const NO_PORT = /[-_](?:\.|$)|\.\./;
const ARGUMENT = /\s+([A-Za-z_]\w*)=("[^"\\]*"|'[^'\\]*'|[^\s"'\\#]+)(?=\s|$)/y;

/** Hosts with their variables below `[group]`, variables below `[group:vars]`, groups below `[group:children]`. */
function readIni(text: string, draft: Draft, place: InventoryPlace): boolean {
  let [group, kind]: [string, string | undefined] = ["ungrouped", undefined];
  const names = new Set(draft.groups.keys());
  const undeclared = new Set<string>();
  for (const { 0: line, index } of text.matchAll(/[^\r\n]+/g)) {
    const text = line.trim();
    const start = index + line.indexOf(text);
    if (text === "" || /^[#;]/.test(text)) continue;
    if (text.startsWith("[")) {
      const section = SECTION.exec(text);
      if (!section?.[1] || !NAME.test(section[1])) return false;
      [group, kind] = [section[1], section[2]];
      groupIn(draft, group);
      if (kind === "vars") undeclared.add(group);
      else names.add(group);
    } else if (kind === "vars") {
      const [, name, value] = DEFINITION.exec(text) ?? [];
      if (name === undefined || value === undefined) return false;
      groupIn(draft, group).vars.push(variable(name, value, [start, start + text.length], place));
    } else if (kind === "children") {
      if (!NAME.test(text)) return false;
      groupIn(draft, group).children.add(text);
      groupIn(draft, text);
      undeclared.add(text);
    } else if (!readHost(text, start, group, draft, place)) return false;
  }
  return [...undeclared].every((name) => names.has(name));
}

function readHost(line: string, start: number, group: string, draft: Draft, place: InventoryPlace): boolean {
  const [whole, pattern, port] = HOST.exec(line) ?? [];
  if (whole === undefined || pattern === undefined || (port !== undefined && NO_PORT.test(pattern))) return false;
  const layers: Layer[] = [];
  let end = whole.length;
  for (ARGUMENT.lastIndex = end; ; end = ARGUMENT.lastIndex) {
    const [, key, value] = ARGUMENT.exec(line) ?? [];
    if (key === undefined || value === undefined) break;
    layers.push(variable(key, value, [start + ARGUMENT.lastIndex - value.length, start + ARGUMENT.lastIndex], place));
  }
  return addHosts(draft, groupIn(draft, group), pattern, layers) && /^\s*(?:#.*)?$/.test(line.slice(end));
}

/** Values are Python literals. Only unambiguous ones are read. */
const LITERAL = /^(?:0|[1-9]\d{0,15}|[A-Za-z][\w-]*)$/;
const WORDS = new Set(["true", "false", "none", "null", "yes", "no", "on", "off", "y", "n", "inf", "nan"]);

/** Returns one variable of an INI file; later ones at the same level are stronger. */
function variable(name: string, text: string, range: Range, place: InventoryPlace): Layer {
  const plain = /^(["'])(.*)\1$/.exec(text)?.[2] ?? text;
  const sets = (other: string): boolean => other === name;
  if (!LITERAL.test(plain) || WORDS.has(plain.toLowerCase())) return { ...place, sets, always: false };
  const [tree] = readDocuments(`${name}: ${plain}`);
  const vars = tree && { ...tree.root, setBy: { message: `${name} is set here`, range, path: place.path } };
  return { ...place, sets, always: false, vars };
}

function rootOf(text: string): Value | undefined {
  const [tree, second] = readDocuments(text);
  if (!tree || second || tree.errors.length > 0 || !isMapping(tree.root)) return undefined;
  const { branches, inserts } = tree.root.source;
  return branches.length + inserts.length > 0 ? undefined : tree.root;
}

const KEYS = new Set(["hosts", "children", "vars"]);

/** Groups with `hosts`, `children` and `vars`, each a mapping. */
function readYaml(text: string, draft: Draft, place: InventoryPlace): boolean {
  const root = rootOf(text);
  return root !== undefined && areApart(root) && entriesOf(root).every(({ key, value }) => readGroup(key, value, draft, place, DEEPEST));
}

/** Whether all keys are unique. */
const areApart = (mapping: Value): boolean => {
  const keys = entriesOf(mapping).map(({ key }) => key);
  return new Set(keys).size === keys.length;
};

function readGroup(name: string, value: Value, draft: Draft, place: InventoryPlace, depth: number): boolean {
  if (depth === 0 || !NAME.test(name)) return false;
  const group = groupIn(draft, name);
  if (isNothing(value)) return true;
  if (!isMapping(value) || !areApart(value) || entriesOf(value).some(({ key }) => !KEYS.has(key))) return false;
  const [hosts, children, vars] = [get(value, "hosts"), get(value, "children"), get(value, "vars")];
  if (![hosts, children, vars].every((part) => isNothing(part) || (isMapping(part) && areApart(part)))) return false;
  if (!isNothing(vars)) group.vars.push(mapping(vars, place));
  const areHosts = entriesOf(hosts).every(
    ({ key, value: vars }) =>
      (isNothing(vars) || isMapping(vars)) && addHosts(draft, group, key, isMapping(vars) ? [mapping(vars, place)] : []),
  );
  return (
    areHosts &&
    entriesOf(children).every(({ key, value: inner }) => {
      group.children.add(key);
      return readGroup(key, inner, draft, place, depth - 1);
    })
  );
}

const mapping = (vars: Value, place: InventoryPlace): Layer => ({
  ...place,
  vars,
  always: false,
  sets: (name) => get(vars, name).node !== undefined,
});

/** Returns all hosts of a group and its child groups. */
export function hostsOf({ hosts, groups }: Inventory, name: string): ReadonlySet<string> {
  if (name === "all") return new Set(hosts.keys());
  if (name === "ungrouped") {
    const grouped = new Set([...groups].flatMap(([other, group]) => (other === "all" || other === name ? [] : [...group.hosts])));
    return new Set([...hosts.keys()].filter((host) => !grouped.has(host)));
  }
  const names = new Set([name]);
  for (const name of names) for (const child of groups.get(name)?.children ?? []) names.add(child);
  return new Set([...names].flatMap((name) => [...(groups.get(name)?.hosts ?? [])]));
}

/** Returns a function that finds the direct and indirect groups of hosts. Its cost does not depend on the number of other hosts. */
export function groupsAround(inventory: Inventory): (hosts: ReadonlySet<string>) => ReadonlySet<string> {
  const ungrouped = hostsOf(inventory, "ungrouped");
  // A group never has the name of a host.
  const parents = new Map<string, string[]>();
  for (const [name, { hosts, children }] of inventory.groups) for (const inner of [...hosts, ...children]) addTo(parents, inner, name);
  return (hosts) => {
    const names = new Set(hosts);
    for (const name of names) for (const outer of parents.get(name) ?? []) names.add(outer);
    if ([...hosts].some((host) => ungrouped.has(host))) return names.add("ungrouped");
    names.delete("ungrouped");
    return names;
  };
}

/** Returns the groups except `all`, strongest first: by depth, then by name (Ansible, sort_groups). */
export function groupsByStrength({ groups }: Inventory): readonly string[] {
  const depths = new Map<string, number>();
  const sink = (name: string, depth: number): void => {
    if ((depths.get(name) ?? -1) >= depth) return;
    depths.set(name, depth);
    for (const child of groups.get(name)?.children ?? []) sink(child, depth + 1);
  };
  sink("all", 0);
  for (const name of groups.keys()) if (name !== "all") sink(name, 1);
  const byStrength = (a: string, b: string): number => (depths.get(b) ?? 0) - (depths.get(a) ?? 0) || (a < b ? 1 : -1);
  return [...groups.keys()].filter((name) => name !== "all").sort(byStrength);
}
