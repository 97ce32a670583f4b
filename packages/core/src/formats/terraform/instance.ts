import { type Files, joinPath, type SourceFile, type Sources } from "../../model/files.ts";
import { getOrInsert } from "../../model/maps.ts";
import { convert } from "../../syntax/hcl/convert.ts";
import type { Functions } from "../../syntax/hcl/functions/define-function.ts";
import { type Meter, type Namespace, namespace, type Scope } from "../../syntax/hcl/scope.ts";
import { nullValue, objectValue, stringValue, tupleValue, unknownValue, type Value } from "../../syntax/hcl/value.ts";
import type { ConfigBlock, ExpressionInFile } from "../hcl/config-block.ts";
import type { Input } from "../hcl/inputs.ts";
import {
  cachedNames,
  inLifecycle,
  labelled,
  type Repetition,
  repetitionOf,
  type ScopeIn,
  scopesWith,
  valueAt,
  whyEmpty,
} from "../hcl/scopes.ts";
import { refusedName, variableValue } from "../hcl/variables.ts";
import { wholeNumber } from "../hcl/vm-instance.ts";
import { attributeOf, type FoundTemplate, TEMPLATE, wholeTemplate } from "./data-template.ts";
import { CLUSTER, callsIn, type ModuleSource, sourceNamed, sourceOf } from "./module-source.ts";
import { typeOfResource } from "./types.ts";

/** The state that all modules of one root share. */
export interface Project {
  readonly root: string;
  readonly files: Files;
  readonly sources: Sources;
  /** The name of the values that it has, if there are several. */
  readonly variant?: string | undefined;
  /** Finds a template by its name. */
  readonly templateNamed: (name: string) => FoundTemplate | undefined;
  /** Returns the files that set a variable of the root and that nothing loads. */
  readonly foundIn: (name: string) => readonly string[];
  readonly meter: Meter;
  readonly functions: Functions;
  /** The number of module instances left. */
  readonly budget: { instances: number };
  /** Loads each module once for all its calls; `undefined` for a folder without module. */
  readonly load: (folder: string) => ModuleSource | undefined;
  /** The folders that calls with a computed source lead to. */
  readonly computed: Map<ConfigBlock, Set<string>>;
}

/** A module with the values of one call. */
export interface Instance {
  readonly source: ModuleSource;
  /** `module.sql["a"]`; empty for the root. */
  readonly address: string;
  readonly variant?: string | undefined;
  /** The blocks that call it, the outermost first. */
  readonly calls: readonly ConfigBlock[];
  /** Whether the number of its instances is unknown. */
  readonly hasUnknownCount: boolean;
  readonly scopeIn: ScopeIn;
  readonly output: (name: string) => Value;
  readonly children: () => readonly Instance[];
  /** Why a module call leads to no VM that vmlint can read; `undefined` if it does, or if the module is not about VMs. */
  readonly whyNothing: (call: ConfigBlock) => string | undefined;
}

/** The result of a module call: its instances, or why vmlint cannot load them. */
type ModuleCallResult = { readonly repetition: Repetition; readonly instances: readonly Instance[] } | { readonly reason: string };

/** More instances than any configuration creates; nested calls can multiply without limit. */
export const MOST_INSTANCES = 20_000;

/** Whether several files declare a variable. With equal resources, they are alternatives that are never applied together. */
const isInSeveral = ({ duplicates, files, isWhole }: ModuleSource, kind: "variable" | "local", name: string): boolean =>
  isWhole &&
  (kind === "variable"
    ? (duplicates.get(`variable.${name}`) ?? []).every(({ configBlock, first }) => configBlock.file !== first.file)
    : files.filter(({ body }) =>
        body.blocks.some(({ type, body }) => type === "locals" && body.attributes.some((one) => one.name === name)),
      ).length > 1) &&
  ![...duplicates.keys()].some((key) => key.startsWith("resource."));

/** Creates an instance without evaluation. Each name is evaluated on first use and then cachedNames. */
export function instanceOf(
  project: Project,
  source: ModuleSource,
  inputs: (name: string) => Value | Input | undefined,
  caller: Caller,
): Instance {
  const { meter, functions, variant } = project;
  const foundIn = caller.calls.length === 0 ? project.foundIn : undefined;
  const { address, calls, hasUnknownCount } = caller;
  const isTwice = (kind: string, name: string): boolean => source.duplicates.has(`${kind}.${name}`);
  const scopes = new Map<SourceFile, Scope>();
  const scopeIn: ScopeIn = (file) => getOrInsert(scopes, file, () => ({ offset: file.start, name, functions, meter }));
  const variable = cachedNames("variable", (name) => {
    const declared = source.variables.get(name);
    if (isTwice("variable", name)) return refusedName("variable", name, 2, isInSeveral(source, "variable", name));
    if (source.retyped.has(name)) return unknownValue(`an override file changes the type of variable ${name}`);
    if (!declared) return refusedName("variable", name, 0, source.isWhole);
    return variableValue(name, declared, inputs(name), meter, { foundIn });
  });
  const local = cachedNames("local", (name) => {
    const placed = source.locals.get(name);
    if (isTwice("local", name)) return refusedName("local", name, 2, isInSeveral(source, "local", name));
    return placed ? labelled(valueAt(placed, scopeIn), placed, `local ${name}`) : refusedName("local", name, 0, source.isWhole);
  });
  const output = cachedNames("output", (name) => {
    const placed = source.outputs.get(name)?.attributes.get("value");
    return placed ? valueAt(placed, scopeIn) : unknownValue(`the module has no output ${name}`);
  });
  const called = new Map<string, ModuleCallResult>();
  const call = (name: string): ModuleCallResult => {
    const known = called.get(name);
    if (known) return known;
    called.set(name, { reason: `module ${name} depends on itself` });
    const found = callOf(project, name, source.calls.get(name), scopeIn, caller);
    called.set(name, found);
    return found;
  };
  const resources = resourceNames(source, scopeIn);
  const families = new Map<string, Namespace>([
    ["var", namespace("var", variable)],
    ["local", namespace("local", local)],
    [
      "module",
      namespace("module", (name) => (isTwice("module", name) ? unknownValue(`module ${name} is declared twice`) : moduleValue(call(name)))),
    ],
    ["path", namespace("path", (name) => pathValue(name, caller.path))],
    ["terraform", namespace("terraform", (name) => unknownValue(`terraform.${name} is known when Terraform runs`))],
    ["data", dataNames(source, scopeIn, project.templateNamed)],
  ]);
  const name = (wanted: string): Value | Namespace =>
    getOrInsert(families, wanted, () => namespace(wanted, (name) => resources(wanted, name)));
  const made = (declared: ConfigBlock): ModuleCallResult => {
    const [name = ""] = declared.labels;
    return source.calls.get(name) === declared ? call(name) : callOf(project, name, declared, scopeIn, caller);
  };
  const children = (): readonly Instance[] =>
    callsIn(source).flatMap((declared) => {
      const found = made(declared);
      return "instances" in found ? found.instances : [];
    });
  const whyNothing = (declared: ConfigBlock): string | undefined => {
    const found = made(declared);
    if ("reason" in found) return reasonAlone(found.reason, declared);
    if (found.repetition.items.length > 0) return undefined;
    const { local } = { local: "", ...sourceOf(declared) };
    const called = project.load(joinPath(caller.folders.at(-1) ?? project.root, local));
    return called && called.resources.length > 0 ? `creates 0 VMs, because ${whyEmpty(found.repetition.by)}` : undefined;
  };
  return { source, address, variant, calls, hasUnknownCount, scopeIn, output, children, whyNothing };
}

/** Returns the names of `data`. Terraform knows their values when it runs, but the name of a cluster or a template before. */
function dataNames(source: ModuleSource, scopeIn: ScopeIn, templateNamed: Project["templateNamed"]): Namespace {
  const lookup = (type: string, name: string): ConfigBlock | undefined =>
    source.duplicates.has(`data.${type}.${name}`) ? undefined : source.lookups.get(`${type}.${name}`);
  const cluster = cachedNames("cluster", (name) => {
    const placed = lookup(CLUSTER, name)?.attributes.get("name");
    const value = placed && valueAt(placed, scopeIn);
    const unclear = whenRun(`data.${CLUSTER}`, name);
    return value?.kind === "string" && unclear.kind === "unknown" ? { ...unclear, refersTo: value.value } : unclear;
  });
  const templates = new Map<string, Value | Namespace | undefined>();
  const template = (name: string): Value | Namespace | undefined => {
    if (templates.has(name)) return templates.get(name);
    const unclear = whenRun(`data.${TEMPLATE}`, name);
    templates.set(name, unclear);
    const declared = lookup(TEMPLATE, name);
    const found = declared && templateValue(declared, unclear, scopeIn, templateNamed);
    templates.set(name, found);
    return found;
  };
  return namespace("data", (type) => {
    const found = (name: string): Value | Namespace =>
      type === CLUSTER ? cluster(name) : (type === TEMPLATE && template(name)) || whenRun(`data.${type}`, name);
    return namespace(`data.${type}`, found);
  });
}

/** Returns a function for the names of resources, with the arguments that Terraform plans. */
function resourceNames(source: ModuleSource, scopeIn: ScopeIn): (type: string, name: string) => Value | Namespace {
  const argument = cachedNames("argument", (name) => {
    const [type = "", resource = "", wanted = ""] = name.split(".");
    const placed = declaredIn(source, type, resource)?.attributes.get(wanted);
    const kind = typeOfResource(type)?.planned?.get(wanted);
    const value = placed && kind ? convert(valueAt(placed, scopeIn), kind) : whenRun(type, resource);
    // The provider chooses the value of a null argument.
    if (!placed || value.kind === "null") return whenRun(type, resource);
    if (value.kind === "unknown") return unknownValue(value.reason, value.trace);
    return labelled(value, placed, `argument ${wanted} of ${type}.${resource}`);
  });
  return (type, name) => {
    const unclear = whenRun(type, name);
    const declared = declaredIn(source, type, name);
    if (!declared || !isPlannedAsWritten(declared)) return unclear;
    return { kind: "namespace", get: (wanted) => argument(`${type}.${name}.${wanted}`), whole: () => unclear };
  };
}

/** Returns the values of a looked-up template; `undefined` if nothing describes it. */
function templateValue(
  declared: ConfigBlock,
  unclear: Value,
  scopeIn: ScopeIn,
  named: (name: string) => FoundTemplate | undefined,
): Value | Namespace | undefined {
  const { attributes } = declared;
  const name = attributes.get("name");
  if (!name) return undefined;
  const getIn = (scopes: ScopeIn): ((attribute: string) => Value) => {
    const value = valueAt(name, scopes);
    const found = value.kind === "string" ? named(value.value) : undefined;
    const scan = attributes.get("scsi_controller_scan_count");
    return found ? attributeOf(found, name, scan ? wholeNumber(valueAt(scan, scopes), 1) : 1, unclear) : () => unclear;
  };
  const { by, items, reason } = repetitionOf(declared, scopeIn);
  if (reason !== undefined) return undefined;
  if (by === "nothing") {
    const get = getIn(scopeIn);
    return { kind: "namespace", get, whole: () => wholeTemplate(get) };
  }
  const values = items.map(({ key, names }) => [String(key), wholeTemplate(getIn(scopesWith(scopeIn, names)))] as const);
  return by === "count" ? tupleValue(values.map(([, value]) => value)) : objectValue(values);
}

const whenRun = (type: string, name: string): Value => unknownValue(`${type}.${name} is known when Terraform runs`, undefined, type);

const declaredIn = ({ resourceOf, duplicates }: ModuleSource, type: string, name: string): ConfigBlock | undefined =>
  duplicates.has(`resource.${type}.${name}`) ? undefined : resourceOf.get(`${type}.${name}`);

/** Whether Terraform plans the values as written: a single resource that keeps no earlier value. */
export const isPlannedAsWritten = ({ attributes, blocks }: ConfigBlock): boolean =>
  !attributes.has("count") &&
  !attributes.has("for_each") &&
  ["ignore_changes", "enabled"].every((argument) => inLifecycle(argument, blocks).length === 0);

function pathValue(name: string, path: string): Value {
  if (name === "module") return stringValue(path);
  return name === "root" ? stringValue(".") : unknownValue(`path.${name} is known when Terraform runs`);
}

interface Caller {
  readonly address: string;
  readonly calls: readonly ConfigBlock[];
  readonly hasUnknownCount: boolean;
  /** Relative to the root, as in `path.module`. */
  readonly path: string;
  /** The folders of the module and of all its callers; its own is last. */
  readonly folders: readonly string[];
}

function callOf(project: Project, name: string, declared: ConfigBlock | undefined, scopeIn: ScopeIn, caller: Caller): ModuleCallResult {
  if (!declared) return { reason: `there is no module ${name}` };
  const written = sourceOf(declared);
  const from = written ?? computedSource(declared, scopeIn);
  if ("unknown" in from) return { reason: `the source of module ${name} is not known: ${from.unknown}` };
  if ("remote" in from) return { reason: `module ${name} is not in this folder: its source is ${from.remote}` };
  const folder = joinPath(caller.folders.at(-1) ?? project.root, from.local);
  if (caller.folders.includes(folder)) return { reason: `module ${name} calls itself` };
  if (!written) getOrInsert(project.computed, declared, () => new Set()).add(folder);
  const source = project.load(folder);
  if (!source) return { reason: `module ${name} cannot be read: ${from.local} has no Terraform file` };
  if (project.budget.instances < 0) return TOO_MANY;
  const repetition = repetitionOf(declared, scopeIn);
  project.budget.instances -= repetition.items.length;
  if (project.budget.instances < 0) return TOO_MANY;
  const instances = repetition.items.map(({ suffix, names }) => {
    const argumentsIn = scopesWith(scopeIn, names);
    const inputs = (variable: string): Value | undefined => {
      const placed: ExpressionInFile | undefined = META.has(variable) ? undefined : declared.attributes.get(variable);
      return placed && labelled(valueAt(placed, argumentsIn), placed, `argument ${variable} of module ${name}`);
    };
    const address = `${caller.address && `${caller.address}.`}module.${name}${suffix}`;
    return instanceOf(project, source, inputs, {
      address,
      calls: [...caller.calls, declared],
      hasUnknownCount: caller.hasUnknownCount || repetition.reason !== undefined,
      path: joinPath(caller.path, from.local),
      folders: [...caller.folders, folder],
    });
  });
  return { repetition, instances };
}

/**
 * A source may contain variables and locals (Terraform 1.15, modules/configuration: "Variables in module source and versions"; OpenTofu
 * 1.8).
 */
function computedSource(call: ConfigBlock, scopeIn: ScopeIn): ReturnType<typeof sourceNamed> | { readonly unknown: string } {
  const placed = call.attributes.get("source");
  if (!placed) return { unknown: "there is none" };
  const value = valueAt(placed, scopeIn);
  if (value.kind === "string") return sourceNamed(value.value);
  return { unknown: value.kind === "unknown" ? value.reason : "it is no text" };
}

/** The reason without the name of the module, which stands before it already. */
function reasonAlone(reason: string, call: ConfigBlock): string {
  const name = `module ${call.labels[0] ?? ""} `;
  return reason.startsWith(name) ? reason.slice(name.length) : `is not checked: ${reason}`;
}

const TOO_MANY: ModuleCallResult = { reason: "there are too many modules to follow" };

/** Arguments of every module call that are not variables of the module. */
const META = new Set(["source", "version", "count", "for_each", "providers", "depends_on"]);

function moduleValue(called: ModuleCallResult): Value | Namespace {
  if ("reason" in called) return unknownValue(called.reason);
  const { repetition, instances } = called;
  if (repetition.reason !== undefined) return unknownValue(repetition.reason);
  const [first] = instances;
  if (repetition.by === "nothing") {
    return first ? { kind: "namespace", get: first.output, whole: () => outputs(first) } : nullValue();
  }
  if (repetition.by === "count") return tupleValue(instances.map(outputs));
  return objectValue(
    repetition.items.flatMap(({ key }, at) => {
      const instance = instances[at];
      return instance ? [[String(key), outputs(instance)] as const] : [];
    }),
  );
}

const outputs = ({ source, output }: Instance): Value =>
  objectValue([...source.outputs.keys()].map((name) => [name, output(name)] as const));
