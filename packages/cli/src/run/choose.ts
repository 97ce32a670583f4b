import { basename } from "node:path";
import { decodeVmx, type FormatEntry, firstHolding, formats, isAlone, projectsOf, type VariableOption } from "@vmlint/core/program";
import { notOneOf } from "../args/command-output.ts";
import type { Input, UnlessLost } from "../files/find-files.ts";
import type { Changed } from "../files/git.ts";
import { decode, fromSlashes, partsOf, readText, shortText } from "../files/read-files.ts";
import { eachSound, type Faults } from "./fault.ts";

/** A file with the one format it is read as; undefined for a named file that is taken for the default format. */
export interface Chosen extends Input {
  readonly entry: FormatEntry | undefined;
  /** The text that was read to choose a format, for files that refer to each other. */
  readonly text?: string | undefined;
}

/** Files to check, by how they are read. */
export interface ChosenFiles {
  readonly count: number;
  readonly alone: readonly Chosen[];
  /** Files that refer to each other. */
  readonly others: readonly Chosen[];
  readonly formats: ReadonlySet<FormatEntry | undefined>;
  /** Files that list hosts. */
  readonly listing: readonly Chosen[];
}

/** The part of the files to check. */
interface Part {
  readonly changed?: Changed | undefined;
  readonly faults: Faults | undefined;
  readonly unlessLost: UnlessLost;
}

/**
 * Returns the files to check: single files, and files that refer to each other. In a partial run any other file may list the
 * hosts (`listing`).
 */
export function chosenOf(inputs: readonly Input[], { changed, faults, unlessLost }: Part): ChosenFiles {
  const alone: Chosen[] = [];
  const others: Chosen[] = [];
  const formats = new Set<FormatEntry | undefined>();
  const listing: Chosen[] = [];
  for (const one of eachSound(inputs, faults, (input) => unlessLost(input, () => withFormat(input)))) {
    if (one?.entry?.listsHosts) listing.push(one);
    if (!one || (changed && standsAlone(one) && !changed.has(one.path))) continue;
    formats.add(one.entry);
    if (standsAlone(one)) alone.push(one);
    else others.push(one);
  }
  return { count: alone.length + others.length, alone, others, formats, listing };
}

const standsAlone = (one: Chosen): boolean => !one.entry || isAlone(one.entry);

/** Terragrunt's files and Terraform's lock, which files of a project depend on. */
const BESIDE = /\.hcl$/;

/** Returns the changed files. If a changed file may belong to a project, all files of that format are returned. */
export function changedOf(inputs: readonly Input[], changed: Changed, variables: readonly VariableOption[]): readonly Input[] {
  const isOfProject = (path: string): boolean => BESIDE.test(path) || projectsOf(path).some(({ project }) => project === "folders");
  // Terraform functions read files of any kind by name. `fileset` is the exception.
  const names = changed.paths.map((path) => basename(path));
  const isNamedIn = (path: string): boolean => {
    try {
      const text = readText(path, changed.staged);
      return /\bfileset\s*\(/.test(text) || names.some((name) => text.includes(name));
    } catch {
      return true; // The check itself reports that the file is unreadable.
    }
  };
  const mayReach =
    changed.paths.some(isOfProject) ||
    inputs.some(({ path }) => isOfProject(path) && (changed.has(path) || (names.length > 0 && isNamedIn(path)))) ||
    variables.some((option) => option.kind === "file" && changed.has(fromSlashes(option.path)));
  return inputs.flatMap((input) => {
    if (!changed.has(input.path) && !(mayReach && !input.formats.every(isAlone))) return [];
    const bytes = changed.staged?.read(input.path);
    return bytes ? [{ ...input, bytes, isPartlyStaged: true }] : [input];
  });
}

/** The format of a name that the command line gives. */
export function formatNamed(name: string | undefined): FormatEntry | undefined {
  const format = formats.find((entry) => entry.name === name);
  if (name === undefined || format) return format;
  throw notOneOf(
    "--format-in",
    formats.map((entry) => entry.name),
    name,
  );
}

/** Whether a file may hold a VM, by its name or else by its content. */
export const mayHoldVms = (input: Input): boolean => withFormat({ ...input, isNamed: false }) !== undefined;

/** Most files with an ending such as .json hold no VM, so the text is tested before a parser is loaded. */
function withFormat(input: Input): Chosen | undefined {
  const { path, isNamed, bytes } = input;
  // The format of standard input without a telling name depends only on its content.
  const candidates = bytes && input.formats.length === 0 ? formats.filter(({ mayHold }) => mayHold) : input.formats;
  const [first] = candidates;
  if (isNamed && candidates.length < 2 && (!first || isAlone(first))) return chosen(input, first);
  if (isCertain(first)) return chosen(input, first);
  const text = bytes ? decodeVmx(bytes, decode) : shortText(path);
  const format = firstHolding(candidates, text === undefined ? partsOf(path) : [text]);
  if (format) return chosen(input, format, isAlone(format) ? undefined : (text ?? readText(path)));
  return isNamed ? chosen(input, input.formats.find(isAlone) ?? input.formats[0]) : undefined;
}

/** Not spread: that makes each an object of its own shape, which takes a quarter of a kilobyte. */
const chosen = (
  { path, folder, formats, isNamed, bytes, isPartlyStaged }: Input,
  entry: FormatEntry | undefined,
  text?: string,
): Chosen => ({
  path,
  folder,
  formats,
  isNamed,
  bytes,
  isPartlyStaged,
  entry,
  text,
});

/** Whether all files are of a format that are called so: no look into them is needed. */
const isCertain = (format: FormatEntry | undefined): boolean => format !== undefined && !format.mayHold;
