import { type Files, joinPath, type SourceFile, type Sources } from "../../model/files.ts";
import { literalText } from "../../syntax/hcl/convert.ts";
import { type BlockTypes, parseHclJson } from "../../syntax/hcl/hcl-json.ts";
import { parseHcl } from "../../syntax/hcl/parse.ts";
import { type ConfigBlock, configBlock, type ExpressionInFile, type ReadFile } from "../hcl/config-block.ts";
import { ANY_VERSION, bothVersions, parseVersions, type Versions } from "../hcl/versions.ts";

const LEAF = { labels: 0, blocks: {} } as const;
const IN_SOURCE = { storage: LEAF, network_adapters: LEAF, dynamic: { labels: 1, blocks: { content: LEAF } } } as const;

import { isWholeFolder } from "../hcl/variables.ts";

/** The properties that are blocks in JSON. */
const BLOCKS: BlockTypes = {
  packer: { labels: 0, blocks: { required_plugins: LEAF } },
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

/** The blocks in a template's files, without evaluation. */
export interface Template {
  readonly folder: string;
  readonly files: readonly ReadFile[];
  /** Whether it reads files with values automatically, as `packer build FILE` does not (Packer's hcl2template, GetHCL2Files). */
  readonly readsAutomatic: boolean;
  /** Whether two of its files declare the same name, which Packer refuses. */
  readonly clashes: boolean;
  /** The names that a file declares twice, such as `local.cpus`. */
  readonly repeated: ReadonlySet<string>;
  /** Whether several files declare a variable that this template needs, and cannot all be templates of their own. */
  readonly isTwice: (variable: string) => boolean;
  /** Whether the folder has all of its files, and each was read. */
  readonly isWhole: boolean;
  /** The versions of a plugin that `required_plugins` allows, by the plugin's name. */
  readonly plugins: ReadonlyMap<string, Versions>;
  readonly variables: ReadonlyMap<string, ConfigBlock>;
  readonly locals: ReadonlyMap<string, ExpressionInFile>;
  readonly sources: readonly ConfigBlock[];
  readonly builds: readonly ConfigBlock[];
}

const isTemplateFile = (name: string): boolean => /\.pkr\.(hcl|json)$/.test(name);

/**
 * Returns the templates in a folder: all files together, as `packer build .` reads them, or each file alone, as `packer build FILE` does,
 * if they conflict (Packer's hcl2template, "Duplicate variable", "Duplicate source block", "Duplicate local definition").
 */
export function readTemplates(folder: string, files: Files, sources: Sources): readonly Template[] {
  const readFiles = files
    .list(folder)
    .filter(isTemplateFile)
    .toSorted()
    .flatMap((name) => readTemplateFile(joinPath(folder, name), files, sources) ?? []);
  const whole = templateOf(folder, readFiles, true);
  const isWhole = isWholeFolder(files.list(folder), isTemplateFile, readFiles);
  if (!whole.clashes) return [{ ...whole, isWhole }];
  const alone = readFiles.map((file) => templateOf(folder, [file], false));
  return alone.map((template) => ({
    ...template,
    isTwice: (name) => {
      const owners = isWhole ? alone.filter(({ variables }) => variables.has(name)) : [];
      return (
        owners.length > 1 && (!owners.includes(template) || owners.some(({ sources, builds }) => sources.length + builds.length === 0))
      );
    },
  }));
}

function templateOf(folder: string, readFiles: readonly ReadFile[], readsAutomatic: boolean): Template {
  const owners = new Map<string, SourceFile>();
  const repeated = new Set<string>();
  let clashes = false;
  const declares = (name: string, file: SourceFile): void => {
    clashes ||= (owners.get(name) ?? file) !== file;
    if (owners.get(name) === file) repeated.add(name);
    owners.set(name, file);
  };
  const plugins = new Map<string, Versions>();
  const variables = new Map<string, ConfigBlock>();
  const locals = new Map<string, ExpressionInFile>();
  const sources: ConfigBlock[] = [];
  const builds: ConfigBlock[] = [];
  for (const { body, file } of readFiles) {
    for (const block of body.blocks) {
      const entry = configBlock(block, file);
      const [name] = entry.labels;
      const variable = (key: string, as: ConfigBlock): void => {
        declares(`var.${key}`, file);
        variables.set(key, as);
      };
      const local = (key: string, as: ExpressionInFile): void => {
        declares(`local.${key}`, file);
        locals.set(key, as);
      };
      if (block.type === "source" && entry.labels.length === 2) {
        declares(entry.labels.join("."), file);
        sources.push(entry);
      } else if (block.type === "variable" && name !== undefined) variable(name, entry);
      else if (block.type === "locals") for (const [key, expression] of entry.attributes) local(key, expression);
      else if (block.type === "local" && name !== undefined) {
        const expression = entry.attributes.get("expression");
        if (expression) local(name, expression);
      } else if (block.type === "variables") {
        for (const [key, value] of entry.attributes) variable(key, { ...entry, attributes: new Map([["default", value]]), blocks: [] });
      } else if (block.type === "build") builds.push(entry);
      else if (block.type === "packer") {
        for (const [key, allowed] of requiredIn(entry)) plugins.set(key, bothVersions(plugins.get(key) ?? ANY_VERSION, allowed));
      }
    }
  }
  return {
    folder,
    files: readFiles,
    readsAutomatic,
    clashes,
    repeated,
    isTwice: () => false,
    isWhole: false,
    plugins,
    variables,
    locals,
    sources,
    builds,
  };
}

/** Reads `required_plugins`: a mapping with a source and a version for each name (Packer, blocks/packer). */
const requiredIn = ({ blocks }: ConfigBlock): readonly (readonly [name: string, Versions])[] =>
  blocks
    .filter(({ block }) => block.type === "required_plugins")
    .flatMap(({ block }) => block.body.attributes)
    .map(({ name, value }) => {
      const version = value.kind === "object" ? value.items.find(({ key }) => literalText(key) === "version")?.value : undefined;
      return [name, parseVersions((version && literalText(version)) ?? "")];
    });

function readTemplateFile(path: string, files: Files, sources: Sources): ReadFile | undefined {
  const text = files.read(path);
  if (text === undefined) return undefined;
  return { ...(path.endsWith(".json") ? parseHclJson(text, BLOCKS) : parseHcl(text)), file: sources.add(path, text) };
}
