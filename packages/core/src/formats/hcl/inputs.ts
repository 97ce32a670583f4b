import { type Files, joinPath, rangeIn, type SourceFile, type Sources } from "../../model/files.ts";
import { getOrInsert } from "../../model/maps.ts";
import type { Problem } from "../../model/problem.ts";
import type { SyntaxError as Mistake } from "../../syntax/hcl/ast.ts";
import { parseHclJson } from "../../syntax/hcl/hcl-json.ts";
import { parseHcl } from "../../syntax/hcl/parse.ts";
import type { ProjectInputs, VariableOption } from "../project.ts";
import type { ExpressionInFile } from "./config-block.ts";
import { type UnloadedValues, unloadedValues, type Variant } from "./variants.ts";

/** A value for a variable before conversion to its type. */
export type Input = { readonly expression: ExpressionInFile } | { readonly text: string; readonly from: string };

/** The places that a language reads values from by default. */
export interface ValueFiles {
  /** The prefix of environment variables. */
  readonly prefix: string;
  /** Returns the files that are read automatically, in order, among all names in the folder. */
  readonly automatic: (names: readonly string[]) => readonly string[];
  /** Whether a file holds values, by its name. */
  readonly isValues: (name: string) => boolean;
  /** Sorts the options of the command line by priority; missing if their order is the priority. */
  readonly inOrder?: (options: readonly VariableOption[]) => readonly VariableOption[];
}

/** A parsed file of values. */
export interface ValueFile {
  readonly file: SourceFile;
  readonly values: ReadonlyMap<string, ExpressionInFile>;
  readonly errors: readonly Mistake[];
}

/** The values for the variables of a folder, with the files that set them. */
interface FolderInputs {
  /** By variable name. */
  readonly inputs: ReadonlyMap<string, Input>;
  readonly valueFiles: readonly ValueFile[];
}

/** Finds the values for the variables of folders. */
export interface InputReader {
  /** `readsAutomatic`: whether the folder loads files on its own. `variant`: further files. */
  readonly inputsOf: (folder: string, readsAutomatic?: boolean, variant?: Variant) => FolderInputs;
  /** Returns the variants of a folder with these variables. Values that somebody names leave none. */
  readonly variantsOf: (folder: string, declared: ReadonlySet<string>) => readonly Variant[];
  /** Returns the files that set a variable of a folder and that nothing loads. */
  readonly foundIn: (folder: string, name: string) => readonly string[];
}

/**
 * Finds the values for the variables of folders. Later sources win: environment, files, variant, configuration, command line. Each file is
 * read once for all folders.
 */
export function inputReader(
  language: ValueFiles,
  { environment, options, valueFilesOf }: ProjectInputs,
  files: Files,
  sources: Sources,
): InputReader {
  const fromEnvironment = environmentInputs(environment, language.prefix);
  const ordered = language.inOrder?.(options) ?? options;
  const cache = new Map<string, ValueFile | undefined>();
  const unloaded = new Map<string, UnloadedValues>();
  // Charts of Helm have values in YAML.
  const valueFilesIn = (folder: string): readonly string[] => (valueFilesOf?.(folder) ?? []).filter((path) => !/\.ya?ml$/.test(path));
  const unloadedIn = (folder: string): UnloadedValues =>
    getOrInsert(unloaded, folder, () => unloadedValues(folder, language.automatic(files.list(folder)), language.isValues, files));
  const inputsOf: InputReader["inputsOf"] = (folder, readsAutomatic = true, variant) => {
    const inputs = new Map(fromEnvironment);
    const valueFiles: ValueFile[] = [];
    const read = (path: string): void => {
      if (!cache.has(path)) cache.set(path, readValues(path, files, sources));
      const file = cache.get(path);
      if (!file) return;
      valueFiles.push(file);
      for (const [name, expression] of file.values) inputs.set(name, { expression });
    };
    if (readsAutomatic) for (const name of language.automatic(files.list(folder))) read(joinPath(folder, name));
    for (const path of [...(variant?.paths ?? []), ...valueFilesIn(folder)]) read(path);
    for (const option of ordered) {
      if (option.kind === "file") read(option.path);
      else inputs.set(option.name, { text: option.text, from: "the command line" });
    }
    return { inputs, valueFiles };
  };
  const isNamed = (folder: string): boolean => options.some(({ kind }) => kind === "file") || valueFilesIn(folder).length > 0;
  return {
    inputsOf,
    variantsOf: (folder, declared) => (isNamed(folder) ? [] : unloadedIn(folder).variantsOf(declared)),
    foundIn: (folder, name) => unloadedIn(folder).foundIn(name),
  };
}

/** Returns the values from the environment. Scanning it is slow, so this happens once for all folders. */
function environmentInputs(environment: ProjectInputs["environment"], prefix: string): ReadonlyMap<string, Input> {
  const inputs = new Map<string, Input>();
  for (const name of Object.keys(environment)) {
    const text = name.startsWith(prefix) ? environment[name] : undefined;
    if (text !== undefined) inputs.set(name.slice(prefix.length), { text, from: `the environment variable ${name}` });
  }
  return inputs;
}

/** Whether all folders use the file, because it comes from the command line. */
export const sharesValues = ({ options }: ProjectInputs): boolean => options.some(({ kind }) => kind === "file");

/** Returns the syntax errors of files with values. Terraform and Packer refuse such files completely. */
export const problemsIn = (valueFiles: Iterable<ValueFile>): readonly Problem[] =>
  [...valueFiles].flatMap(({ file, errors }) =>
    errors.map(({ message, range }) => ({ ruleId: "spec/syntax", messageId: "syntax", data: { message }, range: rangeIn(file, range) })),
  );

/** Whether reports must not show lines of a file: an unreadable part of a file with values may be a password. */
export function secretAmong(valueFiles: Iterable<ValueFile>): (path: string) => boolean {
  const broken = new Set([...valueFiles].flatMap(({ file, errors }) => (errors.length > 0 ? file.path : [])));
  return (path) => broken.has(path);
}

/**
 * Only attributes are allowed (Terraform, values/variables, "Variable Definitions (.tfvars) Files"; Packer, variables, "Variable
 * Definitions Files").
 */
function readValues(path: string, files: Files, sources: Sources): ValueFile | undefined {
  const text = files.read(path);
  if (text === undefined) return undefined;
  const file = sources.add(path, text);
  const { body, errors } = path.endsWith(".json") ? parseHclJson(text, {}, "plain") : parseHcl(text);
  const blocks = body.blocks.map(({ start }) => ({
    message: "A .tfvars file cannot contain blocks.",
    range: [start, start] as const,
  }));
  const values = new Map(body.attributes.map(({ name, value }) => [name, { value, file }]));
  return { file, values, errors: [...errors, ...blocks] };
}
