import { folderOf, joinPath } from "../../model/files.ts";
import type { Waypoint } from "../../model/spec.ts";
import { at, get, isNothing, itemsOf, rangeOf, readDocuments, textOf, type Value } from "../../syntax/yaml/tree.ts";
import type { DocumentContext } from "../yaml/kind.ts";
import { nameOf } from "./object.ts";

/*
 * Cluster API, "Writing a ClusterClass", and internal/controllers/topology/cluster/patches (engine.go, inline/json_patch_generator.go): the
 * patches of a class change its templates in their order, once for the control plane and once for each group of workers of a cluster. An
 * override of the group comes before the variable of the cluster, and this one before the default of its schema.
 */

/** A machine template as the clusters of its class use it. */
interface PatchedTemplate {
  /** Returns the value at a path of the machine's specification after all patches. */
  readonly find: (path: readonly string[]) => Value;
  /** Whether a patch may change something below a key. */
  readonly isPatched: (key: string) => boolean;
}

const OPEN = "a ClusterClass patches it";
const SPEC = "/spec/template/spec";

/** An object with the path of its file; missing for the text itself. */
interface Placed {
  readonly object: Value;
  readonly path?: string;
}

/** One use of a template: by the control plane, or by a group of workers, of one cluster. */
interface Use {
  readonly clusterClass: Placed;
  /** The class of the workers; missing for the control plane. */
  readonly workers?: string | undefined;
  /** Missing if no cluster is known. */
  readonly cluster?: Placed;
  readonly overrides?: Value;
}

/** The new values, by path below the specification; `undefined` for a removed one. */
type Changes = Map<string, Value | undefined>;

const isKind = (object: Value, kind: string): boolean =>
  textOf(get(object, "kind")) === kind && (textOf(get(object, "apiVersion")) ?? "").startsWith("cluster.x-k8s.io/");

export function patchedTemplate(template: Value, context: DocumentContext): PatchedTemplate {
  const spec = at(template, ["spec", "template", "spec"]);
  const changesByUse = usesOf(template, context).map((use) => ({ use, changes: changesOf(use, template, spec) }));
  const find = (path: readonly string[]): Value => {
    const own = path.reduce(get, spec);
    const values = changesByUse.map(({ changes }) => changedAt(path, own, changes));
    const [first = own, ...others] = values;
    if (others.every((other) => isSame(first, other))) return first;
    return { ...own, unsure: "the clusters of its class set it to different values" };
  };
  return {
    find,
    isPatched: (key) => changesByUse.some(({ changes }) => [...changes.keys()].some((path) => path === "" || path.split("/")[0] === key)),
  };
}

const isSame = (a: Value, b: Value): boolean =>
  a.unsure === b.unsure && (textOf(a) === undefined && textOf(b) === undefined ? a.node === b.node : textOf(a) === textOf(b));

/** The change of the longest path decides. A later change of a whole removes the changes of its parts. */
function changedAt(path: readonly string[], own: Value, changes: Changes): Value {
  for (let length = path.length; length >= 0; length--) {
    const key = path.slice(0, length).join("/");
    if (!changes.has(key)) continue;
    const value = changes.get(key);
    return value ? path.slice(length).reduce(get, value) : { ...own, node: undefined };
  }
  return own;
}

/** Returns how clusters use a template. A class that does not name it counts if it is in the same text: tools fill in names. */
function usesOf(template: Value, context: DocumentContext): readonly Use[] {
  const name = textOf(nameOf(template)) ?? "";
  const own = context.objects().map((object): Placed => ({ object }));
  const levels = [() => own, () => siblingObjects(context)];
  const classes = firstOf(levels, (objects) => objects.flatMap((one) => (isKind(one.object, "ClusterClass") ? rolesIn(one, name) : [])));
  if (classes.length === 0)
    return own.flatMap((one) => (isKind(one.object, "ClusterClass") ? [{ clusterClass: one }, { clusterClass: one, workers: "*" }] : []));
  return classes.flatMap((role) => {
    const uses = firstOf(levels, (objects) => objects.flatMap((cluster) => usesIn(cluster, role)));
    return uses.length > 0 ? uses : [role];
  });
}

function firstOf<T>(levels: readonly (() => readonly Placed[])[], find: (objects: readonly Placed[]) => readonly T[]): readonly T[] {
  for (const level of levels) {
    const found = find(level());
    if (found.length > 0) return found;
  }
  return [];
}

/** Returns the parts of a class that name a template. v1beta1 has `ref`, v1beta2 `templateRef`. */
function rolesIn(clusterClass: Placed, name: string): readonly Use[] {
  const spec = get(clusterClass.object, "spec");
  const namesTemplate = (infrastructure: Value): boolean =>
    ["ref", "templateRef"].some((key) => textOf(at(infrastructure, [key, "name"])) === name);
  const workers = itemsOf(at(spec, ["workers", "machineDeployments"])).filter(
    (one) => namesTemplate(at(one, ["template", "infrastructure"])) || namesTemplate(get(one, "infrastructure")),
  );
  return [
    ...(namesTemplate(at(spec, ["controlPlane", "machineInfrastructure"])) ? [{ clusterClass }] : []),
    ...workers.map((one) => ({ clusterClass, workers: textOf(get(one, "class")) ?? "" })),
  ];
}

/** Returns the uses of a part of a class by a cluster. v1beta1 has `class`, v1beta2 `classRef`. */
function usesIn(cluster: Placed, role: Use): readonly Use[] {
  const topology = at(cluster.object, ["spec", "topology"]);
  const name = textOf(get(topology, "class")) ?? textOf(at(topology, ["classRef", "name"]));
  if (!isKind(cluster.object, "Cluster") || name === undefined || name !== textOf(nameOf(role.clusterClass.object))) return [];
  const groups =
    role.workers === undefined
      ? [get(topology, "controlPlane")]
      : itemsOf(at(topology, ["workers", "machineDeployments"])).filter((group) => textOf(get(group, "class")) === role.workers);
  return groups.map((group) => ({ ...role, cluster, overrides: at(group, ["variables", "overrides"]) }));
}

const MOST_FILES = 100;
const WORDS = /\bkind:[ \t]*["']?Cluster(?:Class)?\b/;

/** Returns the classes and clusters in other files: in the folder, in the folder above, and in all folders of that. */
function siblingObjects({ context }: DocumentContext): readonly Placed[] {
  if (!context) return [];
  const { files, path: own } = context;
  const folder = folderOf(own);
  const above = folderOf(folder);
  // A folder of many files asks once for each file: no name is joined that the limit cuts off.
  function* paths(): Iterable<string> {
    const texts = function* (of: string, names = files.list(of)): Iterable<string> {
      for (const name of names) if (/\.ya?ml$/.test(name)) yield joinPath(of, name);
    };
    yield* texts(folder);
    if (above === folder) return;
    const around = files.list(above);
    yield* texts(above, around);
    for (const name of around) {
      const path = joinPath(above, name);
      if (!/\.\w+$/.test(name) && path !== folder) yield* texts(path);
    }
  }
  const found: Placed[] = [];
  let left = MOST_FILES;
  for (const path of paths()) {
    if (left-- === 0) break;
    const text = path === own ? "" : (files.read(path) ?? "");
    if (!WORDS.test(text)) continue;
    for (const { root, errors } of readDocuments(text)) if (errors.length === 0) found.push({ object: root, path });
  }
  return found;
}

function changesOf(use: Use, template: Value, spec: Value): Changes {
  const changes: Changes = new Map();
  const open: Value = { ...spec, unsure: OPEN };
  const set = (path: string, value: Value | undefined): void => {
    for (const other of changes.keys()) if (path === "" || other.startsWith(`${path}/`)) changes.delete(other);
    changes.set(path, value);
  };
  for (const patch of itemsOf(at(use.clusterClass.object, ["spec", "patches"]))) {
    // An extension is a program.
    if (!isNothing(get(patch, "external"))) set("", open);
    const enabled = isEnabled(get(patch, "enabledIf"), use);
    if (enabled === false) continue;
    for (const definition of itemsOf(get(patch, "definitions"))) {
      const isMatch = matches(get(definition, "selector"), template, use);
      if (isMatch === false) continue;
      for (const change of itemsOf(get(definition, "jsonPatches"))) {
        const path = pathBelow(textOf(get(change, "path")) ?? "");
        if (!path) continue;
        const isSure = enabled && isMatch && use.cluster && !path.isCut;
        if (!isSure) set(path.key, open);
        else if (textOf(get(change, "op")) === "remove") set(path.key, undefined);
        else set(path.key, placed(changedTo(change, use) ?? { value: open }, path.key, template, spec));
      }
    }
  }
  return changes;
}

/** Returns the path of a change below the specification (RFC 6901), without the part inside of a list; `undefined` if it is elsewhere. */
function pathBelow(path: string): { readonly key: string; readonly isCut: boolean } | undefined {
  if (SPEC.startsWith(`${path}/`)) return { key: "", isCut: true };
  if (path !== SPEC && !path.startsWith(`${SPEC}/`)) return undefined;
  const parts = path.slice(SPEC.length + 1).split("/");
  const list = parts.findIndex((part) => /^(?:-|\d+)$/.test(part));
  const whole = list < 0 ? parts : parts.slice(0, list);
  return { key: whole.map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~")).join("/"), isCut: list >= 0 };
}

/** Whether a selector names the template; `undefined` if only the version differs, which Cluster API may convert. */
function matches(selector: Value, template: Value, { workers }: Use): boolean | undefined {
  const [version = "", own = ""] = [selector, template].map((value) => textOf(get(value, "apiVersion")) ?? "");
  const of = get(selector, "matchResources");
  if (textOf(get(selector, "kind")) !== textOf(get(template, "kind")) || groupOf(version) !== groupOf(own)) return false;
  const isRole =
    workers === undefined
      ? textOf(get(of, "controlPlane")) === "true"
      : itemsOf(at(of, ["machineDeploymentClass", "names"])).some((name) => isNamed(textOf(name) ?? "", workers));
  // A selector of a class that names no template may mean any of them.
  if (!isRole && (workers === "*" || isNothing(of))) return undefined;
  return isRole && (version === own ? true : undefined);
}

const groupOf = (apiVersion: string): string => apiVersion.split("/")[0] ?? "";

/** `*` at one end stands for any text (matchesSelector). */
const isNamed = (pattern: string, name: string): boolean =>
  pattern === name ||
  (pattern.startsWith("*") && name.endsWith(pattern.slice(1))) ||
  (pattern.endsWith("*") && name.startsWith(pattern.slice(0, -1)));

const ONLY = /^\s*\{\{-?\s*\.([\w.-]+)\s*-?\}\}\s*$/;
const IF_SET = /^\s*\{\{-?\s*if\s+\.([\w-]+)\s*-?\}\}\s*true\s*\{\{-?\s*(?:else\s*-?\}\}\s*false\s*\{\{-?\s*)?end\s*-?\}\}\s*$/;
/** Values that a Go template regards as false. */
const EMPTY = new Set(["", "0", "false"]);

/** Whether a patch applies; `undefined` if Go's templates decide. */
function isEnabled(condition: Value, use: Use): boolean | undefined {
  const text = textOf(condition);
  if (text === undefined) return true;
  if (!text.includes("{{")) return text.trim() === "true";
  if (!use.cluster) return undefined;
  const [, only] = ONLY.exec(text) ?? [];
  const [, tested] = IF_SET.exec(text) ?? [];
  const value = textOf(variable(only ?? tested ?? "", use)?.value ?? condition);
  if (value === undefined || value.includes("{{") || value.includes("${")) return undefined;
  return tested === undefined ? value === "true" : !EMPTY.has(value);
}

interface FoundValue {
  readonly value: Value;
  readonly setBy?: Waypoint;
}

function changedTo(change: Value, use: Use): FoundValue | undefined {
  const value = get(change, "value");
  if (!isNothing(value)) return foundValue(value, "set by a patch of its class", use.clusterClass);
  const from = get(change, "valueFrom");
  const [, only] = ONLY.exec(textOf(get(from, "template")) ?? "") ?? [];
  const named = variable(textOf(get(from, "variable")) ?? only ?? "", use);
  // Go prints numbers from a million on with an exponent.
  return only !== undefined && !/^[1-9]\d{0,5}$/.test(textOf(named?.value ?? change) ?? "") ? undefined : named;
}

/** Returns the value of a variable, such as `machine.sizes[0].cpus`; `undefined` if the objects do not state it. */
function variable(path: string, { clusterClass, cluster, overrides }: Use): FoundValue | undefined {
  const [, name = "", rest = ""] = /^([\w-]+)((?:\.[\w-]+|\[\d+\])*)$/.exec(path) ?? [];
  if (name === "" || name === "builtin" || !cluster || !overrides) return undefined;
  const named = (list: Value): Value | undefined => itemsOf(list).findLast((item) => textOf(get(item, "name")) === name);
  const stated = named(overrides) ?? named(at(cluster.object, ["spec", "topology", "variables"]));
  const declared = named(at(clusterClass.object, ["spec", "variables"]));
  const schema = declared && at(declared, ["schema", "openAPIV3Schema"]);
  const whole = stated ? get(stated, "value") : schema && get(schema, "default");
  if (!whole || isNothing(whole)) return undefined;
  const steps = rest.match(/[\w-]+/g) ?? [];
  const value = steps.reduce((of, step) => itemsOf(of)[Number(step)] ?? get(of, step), whole);
  if (!isNothing(value))
    return stated
      ? foundValue(value, `set by variable ${path} of cluster ${textOf(nameOf(cluster.object)) ?? ""}`, cluster)
      : foundValue(value, `the default of variable ${path}`, clusterClass);
  // The defaults of properties apply inside of an object that is there.
  const fallback =
    schema &&
    at(
      steps.reduce((of, step) => at(of, ["properties", step]), schema),
      ["default"],
    );
  return fallback && !isNothing(fallback) ? foundValue(fallback, `the default of variable ${path}`, clusterClass) : undefined;
}

const foundValue = (value: Value, message: string, { path }: Placed): FoundValue => ({
  value,
  setBy: { message, range: rangeOf(value), ...(path !== undefined && { path }) },
});

/** Returns a value from elsewhere with the place of the replaced value. */
function placed({ value, setBy }: FoundValue, key: string, template: Value, spec: Value): Value {
  if (value.unsure !== undefined) return value;
  const own = key.split("/").reduce(get, spec);
  const { branches, inserts, scoped } = spec.source;
  return {
    ...value,
    source: { ...value.source, branches, inserts, ...(scoped && { scoped }) },
    usedAt: rangeOf(isNothing(own) ? nameOf(template) : own),
    ...(setBy && { setBy }),
  };
}
