import { type Files, folderOf, joinPath, rangeIn, type SourceFile, Sources } from "../../model/files.ts";
import { getOrInsert } from "../../model/maps.ts";
import { once } from "../../model/memoize.ts";
import type { Problem } from "../../model/problem.ts";
import type { Located, Range } from "../../model/source.ts";
import type { Directive, VariantOfVm, VmSpec } from "../../model/spec.ts";
import { runReason } from "../../model/unset-variable.ts";
import { rangeOf } from "../../syntax/hcl/ast.ts";
import type { Functions, FunctionTable } from "../../syntax/hcl/functions/define-function.ts";
import { FUNCTIONS } from "../../syntax/hcl/functions/function-table.ts";
import { parseHcl } from "../../syntax/hcl/parse.ts";
import { Meter } from "../../syntax/hcl/scope.ts";
import { unknownValue, type Value } from "../../syntax/hcl/value.ts";
import { STRING } from "../../syntax/hcl/value-type.ts";
import { type Format, filesIn } from "../format.ts";
import { alignedComments } from "../hcl/aligned-comments.ts";
import { type ConfigBlock, headOf } from "../hcl/config-block.ts";
import { directivesOf, type FileDirectives } from "../hcl/directives.ts";
import { type EditPlace, editDeclared, editReplacements } from "../hcl/edit.ts";
import { functionsOf } from "../hcl/file-function.ts";
import { type InputReader, inputReader, problemsIn, secretAmong, sharesValues, type ValueFile } from "../hcl/inputs.ts";
import { resourceInstance } from "../hcl/resource-instance.ts";
import { repetitionOf, scopesWith, whyEmpty } from "../hcl/scopes.ts";
import { acrossSymlinks, symlinksAmong } from "../hcl/symlinks.ts";
import { type BlockVm, usageOf } from "../hcl/usage.ts";
import type { Variant } from "../hcl/variants.ts";
import { ANY_VERSION, type Versions } from "../hcl/versions.ts";
import type { ParsedProject, ProjectInputs, WithoutVm } from "../project.ts";
import type { FoundTemplate } from "./data-template.ts";
import { evaluatedAt } from "./evaluate-at.ts";
import { type Instance, instanceOf, isPlannedAsWritten, MOST_INSTANCES, type Project } from "./instance.ts";
import { templateFinder } from "./made-templates.ts";
import type { ModuleFile } from "./module-files.ts";
import { callsIn, type ModuleSource, sourceOf } from "./module-source.ts";
import { connected, load, type Modules, namedFiles, noModules, rootsAmong, withCalled } from "./modules.ts";
import { lockedVersion, providerOf, requiredVersions } from "./provider.ts";
import { mayHoldTerraform } from "./recognise.ts";
import type { ResourceType, Siblings } from "./resource-type.ts";
import { TERRAGRUNT, type Unit, unitFinder } from "./terragrunt.ts";
import { typeOfResource } from "./types.ts";
import { VALUE_FILES } from "./value-files.ts";

/** Pins the versions of providers (Terraform, files/dependency-lock). */
const LOCK = ".terraform.lock.hcl";

/** Real configurations need fewer steps; beyond, values are unknown. */
const MOST_STEPS = 4_000_000;
/** All folders of a run have these together: a repository of many hostile folders would take minutes, and ordinary ones take 10,000 each. */
const MOST_STEPS_OF_ALL = 40_000_000;

/** More VMs and module instances of a root are not listed one by one. */
const MOST_VMS = 20_000;

/** The state that several folders share during reading. */
interface Reading {
  readonly meter: Meter;
  readonly modules: Modules;
  readonly directives: Map<SourceFile, FileDirectives>;
  readonly paths: Map<VmSpec, string>;
  readonly users: BlockVm[];
  readonly parts: Map<VmSpec, readonly ConfigBlock[]>;
  readonly roots: Instance[];
  readonly vms: VmSpec[];
  readonly problems: Problem[];
  /** By path and name: a module that several roots call is listed once. */
  readonly withoutVm: Map<string, WithoutVm>;
  readonly reported: Set<ModuleFile>;
  /** The files with values, by root folder. */
  readonly valueFilesByRoot: Map<string, readonly ValueFile[]>;
  /** The files with values for roots with VMs. */
  readonly valueFiles: Set<ValueFile>;
}

/** Options of a caller. */
interface TerraformOptions {
  readonly sources?: Sources;
  readonly values?: ReadonlyMap<string, Value>;
  readonly later?: Later;
}

/** The parts that need a large library, loaded only for configurations that use them. */
interface Later {
  readonly functions: FunctionTable;
  readonly types: Readonly<Record<string, ResourceType>>;
}

const NOT_LOADED = "yamldecode() is not loaded";
const LATER: Later = {
  functions: new Map([["yamldecode", { parameters: [{ type: STRING }], call: () => unknownValue(NOT_LOADED) }]]),
  types: {},
};
const LATER_WORDS = /\byamldecode\(|"(?:kubernetes_manifest|harvester_virtualmachine)"/;

/** Parses like the format, and adds files to existing `sources`; `values` of root variables override all others. */
export function parseTerraform(
  paths: readonly string[],
  files: Files,
  inputs: ProjectInputs,
  { sources = new Sources(), values = new Map(), later = LATER }: TerraformOptions = {},
): ParsedProject {
  const reading: Reading = {
    meter: new Meter(MOST_STEPS_OF_ALL),
    modules: noModules(files, sources),
    directives: new Map(),
    paths: new Map(),
    users: [],
    parts: new Map(),
    roots: [],
    vms: [],
    problems: [],
    withoutVm: new Map(),
    reported: new Set(),
    valueFilesByRoot: new Map(),
    valueFiles: new Set(),
  };
  const wanted = new Set(paths);
  const functions = new Map([...FUNCTIONS, ...later.functions]);
  const request = {
    wanted,
    values,
    unitsOf: unitFinder(inputs, files, { sources, functions, meter: new Meter(MOST_STEPS, reading.meter) }),
    inputs: inputReader(VALUE_FILES, inputs, files, sources),
    templateNamed: templateFinder(inputs, files, sources),
    // A plan lists the values of its variables.
    hasVariants: values.size === 0,
    functions,
    types: later.types,
  };
  for (const root of roots([...new Set(paths.map(folderOf))].toSorted(), request, reading)) readRoot(root, request, reading);
  const { vms, users, valueFiles } = reading;
  const links = once(() => symlinksAmong(sources, files));
  const parsed = {
    vms,
    problems: [...reading.problems, ...problemsIn(valueFiles)],
    sources,
    withoutVm: [...reading.withoutVm.values()],
    pathOf: (vm: VmSpec) => reading.paths.get(vm) ?? "",
    countUsers: acrossSymlinks(
      usageOf(users, () => namedFiles(reading.modules, reading.valueFilesByRoot)),
      links,
    ),
    partsOf: (vm: VmSpec) => (reading.parts.get(vm) ?? []).map((one) => ({ block: blockRange(one), name: headOf(one) })),
    valueAt: (offset: number) => evaluatedAt(offset, reading),
    isSecret: secretAmong(valueFiles),
    variables: () => new Set(reading.roots.flatMap(({ source }) => [...source.variables.keys()])),
    together: sharesValues(inputs) ? undefined : connected(reading.modules, links),
  };
  const isMore = later === LATER && sources.files.some(({ text }) => LATER_WORDS.test(text));
  if (!isMore) return parsed;
  return {
    ...parsed,
    loadMore: async () => {
      const { yamldecode } = await import("../../syntax/hcl/functions/yaml-functions.ts");
      const { MANIFEST_TYPES } = await import("./manifest.ts");
      const later = { functions: new Map([["yamldecode", yamldecode]]), types: MANIFEST_TYPES };
      return (reading) => parseTerraform(reading.paths, filesIn(reading), reading.inputs, { values, later });
    },
  };
}

/** Returns the root modules, after calls with computed sources are followed. */
function roots(folders: readonly string[], request: ReadRequest, reading: Reading): readonly string[] {
  const written = rootsAmong(folders, reading.modules);
  const computing = new Set(
    [...reading.modules.byFolder].flatMap(([folder, module]) => (module && callsIn(module).some(isComputed) ? folder : [])),
  );
  if (computing.size === 0) return written;
  // All roots share one pass: a folder behind a computed call looks like a root until then.
  const budget = { instances: MOST_INSTANCES };
  for (const root of written) {
    if ([...withCalled(root, reading.modules)].some((folder) => computing.has(folder))) followCalls(root, request, reading, budget);
  }
  return rootsAmong(folders, reading.modules);
}

const isComputed = (call: ConfigBlock): boolean => sourceOf(call) === undefined;

/** Follows all calls of a root, including calls with computed sources. */
function followCalls(root: string, request: ReadRequest, reading: Reading, budget: Project["budget"]): void {
  const found = [rootInstance(root, request, reading, budget)?.instance];
  for (let instance = found.pop(); instance; instance = found.pop()) found.push(...instance.children());
}

interface ReadRequest {
  readonly wanted: ReadonlySet<string>;
  readonly values: ReadonlyMap<string, Value>;
  readonly inputs: InputReader;
  readonly unitsOf: (folder: string) => readonly Unit[];
  readonly templateNamed: (folder: string, name: string) => FoundTemplate | undefined;
  readonly hasVariants: boolean;
  readonly functions: Functions;
  readonly types: Later["types"];
}

/** Returns a root with its input values, before evaluation. */
function rootInstance(
  root: string,
  { values, inputs: reader, unitsOf, templateNamed, functions }: ReadRequest,
  { modules, meter: all }: Reading,
  budget: Project["budget"],
  variant?: VariantOfRoot,
) {
  const source = load(root, modules);
  if (!source) return undefined;
  const { files, sources, computed } = modules;
  const meter = new Meter(MOST_STEPS, all);
  const project: Project = {
    root,
    files,
    sources,
    meter,
    functions: functionsOf(
      { root, files, meter, isInside: insideOf(root, modules), join: (path, text) => sources.add(path, text) },
      functions,
    ),
    budget,
    variant: variant?.name,
    templateNamed: (name) => templateNamed(root, name),
    foundIn: (name) => reader.foundIn(root, name),
    load: (folder) => load(folder, modules),
    computed,
  };
  const { inputs, valueFiles } = reader.inputsOf(root, true, variant);
  const unit = variant?.unit ?? unitsOf(root).find(({ folder }) => folder === root);
  const isOpen = !unit && files.list(root).includes(TERRAGRUNT);
  // Terragrunt passes inputs as environment variables, and keeps existing variables (features/inputs).
  const inputOf = (name: string) =>
    values.get(name) ?? inputs.get(name) ?? unit?.inputOf(name) ?? (isOpen ? unknownValue(runReason(name, TERRAGRUNT)) : undefined);
  const instance = instanceOf(project, { ...source, isWhole: source.isWhole && !unit }, inputOf, {
    address: "",
    calls: [],
    hasUnknownCount: false,
    path: ".",
    folders: [root],
  });
  return { instance, valueFiles: unit ? [...valueFiles, unit.valueFile] : valueFiles };
}

interface VariantOfRoot extends Variant {
  readonly unit?: Unit;
}

/** Returns the units of Terragrunt that call a root, or else its files with values that nothing loads. */
function variantsOf(root: string, { inputs, unitsOf, hasVariants }: ReadRequest, { variables }: ModuleSource, files: Files) {
  if (!hasVariants) return [];
  const called = unitsOf(root).filter(({ folder }) => folder !== root);
  if (called.length === 0) return inputs.variantsOf(root, new Set(variables.keys()));
  return called.map((unit): VariantOfRoot => {
    const automatic = VALUE_FILES.automatic(files.list(unit.folder));
    return { name: unit.name, paths: automatic.map((name) => joinPath(unit.folder, name)), unit };
  });
}

function readRoot(root: string, request: ReadRequest, reading: Reading): void {
  const { modules } = reading;
  const { files } = modules;
  const source = load(root, modules);
  if (!source) return;
  const variants = variantsOf(root, request, source, files);
  const lock = files.list(root).includes(LOCK) ? files.read(joinPath(root, LOCK)) : undefined;
  const called = once(() => [...withCalled(root, modules)].flatMap((folder) => load(folder, modules) ?? []));
  const versions = new Map<string, Versions>();
  const provider = (name: string): Versions =>
    getOrInsert(versions, name, () => (lock === undefined ? undefined : lockedVersion(lock, name)) ?? requiredVersions(called(), name));
  const remaining = { count: MOST_VMS };
  const budget = { instances: MOST_INSTANCES };
  const firstOf = new Map<string, VmSpec>();
  for (const variant of variants.length > 0 ? variants : [undefined]) {
    const made = rootInstance(root, request, reading, budget, variant);
    if (!made) return;
    const { instance, valueFiles } = made;
    reading.roots.push(instance);
    reading.valueFilesByRoot.set(root, [...new Set([...(reading.valueFilesByRoot.get(root) ?? []), ...valueFiles])]);
    const before = reading.vms.length;
    const of = variant && { variant: { name: variant.name, of: variants.length }, firstOf };
    readInstance(instance, { root, wanted: request.wanted, types: request.types, provider, reading, remaining, of });
    if (reading.vms.length > before) for (const one of valueFiles) reading.valueFiles.add(one);
  }
  if (remaining.count >= 0 && budget.instances >= 0) return;
  const start = source.files.find(({ file }) => request.wanted.has(file.path))?.file.start ?? 0;
  reading.problems.push({ ruleId: "spec/syntax", messageId: "cut", data: { most: MOST_VMS }, range: [start, start] });
}

/** Returns whether a path is in the folder of the root or of a loaded module, and not a link that leads outside. */
const insideOf =
  (root: string, { byFolder, files: { real } }: Modules) =>
  (path: string): boolean => {
    for (let folder = folderOf(path); ; folder = folderOf(folder)) {
      if ((folder === root || byFolder.get(folder)) && (!real || real(path).startsWith(`${real(folder).replace(/\/$/, "")}/`))) return true;
      if (folder === folderOf(folder) || folder.endsWith("..")) return false;
    }
  };

interface ModuleWalk {
  readonly root: string;
  readonly wanted: ReadonlySet<string>;
  readonly types: Later["types"];
  /** Returns the possible versions of a provider, by its source. */
  readonly provider: (source: string) => Versions;
  readonly reading: Reading;
  readonly remaining: { count: number };
  /** The variant of the root, and the first VM of each address among its variants. */
  readonly of?: { readonly variant: VariantOfVm; readonly firstOf: Map<string, VmSpec> } | undefined;
}

/** Returns the VMs of a module and of its module calls. */
function readInstance(instance: Instance, walk: ModuleWalk): void {
  if (walk.remaining.count-- <= 0) return;
  const { source, calls } = instance;
  const isRequested = (path: string): boolean => calls.length > 0 || walk.wanted.has(path);
  for (const file of source.files) if (isRequested(file.file.path)) report(file, source, walk.reading);
  for (const resource of source.resources) if (isRequested(resource.file.path)) readResource(resource, instance, walk);
  for (const call of callsIn(source)) {
    const path = (calls[0] ?? call).file.path;
    const reason = walk.wanted.has(path) && instance.whyNothing(call);
    if (reason)
      noteWithoutVm({ path, name: inVariant(addressOf(instance, `module.${call.labels[0] ?? ""}`), instance), reason }, walk.reading);
  }
  for (const child of instance.children()) {
    const [outermost] = child.calls;
    if (outermost && walk.wanted.has(outermost.file.path)) readInstance(child, walk);
  }
}

/** Reports the problems of a file that may define a VM, once. */
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

/** Returns problems that Terraform refuses in valid syntax: duplicate names and duplicate arguments. */
function refusedIn({ file, duplicates: inFile }: ModuleFile, { duplicates }: ModuleSource): readonly Problem[] {
  // Several files of a folder may be separate examples of a manual, which are never applied together.
  const names = [...duplicates.values()].flat().flatMap(({ configBlock, first }): readonly Problem[] => {
    if (configBlock.file !== file || first.file !== file) return [];
    const what = [configBlock.type, ...configBlock.labels.map((label) => `"${label}"`)].join(" ");
    const related = [{ message: "the first is here", range: headOf(first) }];
    return [{ ruleId: "spec/syntax", messageId: "again", data: { what }, range: headOf(configBlock), related }];
  });
  return [...names, ...inFile];
}

const directivesIn = (file: ModuleFile, known: Reading["directives"]): FileDirectives =>
  getOrInsert(known, file.file, () => directivesOf(file));

function readResource(declared: ConfigBlock, instance: Instance, walk: ModuleWalk): void {
  const { root, types, reading, remaining, of } = walk;
  const [name = ""] = declared.labels;
  const type = types[name] ?? typeOfResource(name);
  if (!type) return;
  const parts = [...instance.calls, declared];
  const own = parts.map(blockRange);
  const from = providerOf(declared, instance.source);
  const provider = type.providers.includes(from) ? walk.provider(from) : ANY_VERSION;
  const directive = directiveFor(declared, instance, reading);
  const address = addressOf(instance, declared.labels.join("."));
  const { by, items, reason } = repetitionOf(declared, instance.scopeIn);
  const siblings = siblingsIn(instance);
  const hasUnknownCount = instance.hasUnknownCount || reason !== undefined;
  if (items.length === 0 && !type.isVm) {
    const path = (instance.calls[0] ?? declared).file.path;
    noteWithoutVm({ path, name: inVariant(address, instance), reason: `creates 0 VMs, because ${whyEmpty(by)}` }, reading);
  }
  for (const { suffix, names } of items) {
    if (remaining.count-- <= 0) return;
    const written = resourceInstance(declared, headOf(declared), scopesWith(instance.scopeIn, names));
    if (type.isVm?.(written, siblings) === false) continue;
    const resource = `${root}:${address}${suffix}`;
    const instanced = {
      address: address + suffix,
      format: "terraform",
      resourceInstance: written,
      ownBlocks: own,
      directive,
      hasUnknownCount,
      resource,
    };
    const { vm: read, reader, replacements } = type.vm(instanced, provider, siblings);
    const { arguments: table, scsi, automatic } = type;
    const { sources } = reading.modules;
    const place: EditPlace = {
      declaration: declared,
      arguments: table,
      ...(scsi && { scsi }),
      automatic: automatic?.(provider),
      reader,
      sources,
    };
    const first = of?.firstOf.get(read.name);
    const variant = of && { variant: of.variant, ...(first && { choiceOf: first }) };
    const calledAt = instance.calls.length > 0 && callsOf(instance.calls);
    const edit: VmSpec["edit"] = (changes) =>
      replacements ? editReplacements(replacements(changes), place) : editDeclared(read, place, changes);
    const vm: VmSpec = { ...read, ...variant, ...(calledAt && { calledAt }), edit };
    if (!first) of?.firstOf.set(read.name, vm);
    reading.vms.push(vm);
    reading.parts.set(vm, parts);
    reading.paths.set(vm, (instance.calls[0] ?? declared).file.path);
    reading.users.push({ vm, reader, block: own.at(-1) ?? vm.range });
  }
}

/** Two roots may call one module, so a finding inside of it names the calls. */
const callsOf =
  (calls: readonly ConfigBlock[]): VmSpec["calledAt"] =>
  ([start]) =>
    calls.some((call) => blockRange(call)[0] <= start && start < blockRange(call)[1])
      ? []
      : calls.map((call) => ({ range: headOf(call), message: `called as module ${call.labels[0] ?? ""}` }));

const inVariant = (name: string, { variant }: Instance): string => (variant === undefined ? name : `${name} (${variant})`);

const addressOf = ({ address }: Instance, name: string): string => `${address && `${address}.`}${name}`;

const siblingsIn =
  ({ source, scopeIn }: Instance): Siblings =>
  (type) =>
    [...source.resourceOf].flatMap(([name, declared]) =>
      declared.labels[0] === type && !source.duplicates.has(`resource.${name}`) && isPlannedAsWritten(declared)
        ? { name, resource: resourceInstance(declared, headOf(declared), scopeIn), block: blockRange(declared) }
        : [],
    );

function noteWithoutVm(one: WithoutVm, { withoutVm }: Reading): void {
  withoutVm.set(`${one.path}\n${one.name}`, one);
}

const blockRange = ({ block, file }: ConfigBlock): Range => rangeIn(file, rangeOf(block));

/** Returns the directive of a VM. Comments at outer calls win, because they cover the fewest VMs. */
function directiveFor(resource: ConfigBlock, { calls }: Instance, { directives, modules }: Reading): Directive {
  const words = new Map<string, Located<string>>();
  for (const declared of [resource, ...calls.toReversed()]) {
    const file = modules.fileOf.get(declared.file);
    if (!file) continue;
    const { fileDirective, blockDirectives } = directivesIn(file, directives);
    for (const [word, value] of [...fileDirective, ...(blockDirectives.get(declared.block) ?? [])]) words.set(word, value);
  }
  return words;
}

export const terraform: Format<ParsedProject> = {
  name: "terraform",
  environment: VALUE_FILES.prefix,
  read: (reading) => parseTerraform(reading.paths, filesIn(reading), reading.inputs),
  comments: (text, path) => (/\.(?:json|ya?ml|csv)$/i.test(path) ? [] : parseHcl(text).comments),
  tidy: (path, before, after) => (path.endsWith(".json") ? [] : alignedComments(before, after)),
  refersTo: (path, text) => [...text.matchAll(LOCAL_SOURCE)].map(([, to = ""]) => someBelow(folderOf(path), to.replaceAll("\\", "/"))),
};

/** Returns the folder of a source; for a computed one, its literal prefix. */
function someBelow(from: string, source: string): string {
  const [written = "", ...computed] = source.replace(PATH_MODULE, ".").split(/[$%]\{/);
  if (computed.length === 0) return joinPath(from, written);
  const [, above = "", start = ""] = /^(.*\/)(.*)$/.exec(written) ?? [];
  return `${joinPath(from, above)}/${start}*`;
}

/** The source of a local module, in either syntax (Terraform, modules/sources: "Local Paths"). */
const LOCAL_SOURCE = /\bsource"?\s*[=:]\s*"((?:\.\.?|\$\{path\.module\})(?:[/\\][^"\n]*)?)"/g;

/** A computed source that begins with its own folder. */
const PATH_MODULE = /^\$\{path\.module\}/;
