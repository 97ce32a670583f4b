import * as z from "zod/mini";
import { workloadShape } from "../parse/workload-schema.ts";
import { configSchema as schema, versionText } from "./schema.ts";

/** JSON Schema of a `vmlint.yaml`, for editors: `# yaml-language-server: $schema=...`. */
export const configSchema: unknown = z.toJSONSchema(schema, {
  // 8.0 and 2019 are numbers to YAML; their text is what counts.
  override: ({ zodSchema, jsonSchema }) => {
    if (zodSchema === versionText || zodSchema === workloadShape.version._zod.def.innerType) jsonSchema.type = ["string", "number"];
    if (zodSchema === workloadShape.version._zod.def.innerType)
      jsonSchema.enum = (jsonSchema.enum ?? []).flatMap((text) => (/^\d+$/.test(String(text)) ? [text, Number(text)] : [text]));
  },
});
