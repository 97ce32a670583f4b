import { type Files, folderOf, joinPath, nameOf, type SourceFile } from "../../model/files.ts";
import { evaluate } from "../../syntax/hcl/evaluate.ts";
import { type Definition, type Functions, holds } from "../../syntax/hcl/functions/define-function.ts";
import { parseTemplate } from "../../syntax/hcl/parse-template.ts";
import type { Meter } from "../../syntax/hcl/scope.ts";
import { boolValue, failure, isMapping, setValue, stringValue, type Unknown, unknownValue, type Value } from "../../syntax/hcl/value.ts";
import { ANY, STRING } from "../../syntax/hcl/value-type.ts";
import { fileSet } from "./fileset.ts";
import { untraced } from "./variables.ts";

/** The files that functions of a configuration may read. */
interface FileAccess {
  /** The folder that relative paths refer to. */
  readonly root: string;
  readonly files: Files;
  /** Whether a path is inside of the configuration; other files are not read. */
  readonly isInside: (path: string) => boolean;
  readonly meter: Meter;
  /** Adds a file to the joined files. */
  readonly join?: (path: string, text: string) => SourceFile;
}

const PATH = { type: STRING };

const TEMPLATE = [PATH, { type: ANY, unknowns: "parts" }] as const;

/** A template cannot call templatefile itself (Terraform, functions/templatefile). */
const IN_ITSELF: Definition = { parameters: TEMPLATE, call: () => failure("templatefile() is used in a template") };

/** Adds the functions that read files of a configuration (Terraform, "Filesystem Functions"). */
export function functionsOf(access: FileAccess, base: Functions): Functions {
  const definitions = new Map<string, Definition>();
  const functions: Functions = { get: (name) => definitions.get(name) ?? base.get(name) };
  const inTemplate: Functions = { get: (name) => (name === "templatefile" ? IN_ITSELF : functions.get(name)) };
  definitions.set("file", { parameters: [PATH], call: ([path]) => textOf(path, access) });
  definitions.set("fileexists", { parameters: [PATH], call: ([path]) => exists(path, access) });
  definitions.set("fileset", { parameters: [PATH, PATH], call: ([path, pattern]) => filesIn(path, pattern, access) });
  definitions.set("templatefile", {
    parameters: TEMPLATE,
    call: ([path, names]) => {
      const text = textOf(path, access);
      return text.kind === "string" ? renderTemplate(text.value, names, inTemplate, access.meter) : text;
    },
  });
  return functions;
}

/** Returns the path of a readable file, or unknown. */
function pathOf(value: Value | undefined, { root, isInside }: FileAccess): string | Unknown {
  const name = holds.text(value);
  const path = joinPath(root, name);
  const isRead = name !== "" && !name.startsWith("~") && isInside(path);
  return isRead ? path : unknownValue(`the file ${name} lies outside of the configuration`);
}

function textOf(value: Value | undefined, access: FileAccess): Value {
  const path = pathOf(value, access);
  if (typeof path !== "string") return path;
  const text = access.files.read(path);
  if (text === undefined) return unknownValue(`the file ${holds.text(value)} cannot be read`);
  const content = stringValue(text);
  const { join } = access;
  // Terraform's normal form of a text may have other offsets.
  return join && content.kind === "string" && content.value === text ? { ...content, file: () => join(path, text) } : content;
}

/** A file is only known to be missing if its folder can be listed. */
function exists(value: Value | undefined, access: FileAccess): Value {
  const path = pathOf(value, access);
  if (typeof path !== "string") return path;
  if (access.files.read(path) !== undefined) return boolValue(true);
  const names = access.files.list(folderOf(path));
  return names.length > 0 && !names.includes(nameOf(path))
    ? boolValue(false)
    : unknownValue(`it is unknown whether the file ${holds.text(value)} exists`);
}

/**
 * Returns unknown for a folder outside of the configuration, and for a folder with pattern characters, because Terraform treats the whole
 * path as a pattern.
 */
function filesIn(value: Value | undefined, pattern: Value | undefined, { root, files, isInside }: FileAccess): Value {
  const name = holds.text(value);
  const folder = joinPath(root, name);
  const isOpen = !/^~|[*?[\]{}\\]/.test(name) && files.list(folder).some((entry) => isInside(joinPath(folder, entry)));
  const paths = isOpen ? fileSet(folder, holds.text(pattern), files, isInside) : undefined;
  return paths ? setValue(paths.map(stringValue), STRING) : unknownValue(`it is unknown which files ${holds.text(pattern)} matches`);
}

/** Renders a template with its variables. The result has no trace, because the template is not a file of the configuration. */
function renderTemplate(text: string, names: Value | undefined, functions: Functions, meter: Meter): Value {
  if (!names || !isMapping(names)) return failure("templatefile() takes a map of names");
  const { parts, errors } = parseTemplate(text);
  if (errors.length > 0) return failure("the template cannot be read");
  const name = (variable: string): Value => names.entries.get(variable) ?? failure(`the template gets no value for ${variable}`);
  const scope = { offset: 0, name, functions, meter };
  return untraced(evaluate({ kind: "template", start: 0, end: text.length, parts, heredoc: false }, scope));
}
