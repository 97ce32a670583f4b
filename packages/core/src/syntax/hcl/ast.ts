import type { Range } from "../../model/source.ts";

/**
 * The range of a syntax node, half-open like a Range. Two numbers in the node itself: a separate range per node takes over half as much
 * memory again, and parsing a megabyte takes four times as long.
 */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export const rangeOf = ({ start, end }: Span): Range => [start, end];

/** A `.tf`, `.tfvars` or `.pkr.hcl` file as HashiCorp's HCL native syntax specification describes it, or the content of a block. */
export interface Body extends Span {
  /** All attributes, including duplicates, which HashiCorp's implementation rejects. Readers of the body decide. */
  readonly attributes: readonly Attribute[];
  readonly blocks: readonly Block[];
}

export interface Attribute extends Span {
  readonly name: string;
  readonly nameStart: number;
  readonly nameEnd: number;
  readonly value: Expression;
}

export const nameRange = ({ nameStart, nameEnd }: Attribute): Range => [nameStart, nameEnd];

/** From the type to the closing brace. */
export interface Block extends Span {
  readonly type: string;
  readonly typeStart: number;
  readonly typeEnd: number;
  readonly labels: readonly Label[];
  readonly body: Body;
}

export const typeRange = ({ typeStart, typeEnd }: Block): Range => [typeStart, typeEnd];

/** Without the quotes. */
export interface Label extends Span {
  readonly value: string;
}

export type Expression =
  /** `12`, `true`, `null`. A number that a double cannot hold keeps its text. */
  | Node<"literal", { readonly value: number | boolean | null; readonly text?: string }>
  /** A quoted string or a heredoc; at most one part if nothing is interpolated. */
  | Node<"template", { readonly parts: readonly TemplatePart[]; readonly heredoc: boolean }>
  /** `var`, `local`, `each`, a resource type: the root of a traversal. */
  | Node<"variable", { readonly name: string }>
  | Node<"attribute", { readonly of: Expression; readonly name: string }>
  | Node<"index", { readonly of: Expression; readonly key: Expression }>
  /** `list[*].name` (full) and `list.*.name`: `each` is evaluated for every element, under the name `splat-item`. */
  | Node<"splat", { readonly of: Expression; readonly each: Expression; readonly full: boolean }>
  | Node<"splat-item", object>
  | Node<"call", { readonly name: string; readonly args: readonly Expression[]; readonly expand: boolean }>
  | Node<"tuple", { readonly items: readonly Expression[] }>
  | Node<"object", { readonly items: readonly ObjectItem[] }>
  /** `[for k, v in c : v if p]`; with `key` it makes an object, grouped with `...`. */
  | Node<
      "for",
      {
        readonly keyName: string | null;
        readonly valueName: string;
        readonly collection: Expression;
        readonly key: Expression | null;
        readonly value: Expression;
        readonly condition: Expression | null;
        readonly group: boolean;
      }
    >
  | Node<"conditional", { readonly condition: Expression; readonly then: Expression; readonly otherwise: Expression }>
  | Node<"binary", { readonly operator: BinaryOperator; readonly left: Expression; readonly right: Expression }>
  | Node<"unary", { readonly operator: "-" | "!"; readonly operand: Expression }>
  | Node<"parentheses", { readonly inner: Expression }>
  /** A missing value in an unfinished line. It evaluates to unknown. */
  | Node<"missing", object>;

/** A syntax node of one kind. */
export type Node<K extends string, T> = { readonly kind: K } & Span & T;

export type BinaryOperator = "||" | "&&" | "==" | "!=" | "<" | "<=" | ">" | ">=" | "+" | "-" | "*" | "/" | "%";

export interface ObjectItem extends Span {
  /** A bare name is a literal key: a template of one part. */
  readonly key: Expression;
  readonly value: Expression;
}

export type TemplatePart =
  | Node<"text", { readonly value: string }>
  | Node<"interpolation", { readonly value: Expression }>
  | Node<"if", { readonly condition: Expression; readonly then: readonly TemplatePart[]; readonly otherwise: readonly TemplatePart[] }>
  | Node<
      "for",
      {
        readonly keyName: string | null;
        readonly valueName: string;
        readonly collection: Expression;
        readonly body: readonly TemplatePart[];
      }
    >;

export interface SyntaxError {
  readonly message: string;
  readonly range: Range;
}

/** The syntax tree of any text. Unreadable parts are missing from the tree and listed in `errors`. */
export interface ParsedHcl {
  readonly body: Body;
  readonly comments: readonly Range[];
  readonly errors: readonly SyntaxError[];
}

/** Replaces a missing or unfinished expression. It has no value, so vmlint does not guess one. */
export const missing = (start: number, end: number): Expression => ({ kind: "missing", start, end });
