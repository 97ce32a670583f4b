import type { Expression } from "./ast.ts";
import { literalText } from "./convert.ts";
import type { Step } from "./value.ts";

/** Returns the description of a step of a trace. */
export const stepText = ({ what }: Step): string => (typeof what === "string" ? what : describe(what));

function describe(expression: Expression): string {
  switch (expression.kind) {
    case "variable":
    case "attribute":
    case "index":
      return path(expression);
    case "call":
      return `${expression.name}(...)`;
    case "literal":
    case "template":
    case "tuple":
    case "object":
      return "written here";
    default:
      return "computed here";
  }
}

/** Returns the source text of a traversal; an expression in it that is not a traversal is shortened. */
function path(expression: Expression): string {
  switch (expression.kind) {
    case "variable":
      return expression.name;
    case "attribute":
      return `${path(expression.of)}.${expression.name}`;
    case "index":
      return `${path(expression.of)}[${keyPath(expression.key)}]`;
    default:
      return "...";
  }
}

const keyPath = (key: Expression): string =>
  key.kind === "template" || key.kind === "literal"
    ? (literalText(key) ?? JSON.stringify(key.kind === "literal" ? key.value : "..."))
    : path(key);
