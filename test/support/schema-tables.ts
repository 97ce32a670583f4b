/** The part of a JSON Schema that tables and records show. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Schema>>;
  readonly const?: unknown;
  readonly prefixItems?: readonly Schema[];
}

/** Values of a definition that has too many of them for a table. */
const DEFINITIONS: Readonly<Record<string, string>> = {
  hostName: "name of a host",
  cpuName: "name of a processor",
  ruleId: "rule id",
  severity: "severity",
  severities: "severity by rule id",
};

/** Returns tables of all keys in a JSON Schema: one for the top, and one for each object below it. */
export function schemaTables(schema: unknown): string {
  const sections: string[] = [];
  section("Top level", schema as Schema);
  return `\n${sections.join("\n\n")}\n\n`;

  function section(title: string, { properties = {} }: Schema): void {
    const rows = Object.entries(properties).map(([key, value]) => `| \`${key}\` | ${valuesOf(value)} | ${value.description ?? ""} |`);
    sections.push(`### ${title}\n\n| key | value | meaning |\n|---|---|---|\n${rows.join("\n")}`);
    for (const [key, value] of Object.entries(properties)) {
      const inner = objectIn(value);
      if (inner && !sections.some((one) => one.startsWith(`### ${titleOf(key)}\n`))) section(titleOf(key), inner);
    }
  }
}

const titleOf = (key: string): string => `Keys of \`${key}\``;

function objectIn({ properties, items, additionalProperties, ...rest }: Schema): Schema | undefined {
  if (properties) return { ...rest, properties };
  const inner = items ?? (typeof additionalProperties === "object" ? additionalProperties : undefined);
  return inner && objectIn(inner);
}

function valuesOf(schema: Schema): string {
  const { $ref, enum: values, anyOf, items, type, additionalProperties } = schema;
  if ($ref) return DEFINITIONS[$ref.slice("#/$defs/".length)] ?? "";
  if (values) return [...new Set(values.map((value) => `\`${value}\``))].join(", ");
  if (anyOf) return [...new Set(anyOf.map(valuesOf))].join(", or ");
  if (items) return `list: ${valuesOf(items)}`;
  if (typeof additionalProperties === "object") return `by name: ${valuesOf(additionalProperties)}`;
  if (objectIn(schema)) return "object";
  return [type ?? []].flat().join(" or ");
}
