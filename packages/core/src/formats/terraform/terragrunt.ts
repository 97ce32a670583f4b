import { type Files, folderOf, joinPath, nameOf, pathFrom, type Sources } from "../../model/files.ts";
import { getOrInsert } from "../../model/maps.ts";
import { runReason } from "../../model/unset-variable.ts";
import type { Body, Expression } from "../../syntax/hcl/ast.ts";
import { evaluate } from "../../syntax/hcl/evaluate.ts";
import { type Definition, type Functions, holds } from "../../syntax/hcl/functions/define-function.ts";
import { parseHcl } from "../../syntax/hcl/parse.ts";
import { type Meter, type Namespace, namespace, type Scope } from "../../syntax/hcl/scope.ts";
import { isKnown, isMapping, objectValue, stringValue, unknownValue, type Value } from "../../syntax/hcl/value.ts";
import { ANY, STRING } from "../../syntax/hcl/value-type.ts";
import type { ReadFile } from "../hcl/config-block.ts";
import { functionsOf } from "../hcl/file-function.ts";
import { filesBelow } from "../hcl/files-below.ts";
import type { Input, ValueFile } from "../hcl/inputs.ts";
import { cachedNames } from "../hcl/scopes.ts";
import { untraced } from "../hcl/variables.ts";
import type { ProjectInputs } from "../project.ts";
import { sourceNamed } from "./module-source.ts";

/** Passes values to a module (Terragrunt, features/inputs). */
export const TERRAGRUNT = "terragrunt.hcl";

/** The values that a terragrunt.hcl passes to a module. */
export interface Unit {
  readonly folder: string;
  /** Its folder in the repository. */
  readonly name: string;
  /** The folder of the module. */
  readonly module: string;
  readonly inputOf: (name: string) => Value | Input | undefined;
  /** The literals of its own file. */
  readonly valueFile: ValueFile;
}

interface Reader {
  readonly files: Files;
  readonly sources: Sources;
  readonly meter: Meter;
  readonly functions: Functions;
  /** The folder of the repository. */
  readonly top: string;
}

/** A file of Terragrunt, for the unit that includes it. */
interface Config {
  readonly source: Value | undefined;
  readonly inputs: Value | undefined;
  /** Whether variables may have values that only a run finds. */
  readonly isOpen: boolean;
  readonly folder: string;
  readonly exposed: () => Value;
}

/** Reads the terragrunt.hcl of a folder; `undefined` if its module is remote or unknown. */
function readUnit(folder: string, reader: Reader): Unit | undefined {
  const path = joinPath(folder, TERRAGRUNT);
  const parsed = parsedAt(path, reader);
  if (!parsed) return undefined;
  const { source, inputs, isOpen } = configOf(parsed, folder, reader);
  const named = source?.kind === "string" ? sourceNamed(source.value) : source ? undefined : { local: "." };
  if (!named) return undefined;
  const local = "local" in named ? named.local : isWithin(named.remote, reader.top) && named.remote;
  if (local === false) return undefined;
  const entries = inputs && isMapping(inputs) ? inputs.entries : new Map<string, Value>();
  const unclear = (variable: string): Value => unknownValue(runReason(variable, pathFrom(reader.top, path)));
  const valueFile = { file: parsed.file, values: literalsIn(parsed), errors: [] };
  return {
    folder,
    name: pathFrom(reader.top, folder),
    module: joinPath(folder, local),
    valueFile,
    inputOf: (variable) => {
      const literal = valueFile.values.get(variable);
      const value = entries.get(variable);
      if (isOpen || (value && !isKnown(value))) return unclear(variable);
      return literal ? { expression: literal } : value && untraced(value);
    },
  };
}

const isWithin = (path: string, top: string): boolean => path.startsWith("/") && joinPath(path, ".").startsWith(top);

function parsedAt(path: string, { files, sources }: Reader): ReadFile | undefined {
  const text = files.read(path);
  return text === undefined ? undefined : { ...parseHcl(text), file: sources.add(path, text) };
}

const MOST_DEPTH = 8;

const attributeOf = ({ attributes }: Body, name: string): Expression | undefined => attributes.find((one) => one.name === name)?.value;

const blocksOf = ({ blocks }: Body, type: string) => blocks.filter((block) => block.type === type);

/** The literals of `inputs`, by name. */
function literalsIn({ body, file }: ReadFile): ValueFile["values"] {
  const inputs = attributeOf(body, "inputs");
  const items = inputs?.kind === "object" ? inputs.items : [];
  return new Map(
    items.flatMap(({ key, value }) => {
      const [text] = key.kind === "template" && key.parts.length === 1 ? key.parts : [];
      return text?.kind === "text" && value.kind === "literal" ? [[text.value, { value, file }] as const] : [];
    }),
  );
}

/** Evaluates a file for the unit in a folder. */
function configOf({ body, file, errors }: ReadFile, unit: string, reader: Reader, depth = 0): Config {
  const own = folderOf(file.path);
  const wanted = (expression: Expression | undefined): Value | undefined => expression && evaluate(expression, scope);
  const local = cachedNames("local", (name) => {
    const written = blocksOf(body, "locals").flatMap((block) => attributeOf(block.body, name) ?? [])[0];
    return wanted(written) ?? unknownValue(`there is no local ${name}`);
  });
  const included = new Map<string, Config | undefined>();
  const include = (label: string): Config | undefined => {
    const block = blocksOf(body, "include").find(({ labels }) => (labels[0]?.value ?? "") === label);
    return getOrInsert(included, label, () => {
      const path = wanted(block && attributeOf(block.body, "path"));
      const parsed = path?.kind === "string" && depth < MOST_DEPTH && parsedAt(joinPath(unit, path.value), reader);
      return parsed ? configOf(parsed, unit, reader, depth + 1) : undefined;
    });
  };
  const exposed = (label: string): Value => include(label)?.exposed() ?? unknownValue(`include ${label} cannot be read`);
  const labels = blocksOf(body, "include").map((block) => block.labels[0]?.value ?? "");
  const name = (family: string): Value | Namespace => {
    if (family === "local") return namespace("local", local);
    if (family !== "include") return unknownValue(`${family} is known when Terragrunt runs`);
    return labels.length === 1 && labels[0] === "" ? exposed("") : namespace("include", exposed);
  };
  const above = (): string => (own === unit ? include(labels[0] ?? "")?.folder : undefined) ?? own;
  const functions = functionsIn({ above, unit, depth, reader });
  const scope: Scope = { offset: file.start, name, functions, meter: reader.meter };
  const terraform = blocksOf(body, "terraform");
  const isPassedMore = terraform.some((block) => blocksOf(block.body, "extra_arguments").length > 0);
  let source = wanted(terraform.flatMap((block) => attributeOf(block.body, "source") ?? [])[0]);
  let inputs = wanted(attributeOf(body, "inputs"));
  let isOpen = isPassedMore || errors.length > 0;
  const written = inputs;
  const names = blocksOf(body, "locals").flatMap((block) => block.body.attributes.map((one) => one.name));
  const exposedHere = (): Value =>
    objectValue([
      ["locals", objectValue(names.map((one) => [one, local(one)]))],
      ["inputs", written ?? objectValue([])],
    ]);
  for (const block of blocksOf(body, "include")) {
    const strategy = wanted(attributeOf(block.body, "merge_strategy"));
    if (strategy?.kind === "string" && strategy.value === "no_merge") continue;
    const parent = include(block.labels[0]?.value ?? "");
    const isShallow = !strategy || (strategy.kind === "string" && strategy.value === "shallow");
    isOpen ||= !parent || !isShallow || parent.isOpen;
    source ??= parent?.source;
    inputs = merged(parent?.inputs, inputs);
  }
  return { source, inputs, isOpen: isOpen || (inputs !== undefined && !isMapping(inputs)), folder: own, exposed: exposedHere };
}

/** The values of the second win. */
function merged(first: Value | undefined, second: Value | undefined): Value | undefined {
  if (!first || !second) return second ?? first;
  if (!isMapping(first) || !isMapping(second)) return unknownValue("it is merged with values that are not known");
  return objectValue(new Map([...first.entries, ...second.entries]));
}

interface Place {
  /** Returns the folder of the file that includes or is included. */
  readonly above: () => string;
  readonly unit: string;
  readonly depth: number;
  readonly reader: Reader;
}

/** Adds the functions that need no run (Terragrunt, reference/hcl/functions). Paths are relative to the working directory. */
function functionsIn({ above, unit, depth, reader }: Place): Functions {
  const { files, top, meter } = reader;
  const rooted = (path: string): Value => stringValue(isRooted(path) ? path : pathFrom(unit, path) || ".");
  const text = { type: STRING };
  const fixed = (find: () => Value): Definition => ({ parameters: [], rest: text, call: find });
  const added: ReadonlyMap<string, Definition> = new Map([
    ["get_terragrunt_dir", fixed(() => rooted(unit))],
    ["get_original_terragrunt_dir", fixed(() => rooted(unit))],
    ["get_parent_terragrunt_dir", fixed(() => rooted(above()))],
    ["get_repo_root", fixed(() => rooted(top))],
    ["path_relative_to_include", fixed(() => stringValue(pathFrom(above(), unit) || "."))],
    [
      "find_in_parent_folders",
      {
        parameters: [text, { type: ANY }],
        least: 0,
        call: ([wanted, fallback]) => {
          const file = wanted ? holds.text(wanted) : TERRAGRUNT;
          for (let folder = unit; folder !== top && folder !== folderOf(folder); ) {
            folder = folderOf(folder);
            if (files.list(folder).includes(nameOf(file))) return rooted(joinPath(folder, file));
          }
          return fallback ?? unknownValue(`no parent folder has ${file}`);
        },
      },
    ],
    [
      "read_terragrunt_config",
      {
        parameters: [text, { type: ANY }],
        least: 1,
        call: ([path]) => {
          const at = joinPath(unit, holds.text(path));
          const parsed = depth < MOST_DEPTH ? parsedAt(at, reader) : undefined;
          return parsed ? configOf(parsed, folderOf(at), reader, depth + 1).exposed() : unknownValue(`${nameOf(at)} cannot be read`);
        },
      },
    ],
  ]);
  const isInside = (path: string): boolean => (top === "." ? !path.startsWith("..") && !isRooted(path) : path.startsWith(`${top}/`));
  return functionsOf({ root: unit, files, meter, isInside }, { get: (name) => added.get(name) ?? reader.functions.get(name) });
}

const isRooted = (path: string): boolean => /^(?:\/|[A-Za-z]:\/)/.test(path);

/** Returns a function that finds the units of a module in its repository. */
export function unitFinder({ topOf }: ProjectInputs, files: Files, reading: Pick<Reader, "sources" | "meter" | "functions">) {
  const byTop = new Map<string, readonly Unit[]>();
  return (module: string): readonly Unit[] => {
    const top = topOf?.(module) ?? module;
    const units = getOrInsert(byTop, top, () =>
      filesBelow(top, files, (name) => name === TERRAGRUNT).flatMap((path) => readUnit(folderOf(path), { ...reading, files, top }) ?? []),
    );
    return units.filter((unit) => unit.module === module);
  };
}
