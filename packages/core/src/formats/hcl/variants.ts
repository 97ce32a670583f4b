import { type Files, folderOf, joinPath, pathFrom } from "../../model/files.ts";
import { once } from "../../model/memoize.ts";
import { parseHclJson } from "../../syntax/hcl/hcl-json.ts";
import { parseHcl } from "../../syntax/hcl/parse.ts";

/** Values that a person names with `-var-file`: one file, or the files of a folder such as environments/prod. */
export interface Variant {
  /** Relative to the folder of the configuration. */
  readonly name: string;
  readonly paths: readonly string[];
}

interface ValueNames {
  readonly path: string;
  readonly names: ReadonlySet<string>;
}

interface Candidate extends Variant, Pick<ValueNames, "names"> {}

/** Folders that hold the values of environments. */
const ENVIRONMENTS = /^(?:envs?|environments?|vars|variables|tfvars|var-?files)$/i;

/** Ends the names of files with values that people copy and fill in. */
const EXAMPLE = /\.(?:example|sample|dist|tmpl|template)$/;

/** A configuration has a few variants; further files are not read. */
const MOST_FILES = 100;
const MOST_VARIANTS = 20;

/** The files with values that nothing loads on its own. */
export interface UnloadedValues {
  /** Returns the variants of a configuration with these variables. */
  readonly variantsOf: (declared: ReadonlySet<string>) => readonly Variant[];
  /** Returns the files that set a variable, relative to the folder. */
  readonly foundIn: (name: string) => readonly string[];
}

/** Finds the files with values in and below a folder, on demand. `isValues` tells them by name. */
export function unloadedValues(
  folder: string,
  automatic: readonly string[],
  isValues: (name: string) => boolean,
  files: Files,
): UnloadedValues {
  const valuesIn = (path: string, names: readonly string[]) => names.filter(isValues).map((name) => joinPath(path, name));
  const isOwnRoot = (names: readonly string[]): boolean => names.some((name) => /\.(?:tf|pkr)(?:\.hcl|\.json)?$/.test(name));
  const groups = once(() => {
    const names = files.list(folder);
    const siblings = valuesIn(
      folder,
      names.filter((name) => !automatic.includes(name)),
    ).map((path) => [path]);
    const below = names.filter((name) => ENVIRONMENTS.test(name)).toSorted();
    const others = below.flatMap((name) => {
      const path = joinPath(folder, name);
      const inside = files.list(path);
      if (isOwnRoot(inside)) return [];
      const deeper = inside.filter((entry) => !entry.includes(".")).toSorted();
      const each = deeper.flatMap((entry) => {
        const at = joinPath(path, entry);
        const listed = files.list(at);
        return isOwnRoot(listed) ? [] : [valuesIn(at, listed.toSorted())];
      });
      return [...valuesIn(path, inside.toSorted()).map((entry) => [entry]), ...each];
    });
    return [...siblings.toSorted(), ...others]
      .filter((group) => group.length > 0)
      .slice(0, MOST_FILES)
      .map((group) => group.map(readNames));
  });
  const examples = once(() =>
    files
      .list(folder)
      .filter((name) => EXAMPLE.test(name) && isValues(name.replace(EXAMPLE, "")))
      .map((name) => readNames(joinPath(folder, name))),
  );
  const readNames = (path: string): ValueNames => {
    const text = files.read(path) ?? "";
    const { body } = path.endsWith(".json") ? parseHclJson(text, {}, "plain") : parseHcl(text);
    return { path, names: new Set(body.attributes.map(({ name }) => name)) };
  };
  const nameOf = (path: string): string => (folder === "." ? path : pathFrom(folder, path));
  const variantsOf = (declared: ReadonlySet<string>): readonly Variant[] => {
    const setsSome = ({ names }: ValueNames): boolean => [...names].some((name) => declared.has(name));
    const candidates = groups().flatMap((group): readonly Candidate[] => {
      const setters = group.filter(setsSome);
      // Files of one folder without a common variable are used together.
      return setters.length > 1 && !setters.some((entry) => setters.some((other) => other !== entry && shares(entry, other)))
        ? [joined(setters)]
        : setters.map(({ path, names }) => ({ name: nameOf(path), paths: [path], names }));
    });
    // A file that shares no variable with other files is a part of the values, not an alternative.
    const alternatives =
      candidates.length < 2
        ? candidates
        : candidates.filter((entry) => candidates.some((other) => other !== entry && shares(entry, other)));
    return alternatives.slice(0, MOST_VARIANTS).map(({ name, paths }) => ({ name, paths }));
  };
  const joined = (setters: readonly ValueNames[]): Candidate => ({
    name: nameOf(folderOf(setters[0]?.path ?? "")),
    paths: setters.map(({ path }) => path),
    names: new Set(setters.flatMap(({ names }) => [...names])),
  });
  return {
    variantsOf,
    foundIn: (name) => {
      const setIn = (all: readonly ValueNames[]) => all.filter(({ names }) => names.has(name)).map(({ path }) => nameOf(path));
      const found = setIn(groups().flat());
      return found.length > 0 ? found : setIn(examples());
    },
  };
}

const shares = ({ names }: Pick<ValueNames, "names">, other: Pick<ValueNames, "names">): boolean =>
  [...names].some((name) => other.names.has(name));
