import * as z from "zod/mini";

/** Texts for the keys of an object. */
export type Docs = Readonly<Record<string, string>>;

interface JsonSchemaOptions {
  /** Parts that become named definitions, which tell editors what to complete. */
  readonly names: Readonly<Record<string, z.ZodMiniType>>;
  /** By the objects whose keys they describe. */
  readonly docs: ReadonlyMap<unknown, Docs>;
  readonly override?: NonNullable<Parameters<typeof z.toJSONSchema>[1]>["override"];
}

/** Marks an object until its keys have descriptions: only the finished schema has a separate object per key. */
const MARK = "x-docs";

/** Returns a JSON Schema with descriptions of its keys. */
export function jsonSchemaOf(schema: z.ZodMiniType, { names, docs, override }: JsonSchemaOptions): unknown {
  const metadata = z.registry<{ id: string }>();
  for (const [id, part] of Object.entries(names)) metadata.add(part, { id });
  const described = [...docs];
  const finished = z.toJSONSchema(schema, {
    metadata,
    override: (context) => {
      override?.(context);
      const index = described.findIndex(([part]) => part === context.zodSchema);
      if (index >= 0) context.jsonSchema[MARK] = index;
    },
  });
  return withDocs(
    finished,
    described.map(([, of]) => of),
  );
}

function withDocs(node: unknown, docs: readonly Docs[]): unknown {
  if (Array.isArray(node)) return node.map((item) => withDocs(item, docs));
  if (typeof node !== "object" || node === null) return node;
  const { [MARK]: mark, ...rest } = node as Record<string, unknown>;
  const schema = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, withDocs(value, docs)]));
  const ownDocs = typeof mark === "number" ? docs[mark] : undefined;
  if (!ownDocs) return schema;
  const properties = Object.entries(schema.properties ?? {}).map(([key, value]) => [
    key,
    ownDocs[key] === undefined ? value : { ...(value as object), description: ownDocs[key] },
  ]);
  return { ...schema, properties: Object.fromEntries(properties) };
}
