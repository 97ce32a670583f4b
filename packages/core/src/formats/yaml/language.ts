import { builtinHosts } from "../../model/builtin-hosts.ts";
import type { Language } from "../../syntax/language.ts";
import type { JsonSchema } from "../../syntax/yaml/json-schema.ts";
import { schemaLanguage } from "../../syntax/yaml/schema-language.ts";
import { API_VERSION } from "../spec/read-specs.ts";
import { specSchema } from "../spec/spec-schema.ts";

const specs = schemaLanguage(specSchema as JsonSchema, (definition) =>
  definition === "hostName" ? builtinHosts.map(({ name, cpu = "" }) => ({ text: name, detail: "built-in", markdown: cpu })) : [],
);

/** Only vmlint's own specs have a schema; other programs document their own formats. */
const isVmlint = (text: string): boolean => text.includes(API_VERSION);

/** The language of VM specs. */
export const yamlLanguage: Language = {
  complete: (text, offset) => (isVmlint(text) ? specs.complete(text, offset) : []),
  hover: (text, offset) => (isVmlint(text) ? specs.hover(text, offset) : undefined),
};
