import { type Files, joinPath } from "../../../model/files.ts";
import { type Definition, type Functions, holds } from "../functions/define.ts";
import { STRING } from "../type.ts";
import { stringValue, unknownValue } from "../value.ts";

/** The functions of a configuration in `folder`, before others: `file` reads what lies there (Terraform, functions/file). */
export function functionsOf(folder: string, files: Files, others: Functions): Functions {
  const file: Definition = {
    parameters: [{ type: STRING }],
    call: ([path]) => {
      const name = holds.text(path);
      const text = name.startsWith("~") ? undefined : files.read(joinPath(folder, name));
      return text === undefined ? unknownValue(`the file ${name} cannot be read`) : stringValue(text);
    },
  };
  return { get: (name) => (name === "file" ? file : others.get(name)) };
}
