// The HCL parser from its TypeScript sources, for scripts that Node runs as they are.
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const entryPoints = [fileURLToPath(new URL("../packages/core/src/syntax/hcl/parse.ts", import.meta.url))];
const { outputFiles } = await build({ entryPoints, bundle: true, format: "esm", write: false });
const code = Buffer.from(outputFiles[0].contents).toString("base64");

export const { parseHcl } = await import(`data:text/javascript;base64,${code}`);

/** Yields every attribute of a body and its nested blocks, with its path of block types and labels. */
export function* attributesOf(body, path = "") {
  for (const attribute of body.attributes) yield { path, attribute };
  for (const { type, labels, body: inner } of body.blocks) {
    yield* attributesOf(inner, `${path}/${[type, ...labels.map(({ value }) => value)].join(".")}`);
  }
}

export function* blocksOf(body) {
  for (const block of body.blocks) {
    yield block;
    yield* blocksOf(block.body);
  }
}

const text = (value) => ["text", value];
const template = (parts) => ["template", ...(parts.length > 0 ? parts.map(part) : [text("")])];

function part(part) {
  switch (part.kind) {
    case "text":
      return text(part.value);
    case "interpolation":
      return ["interpolation", treeOf(part.value)];
    case "if":
      return ["interpolation", ["conditional", treeOf(part.condition), template(part.then), template(part.otherwise)]];
    case "for": {
      const each = ["for", part.keyName ?? "", part.valueName, treeOf(part.collection), null, template(part.body), null, false];
      return ["interpolation", ["join", each]];
    }
  }
}

/** An expression without its positions, as arrays that are equal when their JSON is. */
export function treeOf(expression) {
  const e = expression;
  switch (e?.kind) {
    case undefined:
      return null;
    case "literal":
      return [e.kind, e.value];
    case "template":
      return template(e.parts);
    case "variable":
      return [e.kind, e.name];
    case "attribute":
      return [e.kind, treeOf(e.of), e.name];
    case "index":
      return [e.kind, treeOf(e.of), treeOf(e.key)];
    case "splat":
      return [e.kind, treeOf(e.of), treeOf(e.each)];
    case "call":
      return [e.kind, e.name, ["arguments", ...e.args.map(treeOf)], e.expand];
    case "tuple":
      return [e.kind, ...e.items.map(treeOf)];
    case "object":
      return [e.kind, ...e.items.map(({ key, value }) => [treeOf(key), treeOf(value)])];
    case "for":
      return [e.kind, e.keyName ?? "", e.valueName, treeOf(e.collection), treeOf(e.key), treeOf(e.value), treeOf(e.condition), e.group];
    case "conditional":
      return [e.kind, treeOf(e.condition), treeOf(e.then), treeOf(e.otherwise)];
    case "binary":
      return [e.kind, e.operator, treeOf(e.left), treeOf(e.right)];
    case "unary":
      return [e.kind, e.operator, treeOf(e.operand)];
    case "parentheses":
      return [e.kind, treeOf(e.inner)];
    default:
      return [e.kind];
  }
}

/** Returns the value of a literal expression, or undefined if the expression must be evaluated. */
export function literalOf(expression) {
  const e = expression;
  const all = (values) => (values.includes(undefined) ? undefined : values);
  switch (e.kind) {
    case "literal":
      return e.value;
    case "unary":
      return e.operator === "-" && e.operand.kind === "literal" ? -e.operand.value : undefined;
    case "parentheses":
      return literalOf(e.inner);
    case "template":
      return e.parts.every(({ kind }) => kind === "text") ? e.parts.map(({ value }) => value).join("") : undefined;
    case "tuple":
      return all(e.items.map(literalOf));
    case "object": {
      const entries = all(e.items.flatMap(({ key, value }) => [literalOf(key), literalOf(value)]));
      return entries && Object.fromEntries(e.items.map((_, i) => [entries[2 * i], entries[2 * i + 1]]));
    }
  }
  return undefined;
}
