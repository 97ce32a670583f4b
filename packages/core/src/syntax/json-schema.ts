import * as z from "zod/mini";

/** What the keys of an object mean. */
export type Docs = Readonly<Record<string, string>>;

export interface JsonSchemaOptions {
  /** Parts that become definitions of their own, by name: editors know by it which words to offer. */
  readonly names: Readonly<Record<string, z.ZodMiniType>>;
  /** By the objects whose keys they describe. */
  readonly docs: ReadonlyMap<unknown, Docs>;
  readonly override?: NonNullable<Parameters<typeof z.toJSONSchema>[1]>["override"];
}

/** Marks an object until its keys are described: only in the finished schema does each key have one of its own. */
const MARK = "x-docs";

/** A schema as JSON Schema, with what its keys mean. */
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
  const made = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, withDocs(value, docs)]));
  const own = typeof mark === "number" ? docs[mark] : undefined;
  if (!own) return made;
  const properties = Object.entries(made.properties ?? {}).map(([key, value]) => [
    key,
    own[key] === undefined ? value : { ...(value as object), description: own[key] },
  ]);
  return { ...made, properties: Object.fromEntries(properties) };
}
