import type { Attribute, Block, Body, Expression, TemplatePart } from "../../syntax/hcl/ast.ts";
import { literalText } from "../../syntax/hcl/convert.ts";
import type { ReadFile } from "./config-block.ts";
import type { ValueFile } from "./inputs.ts";

/** The files that share one namespace: a Terraform module or a Packer template. */
export interface NamedFiles {
  /** Identifies the namespace. */
  readonly id: string;
  readonly files: readonly ReadFile[];
  /** The files that set its variables. */
  readonly values: readonly ValueFile[];
  /** The loaded modules by the names of their calls. */
  readonly calls: ReadonlyMap<string, NamedCall>;
  /** Whether another module calls it. */
  readonly isCalled: boolean;
}

interface NamedCall {
  readonly id: string;
  readonly isRepeated: boolean;
}

/** The use of an expression's value. */
export interface ReferencePlace {
  /** The name that passes the value on; missing if nothing does. */
  readonly to?: string;
  /** The value is an argument, unchanged. */
  readonly isArgument?: boolean;
  /** The keys of the object literals around it. */
  readonly keys: readonly string[];
  /** Whether it is in a collection with computed keys. */
  readonly isKeyed?: boolean;
}

const ARGUMENT: ReferencePlace = { isArgument: true, keys: [] };
/** An operation changes the value. */
const ELSEWHERE: ReferencePlace = { keys: [] };

interface Reference {
  /** The offset in the joined files. */
  readonly start: number;
  readonly path: Traversal["path"];
  readonly place: ReferencePlace;
}

export interface Index {
  readonly references: Map<string, Reference[]>;
  /** The uses of literals by their offsets. */
  readonly literals: Map<number, ReferencePlace[]>;
}

/** Finds all uses of names and literals in some modules. */
export function referencesIn(groups: Iterable<NamedFiles>): Index {
  const index: Index = { references: new Map(), literals: new Map() };
  for (const module of groups) {
    for (const { body, file } of module.files) {
      const walk: ReferenceWalk = { module, index, base: file.start, names: new Map() };
      for (const { value } of body.attributes) collect(value, ARGUMENT, walk);
      for (const block of body.blocks) collectTop(block, walk);
    }
    for (const { file, values } of module.values) {
      for (const [name, { value }] of values)
        collect(value, handedOn(`${module.id}\nvar.${name}`), { module, index, base: file.start, names: new Map() });
    }
  }
  return index;
}

const handedOn = (to: string): ReferencePlace => ({ to, keys: [] });

interface ReferenceWalk {
  readonly module: NamedFiles;
  readonly index: Index;
  /** The start of the file. */
  readonly base: number;
  /** The bindings of names in enclosing blocks and loops. */
  readonly names: ReadonlyMap<string, string>;
}

const withName = (walk: ReferenceWalk, name: string, binding: string): ReferenceWalk => ({
  ...walk,
  names: new Map([...walk.names, [name, binding]]),
});

/** Returns a key for a name of a block or loop, by its offset. */
const boundAt = ({ start }: { readonly start: number }, { base }: ReferenceWalk): string => `at ${start + base}`;

/** Arguments of any block that pass no value on. */
const WITHOUT_VALUE = new Set(["depends_on", "ignore_changes", "provider", "providers", "replace_triggered_by"]);

function collectTop(block: Block, walk: ReferenceWalk): void {
  const { id, calls, isCalled } = walk.module;
  const label = block.labels[0]?.value ?? "";
  const addAttributes = (name: (attribute: Attribute) => string): void => {
    for (const attribute of block.body.attributes) collect(attribute.value, handedOn(`${id}\n${name(attribute)}`), walk);
  };
  switch (block.type) {
    case "variable":
      addAttributes(() => `var.${label}`);
      for (const { body } of block.body.blocks) collectBody(body, walk);
      break;
    case "variables":
      addAttributes(({ name }) => `var.${name}`);
      break;
    case "locals":
      addAttributes(({ name }) => `local.${name}`);
      break;
    case "local":
      addAttributes(() => `local.${label}`);
      break;
    case "output":
      collectBody(block.body, walk, () => (isCalled ? { to: `${id}\noutput`, keys: [label] } : ARGUMENT));
      break;
    case "module": {
      const call = calls.get(label);
      collectRepeated(block, walk, (name) => (call ? handedOn(`${call.id}\nvar.${name}`) : ARGUMENT));
      break;
    }
    default:
      collectRepeated(block, walk);
  }
}

type PlaceOf = (argument: string) => ReferencePlace;

/** A block that `for_each` may repeat. */
function collectRepeated({ body, start }: Block, walk: ReferenceWalk, placeOf?: PlaceOf): void {
  const binding = boundAt({ start }, walk);
  const repeats = body.attributes.some(({ name }) => name === "for_each");
  collectBody(body, repeats ? withName(walk, "each", binding) : walk, (name) =>
    name === "for_each" ? handedOn(binding) : name === "count" ? ELSEWHERE : (placeOf?.(name) ?? ARGUMENT),
  );
}

function collectBody({ attributes, blocks }: Body, walk: ReferenceWalk, placeOf: PlaceOf = () => ARGUMENT): void {
  for (const { name, value } of attributes) if (!WITHOUT_VALUE.has(name)) collect(value, placeOf(name), walk);
  for (const block of blocks) {
    if (block.type === "dynamic") collectDynamic(block, walk);
    else collectBody(block.body, walk);
  }
}

function collectDynamic(block: Block, walk: ReferenceWalk): void {
  const binding = boundAt(block, walk);
  const iterator = block.body.attributes.find(({ name }) => name === "iterator");
  const name = (iterator && literalText(iterator.value)) ?? block.labels[0]?.value ?? "";
  const { attributes, blocks } = block.body;
  collectBody({ ...block.body, attributes, blocks: [] }, walk, (argument) => (argument === "for_each" ? handedOn(binding) : ELSEWHERE));
  for (const { body } of blocks) collectBody(body, withName(walk, name, binding));
}

/** Functions that ignore the values of the elements. */
const OF_SHAPE = new Set(["keys", "length"]);
const UNUSED = handedOn("unused");

/** Functions that return elements of their arguments, including type conversions. */
const HAND_ON = new Set([
  "concat",
  "flatten",
  "merge",
  "tolist",
  "tomap",
  "try",
  "values",
  "list",
  "map",
  "object",
  "optional",
  "set",
  "tuple",
]);

/** Deeper than any evaluated expression. */
const MOST_DEPTH = 300;

function collect(expression: Expression, place: ReferencePlace, walk: ReferenceWalk, depth = 0): void {
  if (depth > MOST_DEPTH) return;
  const into = (inner: Expression, at = place, scope = walk): void => collect(inner, at, scope, depth + 1);
  const under = (key: string | undefined): ReferencePlace =>
    key === undefined ? keyedIn(place) : { ...place, keys: [...place.keys, key] };
  switch (expression.kind) {
    case "literal":
      addLiteral(expression, place, walk);
      break;
    case "template": {
      const [first] = expression.parts;
      if (expression.parts.length === 1 && first?.kind === "interpolation" && !expression.heredoc) into(first.value);
      else {
        addLiteral(expression, place, walk);
        collectParts(expression.parts, walk, depth + 1);
      }
      break;
    }
    case "variable":
    case "attribute":
    case "index":
    case "splat":
      collectTraversal(expression, place, walk, depth);
      break;
    case "call":
      for (const argument of expression.args) into(argument, argumentPlace(expression.name, place));
      break;
    case "tuple":
      for (const [at, item] of expression.items.entries()) into(item, under(String(at)));
      break;
    case "object":
      for (const { key, value } of expression.items) {
        if (key.kind !== "variable") into(key, ELSEWHERE);
        into(value, under(literalText(key)));
      }
      break;
    case "for": {
      const { keyName, valueName, collection, key, value, condition } = expression;
      const binding = boundAt(expression, walk);
      const innerWalk = withName(keyName === null ? walk : withName(walk, keyName, UNBOUND), valueName, binding);
      into(collection, handedOn(binding));
      for (const part of [key, condition]) if (part) into(part, ELSEWHERE, innerWalk);
      into(value, keyedIn(place), innerWalk);
      break;
    }
    case "conditional":
      into(expression.condition, ELSEWHERE);
      into(expression.then);
      into(expression.otherwise);
      break;
    case "binary":
      into(expression.left, ELSEWHERE);
      into(expression.right, ELSEWHERE);
      break;
    case "unary":
      if (expression.operand.kind === "literal") addLiteral(expression, place, walk);
      into(expression.operand, ELSEWHERE);
      break;
    case "parentheses":
      into(expression.inner);
  }
}

const argumentPlace = (name: string, place: ReferencePlace): ReferencePlace =>
  HAND_ON.has(name) ? keyedIn(place) : OF_SHAPE.has(name) ? UNUSED : ELSEWHERE;

/** A loop splits its collection: only a named collection keeps the keys. */
const keyedIn = (place: ReferencePlace): ReferencePlace => (place.to?.startsWith("at ") ? place : { ...place, isKeyed: true });

const UNBOUND = "";

function collectParts(parts: readonly TemplatePart[], walk: ReferenceWalk, depth: number): void {
  for (const part of parts) {
    if (part.kind === "interpolation") collect(part.value, ELSEWHERE, walk, depth);
    else if (part.kind === "if") {
      collect(part.condition, ELSEWHERE, walk, depth);
      if (depth < MOST_DEPTH) collectParts([...part.then, ...part.otherwise], walk, depth + 1);
    } else if (part.kind === "for") {
      collect(part.collection, ELSEWHERE, walk, depth);
      if (depth < MOST_DEPTH) collectParts(part.body, withName(walk, part.valueName, UNBOUND), depth + 1);
    }
  }
}

function addLiteral({ start }: Expression, place: ReferencePlace, { index, base }: ReferenceWalk): void {
  if (place.isArgument) return;
  const places = index.literals.get(start + base);
  if (places) places.push(place);
  else index.literals.set(start + base, [place]);
}

function collectTraversal(expression: Expression, place: ReferencePlace, walk: ReferenceWalk, depth: number): void {
  const { root, path, keys } = traversalOf(expression);
  for (const key of keys) collect(key, ELSEWHERE, walk, depth + 1);
  if (root.kind !== "variable") {
    // A part of an expression that is not a name.
    if (root !== expression) collect(root, keyedIn(place), walk, depth + 1);
    return;
  }
  const target = boundTo(root.name, path, walk);
  if (!target) return;
  const { references } = walk.index;
  const reference: Reference = { start: expression.start + walk.base, path: target.path, place };
  const places = references.get(target.binding);
  if (places) places.push(reference);
  else references.set(target.binding, [reference]);
}

/** Returns the binding of a name, and the path within its value. */
function boundTo(name: string, path: Traversal["path"], { names, module }: ReferenceWalk) {
  const binding = names.get(name);
  if (binding !== undefined) return binding === UNBOUND ? undefined : { binding, path };
  const [first, ...rest] = path;
  if (first === undefined) return undefined;
  if (name === "var" || name === "local") return { binding: `${module.id}\n${name}.${first}`, path: rest };
  if (name !== "module") return undefined;
  const call = module.calls.get(first);
  // The key of a module instance does not matter to its outputs.
  return call && { binding: `${call.id}\noutput`, path: call.isRepeated ? rest.slice(1) : rest };
}

/** A name with its accessors; a computed accessor is `undefined`. */
interface Traversal {
  readonly root: Expression;
  readonly path: readonly (string | undefined)[];
  /** Expressions in brackets. */
  readonly keys: readonly Expression[];
}

export const isTraversal = ({ kind }: Expression): boolean =>
  kind === "variable" || kind === "attribute" || kind === "index" || kind === "splat";

export function traversalOf(expression: Expression): Traversal {
  const backwards: (string | undefined)[] = [];
  const keys: Expression[] = [];
  let root = expression;
  for (;;) {
    if (root.kind === "attribute") backwards.push(root.name);
    else if (root.kind === "index") {
      const { key } = root;
      backwards.push(key.kind === "literal" ? String(key.value) : key.kind === "template" ? literalText(key) : undefined);
      keys.push(key);
    } else if (root.kind === "splat") {
      const traversal = traversalOf(root.each);
      for (const name of traversal.path.toReversed()) backwards.push(name);
      for (const key of traversal.keys) keys.push(key);
      backwards.push(undefined);
    } else return { root, path: backwards.reverse(), keys };
    root = root.of;
  }
}
