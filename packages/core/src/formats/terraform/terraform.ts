import { type Files, folderOf, joinPath, rangeIn, type SourceFile, Sources, textIn } from "../../model/files.ts";
import { getOrInsert } from "../../model/maps.ts";
import { once } from "../../model/memoize.ts";
import type { Problem } from "../../model/problem.ts";
import type { Located, Range } from "../../model/source.ts";
import type { Directive, VmSpec } from "../../model/spec.ts";
import { rangeOf } from "../../syntax/hcl/ast.ts";
import type { Functions, FunctionTable } from "../../syntax/hcl/functions/define.ts";
import { FUNCTIONS } from "../../syntax/hcl/functions/table.ts";
import { parseHcl } from "../../syntax/hcl/parse.ts";
import { Meter } from "../../syntax/hcl/scope.ts";
import { STRING } from "../../syntax/hcl/type.ts";
import { unknownValue, type Value } from "../../syntax/hcl/value.ts";
import { alignedComments } from "../hcl/comments.ts";
import { type ConfigBlock, headOf } from "../hcl/config-block.ts";
import { directivesOf, type FileDirectives } from "../hcl/directives.ts";
import { type EditPlace, editDeclared } from "../hcl/edit.ts";
import { functionsOf } from "../hcl/file-function.ts";
import { inputReader, problemsIn, secretAmong, sharesValues, type ValueFile } from "../hcl/inputs.ts";
import { resourceInstance } from "../hcl/resource-instance.ts";
import { repetitionOf, scopesWith } from "../hcl/scopes.ts";
import { acrossSymlinks, symlinksAmong } from "../hcl/symlinks.ts";
import { type User, usageOf } from "../hcl/usage.ts";
import { mistyped } from "../mistyped.ts";
import type { Given, ParsedProject, ProjectFormat } from "../project.ts";
import { evaluatedAt } from "./evaluate-at.ts";
import { type Instance, instanceOf, MOST_INSTANCES, type Project } from "./instance.ts";
import type { ModuleFile } from "./module-files.ts";
import { callsIn, type ModuleSource, sourceOf } from "./module-source.ts";
import { connected, load, type Modules, namedFiles, noModules, rootsAmong, withCalled } from "./modules.ts";
import { ANY_VERSION, lockedVersion, providerOf, requiredVersions, type Versions } from "./provider.ts";
import { mayHoldTerraform } from "./recognise.ts";
import { typeOfResource } from "./types.ts";
import { VALUE_FILES } from "./value-files.ts";

/** Pins the versions of providers (Terraform, files/dependency-lock). */
const LOCK = ".terraform.lock.hcl";

/** Sets variables that nothing else does, in the place of their defaults (Terragrunt, reference/hcl/attributes: "inputs"). */
const TERRAGRUNT = "terragrunt.hcl";

/** Enough for any configuration that a person wrote; what is left then is unknown. */
const MOST_STEPS = 4_000_000;

/** More VMs and module instances of one root are not spelled out one by one. */
const MOST_VMS = 20_000;

/** All that reading several folders has in common. */
interface Reading {
  readonly modules: Modules;
  readonly directives: Map<SourceFile, FileDirectives>;
  readonly paths: Map<VmSpec, string>;
  readonly users: User[];
  readonly parts: Map<VmSpec, readonly ConfigBlock[]>;
  readonly roots: Instance[];
  readonly vms: VmSpec[];
  readonly problems: Problem[];
  /** Where values of the wrong type are written. */
  readonly mistyped: Set<number>;
  readonly reported: Set<ModuleFile>;
  /** By the folders of roots, the files that give values to them. */
  readonly given: Map<string, readonly ValueFile[]>;
  /** The files that give values to roots with VMs. */
  readonly valueFiles: Set<ValueFile>;
}

/** What a caller adds to a run. */
export interface Extras {
  readonly sources?: Sources;
  readonly values?: ReadonlyMap<string, Value>;
  readonly functions?: FunctionTable;
}

/** Functions that take a large library: few configurations call them, and only for those it is loaded. */
const LATER: FunctionTable = new Map([["yamldecode", { parameters: [{ type: STRING }], call: () => unknownValue(NOT_LOADED) }]]);
const NOT_LOADED = "yamldecode() is not loaded";

/** As the format does. The files are added to `sources`, where there are others already; `values` of root variables win over all others. */
export function parseTerraform(
  paths: readonly string[],
  files: Files,
  given: Given,
  { sources = new Sources(), values = new Map(), functions = LATER }: Extras = {},
): ParsedProject {
  const reading: Reading = {
    modules: noModules(files, sources),
    directives: new Map(),
    paths: new Map(),
    users: [],
    parts: new Map(),
    roots: [],
    vms: [],
    problems: [],
    mistyped: new Set(),
    reported: new Set(),
    given: new Map(),
    valueFiles: new Set(),
  };
  const wanted = new Set(paths);
  const asked = {
    wanted,
    values,
    inputsOf: inputReader(VALUE_FILES, given, files, sources),
    functions: new Map([...FUNCTIONS, ...functions]),
  };
  for (const root of roots([...new Set(paths.map(folderOf))].toSorted(), asked, reading)) readRoot(root, asked, reading);
  const { vms, users, valueFiles } = reading;
  const links = once(() => symlinksAmong(sources, files));
  const parsed = {
    vms,
    problems: [...reading.problems, ...problemsIn(valueFiles)],
    sources,
    pathOf: (vm: VmSpec) => reading.paths.get(vm) ?? "",
    users: acrossSymlinks(
      usageOf(users, () => namedFiles(reading.modules, reading.given)),
      links,
    ),
    partsOf: (vm: VmSpec) => (reading.parts.get(vm) ?? []).map((one) => ({ block: blockRange(one), name: headOf(one) })),
    valueAt: (offset: number) => evaluatedAt(offset, reading),
    isSecret: secretAmong(valueFiles),
    variables: () => new Set(reading.roots.flatMap(({ source }) => [...source.variables.keys()])),
    together: sharesValues(given) ? undefined : connected(reading.modules, links),
  };
  const isMore = functions === LATER && sources.files.some(({ text }) => text.includes("yamldecode("));
  if (!isMore) return parsed;
  return {
    ...parsed,
    more: async () => {
      const { yamldecode } = await import("../../syntax/hcl/functions/yaml.ts");
      const functions = new Map([["yamldecode", yamldecode]]);
      return (...asked) => parseTerraform(...asked, { values, functions });
    },
  };
}

/** The roots among some folders, known once calls are followed whose source is computed. */
function roots(folders: readonly string[], asked: ReadRequest, reading: Reading): readonly string[] {
  const written = rootsAmong(folders, reading.modules);
  const computing = new Set(
    [...reading.modules.byFolder].flatMap(([folder, module]) => (module && callsIn(module).some(isComputed) ? folder : [])),
  );
  if (computing.size === 0) return written;
  // For all roots together: folders that only computed calls lead to are not told from roots yet.
  const left = { instances: MOST_INSTANCES };
  for (const root of written) {
    if ([...withCalled(root, reading.modules)].some((folder) => computing.has(folder))) followCalls(root, asked, reading, left);
  }
  return rootsAmong(folders, reading.modules);
}

const isComputed = (call: ConfigBlock): boolean => sourceOf(call) === undefined;

/** Finds where all calls lead from a root, those whose source is computed too. */
function followCalls(root: string, asked: ReadRequest, reading: Reading, left: Project["left"]): void {
  const found = [rootInstance(root, asked, reading, left)?.instance];
  for (let instance = found.pop(); instance; instance = found.pop()) found.push(...instance.children());
}

interface ReadRequest {
  readonly wanted: ReadonlySet<string>;
  readonly values: ReadonlyMap<string, Value>;
  readonly inputsOf: ReturnType<typeof inputReader>;
  readonly functions: Functions;
}

/** A root with its variables as they are given, of which nothing is evaluated yet. */
function rootInstance(root: string, { values, inputsOf, functions }: ReadRequest, { modules }: Reading, left: Project["left"]) {
  const source = load(root, modules);
  if (!source) return undefined;
  const { files, sources, computed } = modules;
  const meter = new Meter(MOST_STEPS);
  const project: Project = {
    root,
    files,
    sources,
    meter,
    functions: functionsOf({ root, files, meter, isInside: insideOf(root, modules) }, functions),
    left,
    load: (folder) => load(folder, modules),
    computed,
  };
  const { inputs, valueFiles } = inputsOf(root);
  const otherwise = files.list(root).includes(TERRAGRUNT) ? unknownValue(`${TERRAGRUNT} may set it`) : undefined;
  const instance = instanceOf(project, source, (name) => values.get(name) ?? inputs.get(name) ?? otherwise, {
    address: "",
    calls: [],
    uncounted: false,
    path: ".",
    folders: [root],
  });
  return { instance, valueFiles };
}

function readRoot(root: string, asked: ReadRequest, reading: Reading): void {
  const budget = { instances: MOST_INSTANCES };
  const made = rootInstance(root, asked, reading, budget);
  if (!made) return;
  const { instance, valueFiles } = made;
  const { modules } = reading;
  const { files } = modules;
  reading.roots.push(instance);
  reading.given.set(root, valueFiles);
  const lock = files.list(root).includes(LOCK) ? files.read(joinPath(root, LOCK)) : undefined;
  const called = once(() => [...withCalled(root, modules)].flatMap((folder) => load(folder, modules) ?? []));
  const versions = new Map<string, Versions>();
  const provider = (name: string): Versions =>
    getOrInsert(versions, name, () => (lock === undefined ? undefined : lockedVersion(lock, name)) ?? requiredVersions(called(), name));
  const left = { count: MOST_VMS };
  const before = reading.vms.length;
  readInstance(instance, { root, wanted: asked.wanted, provider, reading, left });
  if (reading.vms.length > before) for (const one of valueFiles) reading.valueFiles.add(one);
  if (left.count >= 0 && budget.instances >= 0) return;
  const start = instance.source.files.find(({ file }) => asked.wanted.has(file.path))?.file.start ?? 0;
  reading.problems.push({ ruleId: "spec/syntax", messageId: "cut", data: { most: MOST_VMS }, range: [start, start] });
}

/** What lies in the folder of a root, or in that of a module which is read, and is no link that leads out of it. */
const insideOf =
  (root: string, { byFolder, files: { real } }: Modules) =>
  (path: string): boolean => {
    for (let folder = folderOf(path); ; folder = folderOf(folder)) {
      if ((folder === root || byFolder.get(folder)) && (!real || real(path).startsWith(`${real(folder).replace(/\/$/, "")}/`))) return true;
      if (folder === folderOf(folder) || folder.endsWith("..")) return false;
    }
  };

interface Walk {
  readonly root: string;
  readonly wanted: ReadonlySet<string>;
  /** The versions that a provider can have, by its source. */
  readonly provider: (source: string) => Versions;
  readonly reading: Reading;
  readonly left: { count: number };
}

/** The VMs of a module and of the modules it calls. */
function readInstance(instance: Instance, walk: Walk): void {
  if (walk.left.count-- <= 0) return;
  const { source, calls } = instance;
  const isAsked = (path: string): boolean => calls.length > 0 || walk.wanted.has(path);
  for (const file of source.files) if (isAsked(file.file.path)) report(file, source, walk.reading);
  for (const resource of source.resources) if (isAsked(resource.file.path)) readResource(resource, instance, walk);
  for (const child of instance.children()) {
    const [outermost] = child.calls;
    if (outermost && walk.wanted.has(outermost.file.path)) readInstance(child, walk);
  }
}

/** What is wrong with a file as such: of one that may write a VM, once. */
function report(file: ModuleFile, source: ModuleSource, { reported, problems, directives }: Reading): void {
  if (reported.has(file)) return;
  reported.add(file);
  if (source.resources.length === 0 && source.calls.size === 0 && !mayHoldTerraform(file.file.text)) return;
  for (const { message, range } of file.errors) {
    problems.push({ ruleId: "spec/syntax", messageId: "syntax", data: { message }, range: rangeIn(file.file, range) });
  }
  for (const problem of refusedIn(file, source)) problems.push(problem);
  if (file.file.text.includes("vmlint:")) for (const problem of directivesIn(file, directives).problems) problems.push(problem);
}

/** What Terraform refuses though each line of it can be read: a name that is taken, an argument that is set already. */
function refusedIn({ file, twice }: ModuleFile, { again }: ModuleSource): readonly Problem[] {
  // Examples for a manual lie in several files of one folder, and nobody runs them as one configuration.
  const names = [...again.values()].flat().flatMap(({ configBlock, first }): readonly Problem[] => {
    if (configBlock.file !== file || first.file !== file) return [];
    const what = [configBlock.type, ...configBlock.labels.map((label) => `"${label}"`)].join(" ");
    const related = [{ message: "the first is here", range: headOf(first) }];
    return [{ ruleId: "spec/syntax", messageId: "again", data: { what }, range: headOf(configBlock), related }];
  });
  return [...names, ...twice];
}

const directivesIn = (file: ModuleFile, known: Reading["directives"]): FileDirectives =>
  getOrInsert(known, file.file, () => directivesOf(file));

function readResource(declared: ConfigBlock, instance: Instance, walk: Walk): void {
  const { root, reading, left } = walk;
  const type = typeOfResource(declared.labels[0] ?? "");
  if (!type) return;
  const parts = [...instance.calls, declared];
  const own = parts.map(blockRange);
  const from = providerOf(declared, instance.source);
  const provider = type.providers.includes(from) ? walk.provider(from) : ANY_VERSION;
  const directive = directiveFor(declared, instance, reading);
  const address = `${instance.address && `${instance.address}.`}${declared.labels.join(".")}`;
  const { items, reason } = repetitionOf(declared, instance.scopeIn);
  const uncounted = instance.uncounted || reason !== undefined;
  for (const { suffix, names } of items) {
    if (left.count-- <= 0) return;
    const written = resourceInstance(declared, headOf(declared), scopesWith(instance.scopeIn, names));
    const resource = `${root}:${address}${suffix}`;
    const instanced = { address: address + suffix, format: "terraform", written, own, directive, uncounted, resource };
    const { vm: read, reader } = type.vm(instanced, provider);
    const { arguments: table, scsi, automatic } = type;
    const { sources } = reading.modules;
    const place: EditPlace = { declared, arguments: table, ...(scsi && { scsi }), automatic: automatic?.(provider), reader, sources };
    for (const problem of mistyped(
      read,
      (name) => table[name]?.[0] ?? name,
      (range) => textIn(sources, range),
    )) {
      // A value that several VMs take is one mistake.
      if (!reading.mistyped.has(problem.range[0])) reading.problems.push(problem);
      reading.mistyped.add(problem.range[0]);
    }
    const vm: VmSpec = { ...read, edit: (changes) => editDeclared(read, place, changes) };
    reading.vms.push(vm);
    reading.parts.set(vm, parts);
    reading.paths.set(vm, (instance.calls[0] ?? declared).file.path);
    reading.users.push({ vm, reader, block: own.at(-1) ?? vm.range });
  }
}

const blockRange = ({ block, file }: ConfigBlock): Range => rangeIn(file, rangeOf(block));

/** The words of the comments about a VM; the outermost call's win, as they speak of the fewest VMs. */
function directiveFor(resource: ConfigBlock, { calls }: Instance, { directives, modules }: Reading): Directive {
  const words = new Map<string, Located<string>>();
  for (const declared of [resource, ...calls.toReversed()]) {
    const file = modules.fileOf.get(declared.file);
    if (!file) continue;
    const { ofFile, ofBlock } = directivesIn(file, directives);
    for (const [word, value] of [...ofFile, ...(ofBlock.get(declared.block) ?? [])]) words.set(word, value);
  }
  return words;
}

export const terraform: ProjectFormat = {
  name: "terraform",
  environment: VALUE_FILES.prefix,
  parseProject: (paths, files, given) => parseTerraform(paths, files, given),
  comments: (path, text) => (path.endsWith(".json") ? [] : parseHcl(text).comments),
  tidy: (path, before, after) => (path.endsWith(".json") ? [] : alignedComments(before, after)),
  refersTo: (path, text) => [...text.matchAll(LOCAL_SOURCE)].map(([, to = ""]) => someBelow(folderOf(path), to.replaceAll("\\", "/"))),
};

/** The folder that a source names; of one that is computed, what its folders begin with. */
function someBelow(from: string, source: string): string {
  const [written = "", ...computed] = source.replace(PATH_MODULE, ".").split(/[$%]\{/);
  if (computed.length === 0) return joinPath(from, written);
  const [, above = "", start = ""] = /^(.*\/)(.*)$/.exec(written) ?? [];
  return `${joinPath(from, above)}/${start}*`;
}

/** The source of a module on the same disk, in either syntax (Terraform, modules/sources: "Local Paths"). */
const LOCAL_SOURCE = /\bsource"?\s*[=:]\s*"((?:\.\.?|\$\{path\.module\})(?:[/\\][^"\n]*)?)"/g;

/** As a source that is computed begins with the folder it is written in. */
const PATH_MODULE = /^\$\{path\.module\}/;
