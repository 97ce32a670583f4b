import type { Range } from "../../model/source.ts";

/** A `.tf`, `.tfvars` or `.pkr.hcl` file as HashiCorp's HCL native syntax specification describes it. */
export interface Body {
  /** All that are written, also two of one name, which HashiCorp's implementation rejects: whoever reads the body decides. */
  readonly attributes: readonly Attribute[];
  readonly blocks: readonly Block[];
  /** What lies between the braces; the whole text for a file. */
  readonly range: Range;
}

export interface Attribute {
  readonly name: string;
  readonly nameRange: Range;
  readonly value: Expression;
  readonly range: Range;
}

export interface Block {
  readonly type: string;
  readonly typeRange: Range;
  readonly labels: readonly Label[];
  readonly body: Body;
  /** From the type to the closing brace. */
  readonly range: Range;
}

export interface Label {
  readonly value: string;
  /** Without the quotes. */
  readonly range: Range;
}

export type Expression =
  /** `12`, `true`, `null`. A number keeps its text where a double cannot hold it. */
  | Node<"literal", { readonly value: number | boolean | null; readonly text?: string }>
  /** A quoted string or a heredoc; one part or none when nothing is interpolated. */
  | Node<"template", { readonly parts: readonly TemplatePart[]; readonly heredoc: boolean }>
  /** `var`, `local`, `each`, a resource type: the root of a traversal. */
  | Node<"variable", { readonly name: string }>
  | Node<"attribute", { readonly of: Expression; readonly name: string }>
  | Node<"index", { readonly of: Expression; readonly key: Expression }>
  /** `list[*].name` (full) and `list.*.name`: `each` is applied to every element, which it names `splat-item`. */
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
  /** Where a value should be and none is: a half-typed line. Evaluates to unknown. */
  | Node<"missing", object>;

type Node<K extends string, T> = { readonly kind: K; readonly range: Range } & T;

export type BinaryOperator = "||" | "&&" | "==" | "!=" | "<" | "<=" | ">" | ">=" | "+" | "-" | "*" | "/" | "%";

export interface ObjectItem {
  /** A bare name is a literal key: a template of one part. */
  readonly key: Expression;
  readonly value: Expression;
  readonly range: Range;
}

export type TemplatePart =
  | { readonly kind: "text"; readonly value: string; readonly range: Range }
  | { readonly kind: "interpolation"; readonly value: Expression; readonly range: Range }
  | {
      readonly kind: "if";
      readonly condition: Expression;
      readonly then: readonly TemplatePart[];
      readonly otherwise: readonly TemplatePart[];
      readonly range: Range;
    }
  | {
      readonly kind: "for";
      readonly keyName: string | null;
      readonly valueName: string;
      readonly collection: Expression;
      readonly body: readonly TemplatePart[];
      readonly range: Range;
    };

export interface SyntaxError {
  readonly message: string;
  readonly range: Range;
}

/** Always a tree, however broken the text: what could not be read is missing from it and in `errors`. */
export interface ParsedHcl {
  readonly body: Body;
  readonly comments: readonly Range[];
  readonly errors: readonly SyntaxError[];
}
