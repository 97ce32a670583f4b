import { type Files, folderOf, rangeIn, type SourceFile, Sources } from "../../model/files.ts";
import { getOrInsert } from "../../model/maps.ts";
import { once } from "../../model/memoize.ts";
import type { Problem } from "../../model/problem.ts";
import { reachedFrom } from "../../model/reach.ts";
import type { VmSpec } from "../../model/spec.ts";
import { rangeOf } from "../../syntax/hcl/ast.ts";
import { parseHcl } from "../../syntax/hcl/parse.ts";
import { Meter, type Namespace, namespace, type Scope } from "../../syntax/hcl/scope.ts";
import { unknownValue, type Value } from "../../syntax/hcl/value.ts";
import { type Format, filesIn } from "../format.ts";
import { alignedComments } from "../hcl/aligned-comments.ts";
import { headOf } from "../hcl/config-block.ts";
import { directivesOf } from "../hcl/directives.ts";
import { duplicateArgumentsIn, duplicateNamesIn } from "../hcl/duplicate-arguments.ts";
import { type EditPlace, editDeclared } from "../hcl/edit.ts";
import { evaluatedIn, expressionAt, secretBy, sensitiveAmong } from "../hcl/expression-at.ts";
import { type Input, inputReader, problemsIn, secretAmong, sharesValues, type ValueFile } from "../hcl/inputs.ts";
import { resourceInstance } from "../hcl/resource-instance.ts";
import { cachedNames, labelled, type ScopeIn, valueAt } from "../hcl/scopes.ts";
import { acrossSymlinks, symlinksAmong } from "../hcl/symlinks.ts";
import { type BlockVm, usageOf } from "../hcl/usage.ts";
import { PACKER_TYPING, refusedName, variableValue } from "../hcl/variables.ts";
import { textOf } from "../hcl/vm-instance.ts";
import type { EvaluatedPlace, ParsedProject, ProjectInputs, WithoutVm, WrittenPart } from "../project.ts";
import { builtSources, sourceBlocks } from "./builds.ts";
import { PACKER_FUNCTIONS } from "./functions.ts";
import { SOURCE_TYPES } from "./source-types.ts";
import { readTemplates, type Template } from "./template.ts";
import { VALUE_FILES } from "./value-files.ts";

/** Real templates need fewer steps; beyond, values are unknown. */
const MOST_STEPS = 2_000_000;
/** The steps for all templates of a run together. */
const MOST_STEPS_OF_ALL = 40_000_000;

/** Returns the scope of a template's names. */
function scopeOf(
  template: Template,
  inputs: ReadonlyMap<string, Input>,
  all: Meter,
  foundIn: (name: string) => readonly string[],
): ScopeIn {
  const meter = new Meter(MOST_STEPS, all);
  const variable = cachedNames("variable", (name) => {
    const item = template.variables.get(name);
    if (template.isTwice(name)) return refusedName("variable", name, 2, true);
    if (template.repeated.has(`var.${name}`)) return refusedName("variable", name, 2, false);
    return item
      ? variableValue(name, item, inputs.get(name), meter, { typing: PACKER_TYPING, foundIn })
      : refusedName("variable", name, 0, template.isWhole);
  });
  const local = cachedNames("local", (name) => {
    const placed = template.locals.get(name);
    if (template.repeated.has(`local.${name}`)) return refusedName("local", name, 2, false);
    return placed ? labelled(valueAt(placed, scopeIn), placed, `local ${name}`) : refusedName("local", name, 0, template.isWhole);
  });
  const names = new Map<string, Namespace>([
    ["var", namespace("var", variable)],
    ["local", namespace("local", local)],
  ]);
  const name = (requested: string): Value | Namespace => names.get(requested) ?? later(requested);
  const scopes = new Map<SourceFile, Scope>();
  const scopeIn: ScopeIn = (file) => getOrInsert(scopes, file, () => ({ offset: file.start, name, functions: PACKER_FUNCTIONS, meter }));
  return scopeIn;
}

/** `data`, `build`, `path`, `packer`. */
const later = (family: string): Namespace => namespace(family, (name) => unknownValue(`${family}.${name} is known when Packer runs`));

interface ReadTemplate {
  readonly template: Template;
  /** The names of the template for each variant. */
  readonly scopes: readonly { readonly variant: string | undefined; readonly scopeIn: ScopeIn }[];
  readonly values: readonly ValueFile[];
}

const NOT_CHECKED = "is not checked, because a dynamic block adds settings to sources whose names are unknown here";

/** Blocks whose arguments are expressions over the names of a template. */
const EVALUATED = new Set(["source", "locals", "local", "build"]);

/** Returns the value of the expression at an offset of the joined files. */
function evaluatedAt(offset: number, sources: Sources, all: readonly ReadTemplate[]): EvaluatedPlace | undefined {
  const file = sources.at(offset);
  if (!file) return undefined;
  for (const { template, scopes } of all) {
    const ownFile = template.files.find((item) => item.file === file);
    const looked = ownFile && expressionAt(ownFile.body, offset - file.start, EVALUATED);
    if (!looked) continue;
    const secret = secretBy(sensitiveAmong(template.variables));
    const variantScopes = scopes.map(({ variant = "", scopeIn }) => ({ of: variant, scope: scopeIn(file) }));
    return evaluatedIn(looked, rangeIn(file, looked.range), variantScopes, secret);
  }
  return undefined;
}

/** Returns the problems of requested files: in syntax, in comments, and what Packer refuses. */
function* refusedIn(
  template: Template,
  directives: ReadonlyMap<SourceFile, { readonly problems: readonly Problem[] }>,
  requested: ReadonlySet<string>,
): Iterable<Problem> {
  for (const { file, errors, body } of template.files) {
    if (!requested.has(file.path)) continue;
    for (const { message, range } of errors)
      yield { ruleId: "spec/syntax", messageId: "syntax", data: { message }, range: rangeIn(file, range) };
    yield* directives.get(file)?.problems ?? [];
    // In JSON, a duplicate object is two blocks.
    if (!file.path.endsWith(".json")) yield* duplicateNamesIn(body, file, { variables: true });
  }
  for (const { type, block, file } of sourceBlocks(template)) {
    const isRead = Object.hasOwn(SOURCE_TYPES, type) && requested.has(file.path) && !file.path.endsWith(".json");
    if (isRead) yield* duplicateArgumentsIn(block.body, file);
  }
}

/** Parses like the format, and adds files to existing `sources`. */
export function parsePacker(paths: readonly string[], files: Files, projectInputs: ProjectInputs, sources = new Sources()): ParsedProject {
  const vms: VmSpec[] = [];
  const problems: Problem[] = [];
  const users: BlockVm[] = [];
  const owners = new Map<VmSpec, string>();
  const parts = new Map<VmSpec, WrittenPart>();
  const read: ReadTemplate[] = [];
  const withoutVm = new Map<string, WithoutVm>();
  const requested = new Set(paths);
  const inputs = inputReader(VALUE_FILES, projectInputs, files, sources);
  const all = new Meter(MOST_STEPS_OF_ALL);
  const allValues = new Set<ValueFile>();
  const folders = [...new Set(paths.map(folderOf))].toSorted();
  for (const template of folders.flatMap((folder) => readTemplates(folder, files, sources))) {
    const found = inputs.variantsOf(template.folder, new Set(template.variables.keys()));
    const variants = (found.length > 0 ? found : [undefined]).map((variant) => {
      const folderInputs = inputs.inputsOf(template.folder, template.readsAutomatic, variant);
      return {
        variant,
        ...folderInputs,
        scopeIn: scopeOf(template, folderInputs.inputs, all, (name) => inputs.foundIn(template.folder, name)),
      };
    });
    const values = [...new Set(variants.flatMap(({ valueFiles }) => valueFiles))];
    read.push({ template, scopes: variants.map(({ variant, scopeIn }) => ({ variant: variant?.name, scopeIn })), values });
    const firstOf = new Map<string, VmSpec>();
    const directives = new Map(template.files.map((file) => [file.file, directivesOf(file)]));
    for (const problem of refusedIn(template, directives, requested)) problems.push(problem);
    const builds = variants.map(({ variant, scopeIn }) => ({ variant, ...builtSources(template, scopeIn) }));
    for (const { labels, file } of builds.flatMap(({ unclear }) => unclear)) {
      const isVm = Object.hasOwn(SOURCE_TYPES, labels[0] ?? "") && requested.has(file.path);
      const name = labels.join(".");
      if (isVm) withoutVm.set(`${file.path}\n${name}`, { path: file.path, name, reason: NOT_CHECKED });
    }
    for (const { variant, source, scopeIn: names } of builds.flatMap(({ variant, built }) => built.map((item) => ({ ...item, variant })))) {
      const type = Object.hasOwn(SOURCE_TYPES, source.labels[0] ?? "") ? SOURCE_TYPES[source.labels[0] ?? ""] : undefined;
      if (!type || !requested.has(source.file.path)) continue;
      const ofFile = directives.get(source.file);
      const directive = new Map([...(ofFile?.fileDirective ?? []), ...(ofFile?.blockDirectives.get(source.block) ?? [])]);
      const block = rangeIn(source.file, rangeOf(source.block));
      const name = source.attributes.get("name");
      const suffix = name && textOf(valueAt(name, names), "");
      const address = [...source.labels, ...(suffix ? [suffix] : [])].join(".");
      const instance = resourceInstance(source, headOf(source), names);
      const { vm: read, reader } = type.vm(
        { address, format: "packer", resourceInstance: instance, ownBlocks: [block], directive },
        template.plugins,
      );
      const place: EditPlace = { declaration: source, arguments: type.arguments, ...(type.scsi && { scsi: type.scsi }), reader, sources };
      const first = firstOf.get(read.name);
      const ofVariant = variant && { variant: { name: variant.name, of: variants.length }, ...(first && { choiceOf: first }) };
      const vm: VmSpec = { ...read, ...ofVariant, edit: (changes) => editDeclared(read, place, changes) };
      vms.push(vm);
      if (!first) firstOf.set(read.name, vm);
      for (const item of values) allValues.add(item);
      owners.set(vm, source.file.path);
      parts.set(vm, { block, name: headOf(source) });
      users.push({ vm, reader, block });
    }
  }
  const links = once(() => symlinksAmong(sources, files));
  return {
    vms,
    problems: [...problems, ...problemsIn(allValues)],
    sources,
    withoutVm: [...withoutVm.values()],
    isSecret: secretAmong(allValues),
    variables: () => new Set(read.flatMap(({ template }) => [...template.variables.keys()])),
    pathOf: (vm) => owners.get(vm) ?? "",
    countUsers: acrossSymlinks(
      usageOf(users, () =>
        read.map(({ template: { files }, values }, at) => ({ id: String(at), files, values, calls: new Map(), isCalled: false })),
      ),
      links,
    ),
    partsOf: (vm) => [parts.get(vm) ?? []].flat(),
    valueAt: (offset) => evaluatedAt(offset, sources, read),
    together: sharesValues(projectInputs) ? undefined : (folder) => reachedFrom([folder], links().foldersBeside),
  };
}

export const packer: Format<ParsedProject> = {
  name: "packer",
  environment: VALUE_FILES.prefix,
  read: (reading) => parsePacker(reading.paths, filesIn(reading), reading.inputs),
  comments: (text, path) => (path.endsWith(".json") ? [] : parseHcl(text).comments),
  tidy: (path, before, after) => (path.endsWith(".json") ? [] : alignedComments(before, after)),
};
