import { type Files, joinPath, rangeIn, type SourceFile, type Sources } from "../../model/files.ts";
import type { Problem } from "../../model/problem.ts";
import type { SyntaxError as Mistake } from "../../syntax/hcl/ast.ts";
import { parseHclJson } from "../../syntax/hcl/json.ts";
import { parseHcl } from "../../syntax/hcl/parse.ts";
import type { Given, GivenOption } from "../project.ts";
import type { ExpressionInFile } from "./config-block.ts";

/** A value for a variable, not yet of its type. */
export type Input = { readonly placed: ExpressionInFile } | { readonly text: string; readonly from: string };

/** Where a language looks for values by itself. */
export interface ValueFiles {
  /** Of environment variables. */
  readonly prefix: string;
  /** The files that are read unasked, of all names in the folder, in their order. */
  readonly automatic: (names: readonly string[]) => readonly string[];
  /** What the command line gives, in the order in which it counts; missing where that is its own. */
  readonly inOrder?: (options: readonly GivenOption[]) => readonly GivenOption[];
}

/** A file of values as it was read. */
export interface ValueFile {
  readonly file: SourceFile;
  readonly values: ReadonlyMap<string, ExpressionInFile>;
  readonly errors: readonly Mistake[];
}

/** What the variables of a folder are given, and the files that give it. */
export interface GivenInputs {
  /** By the names of variables. */
  readonly inputs: ReadonlyMap<string, Input>;
  readonly valueFiles: readonly ValueFile[];
}

/**
 * Finds what the variables of a folder are given, later ones in place of earlier ones: environment, files, command line. Each file is read
 * once for all folders.
 */
export function inputReader(language: ValueFiles, { environment, options }: Given, files: Files, sources: Sources) {
  const fromEnvironment = environmentInputs(environment, language.prefix);
  const ordered = language.inOrder?.(options) ?? options;
  const known = new Map<string, ValueFile | undefined>();
  return (folder: string, readsUnasked = true): GivenInputs => {
    const inputs = new Map(fromEnvironment);
    const valueFiles: ValueFile[] = [];
    const read = (path: string): void => {
      if (!known.has(path)) known.set(path, readValues(path, files, sources));
      const found = known.get(path);
      if (!found) return;
      valueFiles.push(found);
      for (const [name, placed] of found.values) inputs.set(name, { placed });
    };
    if (readsUnasked) for (const name of language.automatic(files.list(folder))) read(joinPath(folder, name));
    for (const option of ordered) {
      if (option.kind === "file") read(option.path);
      else inputs.set(option.name, { text: option.text, from: "the command line" });
    }
    return { inputs, valueFiles };
  };
}

/** The values that variables are given by the environment, which is slow to look through: once for all folders. */
function environmentInputs(environment: Given["environment"], prefix: string): ReadonlyMap<string, Input> {
  const inputs = new Map<string, Input>();
  for (const name of Object.keys(environment)) {
    const text = name.startsWith(prefix) ? environment[name] : undefined;
    if (text !== undefined) inputs.set(name.slice(prefix.length), { text, from: `the environment variable ${name}` });
  }
  return inputs;
}

/** Whether all folders take values from one file: it is on the command line. */
export const sharesValues = ({ options }: Given): boolean => options.some(({ kind }) => kind === "file");

/** What is wrong with the syntax of files of values, which Terraform and Packer refuse whole. */
export const problemsIn = (valueFiles: Iterable<ValueFile>): readonly Problem[] =>
  [...valueFiles].flatMap(({ file, errors }) =>
    errors.map(({ message, range }) => ({ ruleId: "spec/syntax", messageId: "syntax", data: { message }, range: rangeIn(file, range) })),
  );

/** Whether no line of a file is to be shown: what cannot be read in a file of values may be a password. */
export function secretAmong(valueFiles: Iterable<ValueFile>): (path: string) => boolean {
  const broken = new Set([...valueFiles].flatMap(({ file, errors }) => (errors.length > 0 ? file.path : [])));
  return (path) => broken.has(path);
}

/** Attributes alone (Terraform, values/variables, "Variable Definitions (.tfvars) Files"; Packer, variables, "Variable Definitions Files"). */
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
