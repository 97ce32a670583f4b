import type { SourceFile } from "../../model/files.ts";
import type { Problem } from "../../model/problem.ts";
import type { Located, Range } from "../../model/source.ts";
import type { Directive } from "../../model/spec.ts";
import type { Block } from "../../syntax/hcl/ast.ts";
import { readDirective } from "../directive.ts";
import type { ReadFile } from "./config-block.ts";

/** The `vmlint:` comments of a file: for single blocks, inside or directly above, and for the whole file. */
export interface FileDirectives {
  readonly fileDirective: Directive;
  readonly blockDirectives: ReadonlyMap<Block, Directive>;
  readonly problems: readonly Problem[];
}

const NONE: FileDirectives = { fileDirective: new Map(), blockDirectives: new Map(), problems: [] };

/** Finds the `vmlint:` comments of a file. */
export function directivesOf({ file, comments, body }: ReadFile): FileDirectives {
  if (!file.text.includes("vmlint:")) return NONE;
  const blockDirectives = new Map<Block, Directive>();
  const problems: Problem[] = [];
  let fileDirective: Directive = new Map();
  for (const comment of comments) {
    const result = readDirective(file.text, [comment]);
    for (const problem of result.problems) problems.push({ ...problem, range: moved(problem.range, file) });
    if (result.directive.size === 0) continue;
    const directive = new Map(
      [...result.directive].map(([word, { value, range }]): [string, Located<string>] => [word, { value, range: moved(range, file) }]),
    );
    const block = body.blocks.find((candidate) => isAbove(comment, candidate, file.text));
    if (block) blockDirectives.set(block, new Map([...(blockDirectives.get(block) ?? []), ...directive]));
    else fileDirective = new Map([...fileDirective, ...directive]);
  }
  return { fileDirective, blockDirectives, problems };
}

const moved = ([start, end]: Range, file: SourceFile): Range => [start + file.start, end + file.start];

/** Whether a comment is inside a block, or above it with only comments between. */
function isAbove([start, end]: Range, block: Block, text: string): boolean {
  if (block.start <= start && end <= block.end) return true;
  return (
    end <= block.start &&
    block.start - end < 2000 &&
    /^(?:[ \t]*\r?\n?[ \t]*(?:#|\/\/)[^\n]*)*[ \t]*\r?\n?[ \t]*$/.test(text.slice(end, block.start))
  );
}
