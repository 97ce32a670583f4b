import type { Problem } from "../../model/problem.ts";
import type { Range } from "../../model/source.ts";
import type { VmSpec } from "../../model/spec.ts";
import { commentsOf } from "../../syntax/yaml/tree.ts";
import { readDirective } from "../directive.ts";
import type { ReadVm } from "../yaml/kind.ts";

/**
 * Assigns `# vmlint:` comments to VMs: comments inside of a VM, and comments above it up to the previous VM. Comments at the start of a
 * document apply to all of its VMs.
 */
export function withDirectives(
  text: string,
  allComments: readonly Range[],
  [first, last]: Range,
  vms: readonly ReadVm[],
  report: (problem: Problem) => void,
): readonly ReadVm[] {
  const comments = allComments.filter(([start]) => start >= first && start < last);
  if (comments.length === 0 || vms.length === 0) return vms;
  const head = headOf(text, first);
  const commentsOfVm = vms.map((): Range[] => []);
  for (const comment of comments) {
    const owner = comment[0] < head ? undefined : (enclosing(vms, comment[0]) ?? vms.find(({ span: [start] }) => comment[0] < start));
    // A loop creates several VMs from one task.
    vms.forEach(({ span: [start] }, i) => {
      if (comment[0] < head || start === owner?.span[0]) commentsOfVm[i]?.push(comment);
    });
  }
  const reported = new Set<number>();
  return vms.map((item, i) => {
    const { directive, problems } = readDirective(text, commentsOfVm[i] ?? []);
    for (const problem of problems) {
      if (!reported.has(problem.range[0])) report(problem);
      reported.add(problem.range[0]);
    }
    if (directive.size === 0) return item;
    // The keys of a spec override its comments.
    const vm: VmSpec = { ...item.vm, directive: new Map([...directive, ...item.vm.directive]) };
    return { ...item, vm };
  });
}

const enclosing = (vms: readonly ReadVm[], offset: number): ReadVm | undefined =>
  vms.findLast(({ span: [start, end] }) => start <= offset && offset < end);

/** The first character of a document that is no comment, no blank and no document mark. */
function headOf(text: string, from: number): number {
  const rest = /(?:[ \t\r\n\ufeff]|#[^\r\n]*|---(?=[ \t\r\n])|%[^\r\n]*)*/y;
  rest.lastIndex = from;
  rest.exec(text);
  return rest.lastIndex;
}

/** Returns the comments of a text that contains `# vmlint:`. */
export const directiveComments = (text: string): readonly Range[] => (/#\s*vmlint:/.test(text) ? commentsOf(text) : []);
