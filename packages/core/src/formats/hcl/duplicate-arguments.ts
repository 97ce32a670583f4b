import { rangeIn, type SourceFile } from "../../model/files.ts";
import type { Problem } from "../../model/problem.ts";
import type { Range } from "../../model/source.ts";
import { type Attribute, type Body, nameRange, rangeOf } from "../../syntax/hcl/ast.ts";

/** Returns problems for duplicate arguments of a block and its nested blocks. */
export function* duplicateArgumentsIn({ attributes, blocks }: Body, file: SourceFile): Iterable<Problem> {
  const first = new Map<string, Attribute>();
  for (const attribute of attributes) {
    const { name } = attribute;
    const earlier = first.get(name);
    if (!earlier) first.set(name, attribute);
    else {
      const related = [{ message: "the first is here", range: rangeIn(file, nameRange(earlier)) }];
      yield { ruleId: "spec/syntax", messageId: "twice", data: { name }, range: rangeIn(file, nameRange(attribute)), related };
    }
  }
  for (const { body } of blocks) yield* duplicateArgumentsIn(body, file);
}

/** Returns problems for names that one file declares twice: locals, and variables on request. */
export function* duplicateNamesIn({ blocks }: Body, file: SourceFile, { variables }: { readonly variables: boolean }): Iterable<Problem> {
  const first = new Map<string, Range>();
  for (const { type, labels, body } of blocks) {
    const [label] = labels;
    const names =
      type === "locals"
        ? body.attributes.map((attribute) => [`local "${attribute.name}"`, nameRange(attribute)] as const)
        : label && (type === "local" || (variables && type === "variable"))
          ? [[`${type} "${label.value}"`, rangeOf(label)] as const]
          : [];
    for (const [what, own] of names) {
      const [earlier, range] = [first.get(what), rangeIn(file, own)];
      if (!earlier) first.set(what, range);
      else
        yield {
          ruleId: "spec/syntax",
          messageId: "again",
          data: { what },
          range,
          related: [{ message: "the first is here", range: earlier }],
        };
    }
  }
}
