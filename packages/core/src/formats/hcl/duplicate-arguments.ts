import { rangeIn, type SourceFile } from "../../model/files.ts";
import type { Problem } from "../../model/problem.ts";
import { type Attribute, type Body, nameRange } from "../../syntax/hcl/ast.ts";

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
