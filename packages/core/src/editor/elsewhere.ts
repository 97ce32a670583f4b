import type { Diagnostic } from "../model/diagnostic.ts";

/** Findings of one file, and the text they are found in. */
export interface FoundIn {
  readonly text: string;
  readonly diagnostics: readonly Diagnostic[];
  /** Another file that they lead to. */
  readonly textOf: (path: string) => string | undefined;
}

/** What the checks of open texts found in files that are not open: each is shown as long as one of those is open that led to it. */
export class Elsewhere {
  /** By the path of the open text, by the path of the file. */
  readonly #found = new Map<string, ReadonlyMap<string, FoundIn>>();

  /** What the check of an open text found elsewhere now. The files of which that may be something else than before. */
  set(owner: string, found: ReadonlyMap<string, FoundIn>): ReadonlySet<string> {
    const before = this.#found.get(owner)?.keys() ?? [];
    if (found.size > 0) this.#found.set(owner, found);
    else this.#found.delete(owner);
    return new Set([...before, ...found.keys()]);
  }

  /** What is found in a file, each finding once. */
  of(path: string): FoundIn {
    const all = [...this.#found.values()].flatMap((found) => found.get(path) ?? []);
    const [first] = all;
    const diagnostics = new Map(
      all.flatMap((one) => one.diagnostics).map((one) => [[one.ruleId, ...one.range, one.message].join("\n"), one]),
    );
    const textOf = (other: string): string | undefined => all.map((one) => one.textOf(other)).find((text) => text !== undefined);
    return { text: first?.text ?? "", diagnostics: [...diagnostics.values()], textOf };
  }
}
