// A source file -> its mutants, and one text that holds them all behind a switch.
import { parseSync } from "vite";

/** Properties of a rule without conditions: examples, messages and the page. */
const WORDS = new Set(["messages", "bad", "good", "summary", "why", "whenNot", "evidence", "sources", "since", "history", "title"]);

const BOUNDARIES = { "<": "<=", "<=": "<", ">": ">=", ">=": ">", "===": "!==", "!==": "===" };

/**
 * Returns the mutants of a text, each as a range and its replacement: a negated condition, a moved boundary, one removed side of
 * && or ||, an integer plus or minus one, a removed yield.
 */
export function mutantsOf(file, text) {
  const found = [];
  const at = (node) => text.slice(node.start, node.end);
  const add = (node, kind, instead) => found.push({ file, start: node.start, end: node.end, kind, instead });

  function visit(node, isMutable = true) {
    if (Array.isArray(node)) {
      for (const one of node) visit(one, isMutable);
      return;
    }
    if (!node || typeof node.type !== "string") return;
    if (node.type.startsWith("TS")) {
      // `as`, `satisfies` and `!` stand around a value; the rest of them is types.
      visit(node.expression, isMutable);
      return;
    }
    switch (node.type) {
      case "ImportDeclaration":
        return;
      case "Property":
        if (node.computed) visit(node.key);
        if (!WORDS.has(node.key.name)) visit(node.value);
        return;
      case "PropertyDefinition":
      case "MethodDefinition":
        visit(node.value);
        return;
      case "CallExpression":
        // Another signal than 0 would end a real process.
        if (at(node.callee) === "process.kill") return;
        break;
      case "MemberExpression":
        visit(node.object);
        if (node.computed) visit(node.property);
        return;
      case "IfStatement":
      case "ConditionalExpression":
      case "WhileStatement":
        add(node.test, "negated", `!(${at(node.test)})`);
        break;
      case "UnaryExpression":
        if (node.operator === "!") add(node, "negated", `!!(${at(node.argument)})`);
        // -1 is one number.
        if (node.operator === "-" && typeof node.argument.value === "number") return;
        break;
      case "BinaryExpression":
        if (node.operator in BOUNDARIES) {
          const [left, right] = [at(node.left), at(node.right)];
          add(node, `${node.operator} to ${BOUNDARIES[node.operator]}`, `${left} ${BOUNDARIES[node.operator]} ${right}`);
        }
        break;
      case "LogicalExpression":
        if (node.operator !== "??") {
          add(node, `right of ${node.operator} left out`, at(node.left));
          add(node, `left of ${node.operator} left out`, at(node.right));
        }
        break;
      case "Literal":
        if (typeof node.value === "number" && Number.isInteger(node.value)) {
          add(node, `${node.value} to ${node.value + 1}`, `${node.value + 1}`);
          add(node, `${node.value} to ${node.value - 1}`, `${node.value - 1}`);
        }
        return;
      case "ExpressionStatement":
        if (node.expression.type === "YieldExpression") add(node.expression, "yield left out", "undefined");
        break;
      default:
        break;
    }
    for (const [key, child] of Object.entries(node)) if (key !== "type" && child && typeof child === "object") visit(child);
  }

  const { program, errors } = parseSync(file, text);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0].message}`);
  visit(program.body);
  const lines = text.split("\n");
  let line = 0;
  let start = 0;
  return found
    .sort((a, b) => a.start - b.start || b.end - a.end)
    .map((mutant) => {
      while (start + lines[line].length < mutant.start) start += lines[line++].length + 1;
      const was = at(mutant).replace(/\s+/g, " ");
      const rest = text.slice(mutant.end).split("\n", 1)[0];
      return { ...mutant, line: line + 1, was, context: `${text.slice(start, mutant.start).trimStart()}«${was}»${rest}` };
    });
}

/** The text with every mutant in it; `MUTANT(id)` says whether that one is there. */
export function instrumented(text, mutants) {
  const places = new Map();
  for (const mutant of mutants) {
    const key = `${mutant.start}-${mutant.end}`;
    places.set(key, [...(places.get(key) ?? []), mutant]);
  }
  // Outer ones before those within them.
  const all = [...places.values()];
  let next = 0;
  function emit(from, to) {
    let out = "";
    let at = from;
    while (next < all.length && all[next][0].start < to) {
      const here = all[next++];
      const [{ start, end }] = here;
      out += text.slice(at, start);
      out += `(${here.map(({ id, instead }) => `MUTANT(${id}) ? ${instead} : `).join("")}${emit(start, end)})`;
      at = end;
    }
    return out + text.slice(at, to);
  }
  return emit(0, text.length);
}
