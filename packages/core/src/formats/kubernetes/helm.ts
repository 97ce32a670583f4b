import { type FileContext, folderOf, joinPath, nameOf } from "../../model/files.ts";
import { get, isList, isMapping, isNothing, rangeOf, readDocuments, textOf, type Value } from "../../syntax/yaml/tree.ts";

/** Filters that keep a single value as it is, and `default` (Helm, "Template Function List"). */
const FILTERS = /^(?:\s*\|\s*(?:quote|squote|int|int64|toString|default\s+(?:"[^"{}]*"|[\w.]+)))*$/;
const VALUE = /^\{\{-?\s*(?:default\s+("[^"{}]*"|[\w.]+)\s+)?(\$?)\.Values((?:\.\w+)+)([^{}]*?)\s*-?\}\}$/;
const DEFAULT = /\bdefault\s+("[^"{}]*"|[\w.]+)/;

/** Blocks that give `.` another meaning; `define` also changes `$`. */
const MOVES = /\{\{-?\s*(?:range|with)\b/;
const DEFINES = /\{\{-?\s*(?:define|block)\b/;

/** "default": values that Go templates regard as empty (Sprig, defaults). */
const EMPTY = new Set(["", "0", "false", "null", "~"]);

/** The values of a chart: the files that set them, strongest first. */
interface ChartValues {
  /** Files of the configuration, and `values.yaml`. */
  readonly used: readonly ValuesFile[];
  /** Other values files of the chart, which a run may name. */
  readonly others: readonly ValuesFile[];
}

interface ValuesFile {
  readonly path: string;
  readonly root: Value;
}

/**
 * Returns a function that fills in a templated value of a chart; `undefined` for a text outside of charts. A chart inside of another chart
 * has values of both.
 */
export function chartValues(text: string, context: FileContext | undefined): ((value: Value) => Value) | undefined {
  if (!context || !text.includes(".Values") || DEFINES.test(text)) return undefined;
  const [found, folder = "."] = /^(?:(.*)\/)?templates\//.exec(context.path) ?? [];
  if (found === undefined || nameOf(folderOf(folder)) === "charts") return undefined;
  const names = context.files.list(folder);
  if (!names.includes("Chart.yaml")) return undefined;
  const isMoved = MOVES.test(text);
  let values: ChartValues | undefined;
  return (value) => {
    const [, before, root, path = "", filters = ""] = VALUE.exec(textOf(value)?.trim() ?? "") ?? [];
    if (path === "" || (isMoved && root === "") || !FILTERS.test(filters)) return value;
    values ??= readValues(folder, names, context);
    return filledIn(value, path.slice(1).split("."), before ?? DEFAULT.exec(filters)?.[1], values);
  };
}

function readValues(folder: string, names: readonly string[], { files, valueFiles = [] }: FileContext): ChartValues {
  const read = (path: string): readonly ValuesFile[] => {
    const text = files.read(path);
    const [tree, second] = text === undefined ? [] : readDocuments(text);
    return tree && !second && tree.errors.length === 0 ? [{ path, root: tree.root }] : [];
  };
  const named = valueFiles.filter((path) => /\.ya?ml$/.test(path)).toReversed();
  const used = [...named, joinPath(folder, "values.yaml")];
  const beside = names.filter((name) => /^values[-_.].*\.ya?ml$/.test(name)).map((name) => joinPath(folder, name));
  return { used: used.flatMap(read), others: named.length > 0 ? [] : beside.filter((path) => !used.includes(path)).flatMap(read) };
}

function filledIn(value: Value, path: readonly string[], fallback: string | undefined, { used, others }: ChartValues): Value {
  const found = used.map(({ path: file, root }) => ({ file, own: path.reduce(get, root) })).find(({ own }) => !isNothing(own));
  const text = found && textOf(found.own);
  const name = `Values.${path.join(".")}`;
  const differing = others.find(({ root }) => {
    const own = path.reduce(get, root);
    return !isNothing(own) && textOf(own) !== text;
  });
  if (differing) return { ...value, unsure: `values.yaml and ${nameOf(differing.path)} disagree about ${name}` };
  if (found && (isList(found.own) || isMapping(found.own))) return value;
  if (fallback !== undefined && EMPTY.has(text ?? "")) return { ...value, part: fallback.replace(/^"|"$/g, ""), usedAt: rangeOf(value) };
  if (!found) return value;
  const { branches, inserts, scoped } = value.source;
  const source = { ...found.own.source, branches, inserts, ...(scoped && { scoped }) };
  const setBy = { message: `${name} is set here`, range: rangeOf(found.own), path: found.file };
  return { ...found.own, source, usedAt: rangeOf(value), setBy };
}
