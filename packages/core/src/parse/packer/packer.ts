import { type Files, folderOf, joinPath, rangeIn, type SourceFile, Sources } from "../../model/files.ts";
import { getOrInsert, grouped } from "../../model/maps.ts";
import { once } from "../../model/once.ts";
import type { Problem } from "../../model/parsed.ts";
import { reachedFrom } from "../../model/reach.ts";
import type { VmSpec } from "../../model/spec.ts";
import { rangeOf } from "../hcl/ast.ts";
import { type BlockTypes, parseHclJson } from "../hcl/json.ts";
import { parseHcl } from "../hcl/parse.ts";
import { alignedComments } from "../hcl/project/comments.ts";
import { type Declared, declared, headOf, type Placed, type PlacedBlock, type ReadFile } from "../hcl/project/declared.ts";
import { directivesOf } from "../hcl/project/directives.ts";
import { type EditPlace, editDeclared } from "../hcl/project/edit.ts";
import { acrossLinks, linksAmong } from "../hcl/project/links.ts";
import { evaluatedIn, lookAt, secretBy, sensitiveAmong } from "../hcl/project/look.ts";
import { kept, labelled, type ScopeIn, valueAt } from "../hcl/project/scopes.ts";
import { setTwice } from "../hcl/project/twice.ts";
import { type User, usersOf } from "../hcl/project/users.ts";
import {
  environmentInputs,
  type Input,
  PACKER_TYPING,
  problemsIn,
  rootInputs,
  secretAmong,
  sharesValues,
  type ValueFile,
  type ValueFiles,
  valueReader,
  variableValue,
} from "../hcl/project/variables.ts";
import { textOf } from "../hcl/project/vm.ts";
import { type MadeBlock, madeBlocks, writtenResource } from "../hcl/project/written.ts";
import { Meter, type Namespace, namespace, type Scope } from "../hcl/scope.ts";
import { isSequence, unknownValue, type Value } from "../hcl/value.ts";
import type { Evaluated, Given, ParsedProject, ProjectFormat, WrittenPart } from "../project.ts";
import { PACKER_FUNCTIONS } from "./functions.ts";
import { valuesLast } from "./given.ts";
import { SOURCE_TYPES } from "./sources.ts";

const LEAF = { labels: 0, blocks: {} } as const;
const IN_SOURCE = { storage: LEAF, network_adapters: LEAF, dynamic: { labels: 1, blocks: { content: LEAF } } } as const;

/** What is a block in JSON: those that are read. */
const BLOCKS: BlockTypes = {
  packer: LEAF,
  variable: { labels: 1, blocks: {} },
  variables: LEAF,
  local: { labels: 1, blocks: {} },
  locals: LEAF,
  source: { labels: 2, blocks: IN_SOURCE },
  data: { labels: 2, blocks: {} },
  build: {
    labels: 0,
    blocks: {
      source: { labels: 1, blocks: IN_SOURCE },
      dynamic: { labels: 1, blocks: { content: { labels: 0, blocks: IN_SOURCE } } },
    },
  },
};

/** After the environment all `*.auto.pkrvars.hcl` by name, then all of `.json`, then the command line (Packer's hcl2template, Parse). */
const VALUE_FILES: ValueFiles = {
  prefix: "PKR_VAR_",
  automatic: (names) =>
    [".auto.pkrvars.hcl", ".auto.pkrvars.json"].flatMap((ending) => names.filter((name) => name.endsWith(ending)).toSorted()),
  inOrder: valuesLast,
};

/** `packer build FILE` reads none unasked (Packer's hcl2template, GetHCL2Files). */
const NO_VALUE_FILES: ValueFiles = { ...VALUE_FILES, automatic: () => [] };

/** What the files of a template say, nothing evaluated. */
interface Template {
  readonly folder: string;
  readonly files: readonly ReadFile[];
  readonly valueFiles: ValueFiles;
  /** Whether two of its files declare the same name, which Packer refuses. */
  readonly clashes: boolean;
  readonly variables: ReadonlyMap<string, Declared>;
  readonly locals: ReadonlyMap<string, Placed>;
  readonly sources: readonly Declared[];
  readonly builds: readonly Declared[];
}

const isTemplateFile = (name: string): boolean => /\.pkr\.(hcl|json)$/.test(name);

/**
 * The templates in a folder: all of its files are one, as `packer build .` reads them, or each is its own, as `packer build FILE` does,
 * where together they would be refused (Packer's hcl2template, "Duplicate variable", "Duplicate source block", "Duplicate local definition").
 */
function readTemplates(folder: string, files: Files, sources: Sources): readonly Template[] {
  const read = files
    .list(folder)
    .filter(isTemplateFile)
    .toSorted()
    .flatMap((name) => readTemplateFile(joinPath(folder, name), files, sources) ?? []);
  const whole = templateOf(folder, read, VALUE_FILES);
  return whole.clashes ? read.map((file) => templateOf(folder, [file], NO_VALUE_FILES)) : [whole];
}

function templateOf(folder: string, read: readonly ReadFile[], valueFiles: ValueFiles): Template {
  const owners = new Map<string, SourceFile>();
  let clashes = false;
  const declares = (name: string, file: SourceFile): void => {
    clashes ||= (owners.get(name) ?? file) !== file;
    owners.set(name, file);
  };
  const variables = new Map<string, Declared>();
  const locals = new Map<string, Placed>();
  const found: Declared[] = [];
  const builds: Declared[] = [];
  for (const { body, file } of read) {
    for (const block of body.blocks) {
      const one = declared(block, file);
      const [name] = one.labels;
      const variable = (key: string, as: Declared): void => {
        declares(`var.${key}`, file);
        variables.set(key, as);
      };
      const local = (key: string, as: Placed): void => {
        declares(`local.${key}`, file);
        locals.set(key, as);
      };
      if (block.type === "source" && one.labels.length === 2) {
        declares(one.labels.join("."), file);
        found.push(one);
      } else if (block.type === "variable" && name !== undefined) variable(name, one);
      else if (block.type === "locals") for (const [key, placed] of one.attributes) local(key, placed);
      else if (block.type === "local" && name !== undefined) {
        const expression = one.attributes.get("expression");
        if (expression) local(name, expression);
      } else if (block.type === "variables") {
        for (const [key, value] of one.attributes) variable(key, { ...one, attributes: new Map([["default", value]]), blocks: [] });
      } else if (block.type === "build") builds.push(one);
    }
  }
  return { folder, files: read, valueFiles, clashes, variables, locals, sources: found, builds };
}

function readTemplateFile(path: string, files: Files, sources: Sources): ReadFile | undefined {
  const text = files.read(path);
  if (text === undefined) return undefined;
  return { ...(path.endsWith(".json") ? parseHclJson(text, BLOCKS) : parseHcl(text)), file: sources.add(path, text) };
}

/** Enough for any template that a person wrote; what is left then is unknown. */
const MOST_STEPS = 2_000_000;

/** What names mean in a template. */
function scopeOf(template: Template, inputs: ReadonlyMap<string, Input>): ScopeIn {
  const meter = new Meter(MOST_STEPS);
  const variable = kept("variable", (name) => {
    const one = template.variables.get(name);
    return one ? variableValue(name, one, inputs.get(name), meter, PACKER_TYPING) : unknownValue(`there is no variable ${name}`);
  });
  const local = kept("local", (name) => {
    const placed = template.locals.get(name);
    return placed ? labelled(valueAt(placed, scopeIn), placed, `local ${name}`) : unknownValue(`there is no local ${name}`);
  });
  const names = new Map<string, Namespace>([
    ["var", namespace("var", variable)],
    ["local", namespace("local", local)],
  ]);
  const name = (wanted: string): Value | Namespace => names.get(wanted) ?? later(wanted);
  const scopes = new Map<SourceFile, Scope>();
  const scopeIn: ScopeIn = (file) => getOrInsert(scopes, file, () => ({ offset: file.start, name, functions: PACKER_FUNCTIONS, meter }));
  return scopeIn;
}

/** `data`, `build`, `path`, `packer`. */
const later = (family: string): Namespace => namespace(family, (name) => unknownValue(`${family}.${name} is known when Packer runs`));

/** A source as a build takes it. */
interface Variant {
  readonly source: Declared;
  readonly scopeIn: ScopeIn;
}

/** Each source as it is written, and as each build that adds to it has it, which may be the only way that it is built. */
function variants(template: Template, scopeIn: ScopeIn): readonly Variant[] {
  const uses = grouped(
    template.builds.flatMap((build) => usesOf(build, scopeIn)),
    ({ of }) => of,
  );
  // An addition that is not known to be of another source may be of any.
  const mayBe = uses.has(undefined);
  return template.sources.flatMap((source) => {
    const own = uses.get(source.labels.join(".")) ?? [];
    const added = own.flatMap(({ addition }) => addition ?? []);
    const isBuiltAsWritten = own.length > added.length || (own.length === 0 && !mayBe);
    return [...(isBuiltAsWritten ? [{ source, scopeIn }] : []), ...added.map((addition) => variantOf(source, addition))];
  });
}

function variantOf(source: Declared, { block, file, scopeIn }: MadeBlock): Variant {
  const addition = declared(block, file);
  const attributes = new Map([...source.attributes, ...addition.attributes]);
  return { source: { ...source, attributes, blocks: [...source.blocks, ...addition.blocks] }, scopeIn };
}

/** A source that a build takes: as it is, or with an addition; `of` is missing where it is not known which it is. */
interface Use {
  readonly of: string | undefined;
  readonly addition?: MadeBlock;
}

function usesOf({ attributes, blocks }: Declared, scopeIn: ScopeIn): readonly Use[] {
  const listed = attributes.get("sources");
  const named = listed && valueAt(listed, scopeIn);
  const plain = named && isSequence(named) ? named.items.flatMap((item) => sourceNamed(item) ?? []) : [];
  const { made, missing } = madeBlocks("source", blocks, scopeIn);
  const added = made.map((one): Use => {
    const { attributes, blocks } = one.block.body;
    const isMore = blocks.length > 0 || attributes.some(({ name }) => name !== "name");
    return { of: sourceNamed(one.labels[0]), ...(isMore && { addition: one }) };
  });
  return [...plain.map((of) => ({ of })), ...added, ...(missing === undefined ? [] : [{ of: undefined }])];
}

/** The type and name of a source: the last two parts, or those behind `source.` (Packer's hcl2template, sourceRefFromString). */
const sourceNamed = (value: Value | undefined): string | undefined =>
  value?.kind === "string" ? partsOf(value.value).join(".") : undefined;

function partsOf(reference: string): readonly string[] {
  const parts = reference.split(".");
  return parts.slice(parts.length > 2 ? 1 : 0).slice(0, 2);
}

/** The blocks of sources, and those by which builds add to them, each with the source's type. */
const sourceBlocks = ({ sources, builds }: Template): readonly (PlacedBlock & { readonly type: string })[] => [
  ...sources.map(({ labels: [type = ""], block, file }) => ({ type, block, file })),
  ...builds.flatMap(({ blocks }) =>
    blocks.flatMap(({ block, file }) =>
      block.type === "source" ? block.labels.map(({ value }) => ({ type: partsOf(value)[0] ?? "", block, file })) : [],
    ),
  ),
];

interface ReadTemplate {
  readonly template: Template;
  readonly scopeIn: ScopeIn;
  readonly values: readonly ValueFile[];
}

/** Blocks whose arguments are expressions over the names of a template. */
const EVALUATED = new Set(["source", "locals", "local", "build"]);

/** What stands at an offset in the row of all files is worth. */
function evaluatedAt(offset: number, sources: Sources, all: readonly ReadTemplate[]): Evaluated | undefined {
  const file = sources.at(offset);
  if (!file) return undefined;
  for (const { template, scopeIn } of all) {
    const own = template.files.find((one) => one.file === file);
    const looked = own && lookAt(own.body, offset - file.start, EVALUATED);
    if (!looked) continue;
    const secret = secretBy(sensitiveAmong(template.variables));
    return evaluatedIn(looked, rangeIn(file, looked.range), [{ of: "", scope: scopeIn(file) }], secret);
  }
  return undefined;
}

const places = new WeakMap<VmSpec, EditPlace>();

function parseProject(paths: readonly string[], files: Files, given: Given): ParsedProject {
  const sources = new Sources();
  const vms: VmSpec[] = [];
  const problems: Problem[] = [];
  const users: User[] = [];
  const owners = new Map<VmSpec, string>();
  const parts = new Map<VmSpec, WrittenPart>();
  const read: ReadTemplate[] = [];
  const wanted = new Set(paths);
  const environment = environmentInputs(given, VALUE_FILES);
  const readValues = valueReader(files, sources);
  const allValues = new Set<ValueFile>();
  const folders = [...new Set(paths.map(folderOf))].toSorted();
  for (const template of folders.flatMap((folder) => readTemplates(folder, files, sources))) {
    const { inputs, valueFiles } = rootInputs(template.folder, files, readValues, given, template.valueFiles, environment);
    const scopeIn = scopeOf(template, inputs);
    read.push({ template, scopeIn, values: valueFiles });
    const directives = new Map(template.files.map((file) => [file.file, directivesOf(file)]));
    for (const { file, errors } of template.files) {
      if (!wanted.has(file.path)) continue;
      for (const { message, range } of errors) {
        problems.push({ ruleId: "spec/syntax", messageId: "syntax", data: { message }, range: rangeIn(file, range) });
      }
      for (const problem of directives.get(file)?.problems ?? []) problems.push(problem);
    }
    for (const { type, block, file } of sourceBlocks(template)) {
      // In JSON, an object that is written twice is two blocks.
      const isRead = Object.hasOwn(SOURCE_TYPES, type) && wanted.has(file.path) && !file.path.endsWith(".json");
      if (isRead) for (const problem of setTwice(block.body, file)) problems.push(problem);
    }
    for (const { source, scopeIn: names } of variants(template, scopeIn)) {
      const type = Object.hasOwn(SOURCE_TYPES, source.labels[0] ?? "") ? SOURCE_TYPES[source.labels[0] ?? ""] : undefined;
      if (!type || !wanted.has(source.file.path)) continue;
      const own = directives.get(source.file);
      const directive = new Map([...(own?.ofFile ?? []), ...(own?.ofBlock.get(source.block) ?? [])]);
      const block = rangeIn(source.file, rangeOf(source.block));
      const name = source.attributes.get("name");
      const suffix = name && textOf(valueAt(name, names), "");
      const address = [...source.labels, ...(suffix ? [suffix] : [])].join(".");
      const written = writtenResource(source, headOf(source), names);
      const { vm, reader } = type.vm({ address, format: "packer", written, own: [block], directive });
      vms.push(vm);
      for (const one of valueFiles) allValues.add(one);
      owners.set(vm, source.file.path);
      parts.set(vm, { block, name: headOf(source) });
      users.push({ vm, reader, block });
      places.set(vm, { declared: source, arguments: type.arguments, ...(type.scsi && { scsi: type.scsi }), reader, sources });
    }
  }
  const links = once(() => linksAmong(sources, files));
  return {
    vms,
    problems: [...problems, ...problemsIn(allValues)],
    sources,
    isSecret: secretAmong(allValues),
    variables: () => new Set(read.flatMap(({ template }) => [...template.variables.keys()])),
    pathOf: (vm) => owners.get(vm) ?? "",
    users: acrossLinks(
      usersOf(users, () =>
        read.map(({ template: { files }, values }, at) => ({ id: String(at), files, values, calls: new Map(), isCalled: false })),
      ),
      links,
    ),
    partsOf: (vm) => [parts.get(vm) ?? []].flat(),
    valueAt: (offset) => evaluatedAt(offset, sources, read),
    together: sharesValues(given) ? undefined : (folder) => reachedFrom([folder], links().foldersBeside),
  };
}

export const packer: ProjectFormat = {
  name: "packer",
  environment: VALUE_FILES.prefix,
  parseProject,
  comments: (path, text) => (path.endsWith(".json") ? [] : parseHcl(text).comments),
  edit(vm, changes) {
    const place = places.get(vm);
    return place && editDeclared(vm, place, changes);
  },
  tidy: (path, before, after) => (path.endsWith(".json") ? [] : alignedComments(before, after)),
};
