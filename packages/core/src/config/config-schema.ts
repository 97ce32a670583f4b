import { SETTING_DOCS } from "../formats/spec/spec-schema.ts";
import { WORKLOAD_DOCS } from "../formats/workload-docs.ts";
import { workloadShape } from "../formats/workload-schema.ts";
import { rules } from "../rules/index.ts";
import { pageOf } from "../rules/page-of.ts";
import { type Docs, jsonSchemaOf } from "../syntax/json-schema.ts";
import {
  CONFIG_DOCS,
  HOST_DOCS,
  HUGE_PAGES_DOCS,
  KUBERNETES_DOCS,
  KVM_DOCS,
  MIGRATE_DOCS,
  OVERRIDE_DOCS,
  SIZE_DOCS,
  SUPPRESSION_DOCS,
} from "./descriptions.ts";
import {
  assumedSettings,
  cpuName,
  host,
  hostName,
  hugePages,
  kubernetes,
  kvm,
  migration,
  override,
  ruleId,
  configSchema as schema,
  severities,
  severity,
  sizeOptions,
  suppression,
  versionText,
  workload,
} from "./schema.ts";

const version = workloadShape.version._zod.def.innerType;

/** JSON Schema of a `vmlint.yaml`, for editors: `# yaml-language-server: $schema=...`. */
export const configSchema: unknown = jsonSchemaOf(schema, {
  names: { hostName, cpuName, ruleId, severity, severities },
  docs: new Map<unknown, Docs>([
    [schema, CONFIG_DOCS],
    [host, HOST_DOCS],
    [kvm, KVM_DOCS],
    [kubernetes, KUBERNETES_DOCS],
    [hugePages, HUGE_PAGES_DOCS],
    [suppression, SUPPRESSION_DOCS],
    [override, OVERRIDE_DOCS],
    [sizeOptions, SIZE_DOCS],
    [migration, MIGRATE_DOCS],
    [workload, WORKLOAD_DOCS],
    [assumedSettings, SETTING_DOCS],
  ]),
  override: ({ zodSchema, jsonSchema }) => {
    // 8.0 and 2019 are numbers to YAML; their text is what counts.
    if (zodSchema === versionText || zodSchema === version) jsonSchema.type = ["string", "number"];
    if (zodSchema === version)
      jsonSchema.enum = (jsonSchema.enum ?? []).flatMap((text) => (/^\d+$/.test(String(text)) ? [text, Number(text)] : [text]));
    // A workload may be written in one line, too: "mssql,edition=standard".
    const facts = jsonSchema.properties?.workload;
    if ((zodSchema === schema || zodSchema === override) && typeof facts === "object")
      Object.assign(jsonSchema.properties ?? {}, { workload: { anyOf: [facts, { type: "string" }] } });
    // Plugins bring rules with other names.
    if (zodSchema === ruleId) jsonSchema.anyOf = [{ enum: rules.map(({ id }) => id) }, { type: "string" }];
    if (zodSchema === severities) {
      const { additionalProperties } = jsonSchema;
      delete jsonSchema.propertyNames;
      jsonSchema.properties = Object.fromEntries(
        rules.map((rule) => [rule.id, { ...(additionalProperties as object), description: pageOf(rule).summary }]),
      );
    }
  },
});
