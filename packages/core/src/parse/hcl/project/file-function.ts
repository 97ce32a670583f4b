import { type Files, joinPath } from "../../../model/files.ts";
import type { Definition, FunctionTable } from "../functions/define.ts";
import { holds } from "../functions/define.ts";
import { FUNCTIONS } from "../functions/table.ts";
import { STRING } from "../type.ts";
import { stringValue, unknownValue } from "../value.ts";

/** The functions of a configuration in `folder`, with `more`: `file` reads what lies there (Terraform, functions/file). */
export function functionsOf(folder: string, files: Files, more: FunctionTable): FunctionTable {
  const file: Definition = {
    parameters: [{ type: STRING }],
    call: ([path]) => {
      const name = holds.text(path);
      const text = name.startsWith("~") ? undefined : files.read(joinPath(folder, name));
      return text === undefined ? unknownValue(`the file ${name} cannot be read`) : stringValue(text);
    },
  };
  return new Map([...FUNCTIONS, ...more, ["file", file]]);
}
