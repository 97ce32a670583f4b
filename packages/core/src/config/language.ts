import type { HostModel } from "../model/host.ts";
import { once } from "../model/once.ts";
import { LineIndex, type Range } from "../model/source.ts";
import type { JsonSchema } from "../parse/yaml/schema.ts";
import { type SchemaLanguage, schemaLanguage } from "../parse/yaml/schema-language.ts";
import { configSchema } from "./config-schema.ts";
import { type ConfigFiles, readConfig } from "./parse.ts";
import { cpuWords, hostWords, ruleWords } from "./words.ts";

export { type Accepted, acceptIn } from "./accept.ts";

const SCHEMA = configSchema as JsonSchema;

/** A package.json holds a configuration as one of its keys. */
const IN_PACKAGE: JsonSchema = { type: "object", properties: { vmlint: SCHEMA }, ...(SCHEMA.$defs && { $defs: SCHEMA.$defs }) };

const rules = once(ruleWords);

/** Completion and hovers of a configuration, by its file's name. `hosts`: those of the files it extends. */
export const configLanguage = (path: string, hosts: ReadonlyMap<string, HostModel> = new Map()): SchemaLanguage =>
  schemaLanguage(isPackage(path) ? IN_PACKAGE : SCHEMA, (definition, document, written) => {
    if (definition === "hostName") return hostWords(document, hosts);
    if (definition === "cpuName") return cpuWords(written);
    return definition === "ruleId" || definition === "severities" ? rules() : [];
  });

const isPackage = (path: string): boolean => /(?:^|\/)package\.json$/.test(path);

/** What is wrong with a configuration, and where. */
export interface ConfigProblem {
  readonly range: Range;
  readonly message: string;
}

/** What keeps a configuration from being read, as it is typed; `undefined`: nothing. */
export async function configProblem(text: string, path: string, files: ConfigFiles): Promise<ConfigProblem | undefined> {
  try {
    await readConfig(text, path, files);
    return undefined;
  } catch (error) {
    return problemOf(text, path, error instanceof Error ? error.message : String(error));
  }
}

/** `path:line:column: message`, to the end of its line; on the first line where another file is wrong. */
export function problemOf(text: string, path: string, words: string): ConfigProblem {
  const place = words.startsWith(`${path}:`) ? /^(\d+):(\d+): (.*)$/s.exec(words.slice(path.length + 1)) : null;
  const [, line = "1", column = "1", message = words] = place ?? [];
  const start = Math.min((new LineIndex(text).start(Number(line) - 1) ?? 0) + Number(column) - 1, text.length);
  return { range: [start, start + text.slice(start).search(/[\r\n]|$/)], message };
}
