import type { Diagnostic } from "../model/diagnostic.ts";

/** Findings of one file, and the text they are found in. */
export interface FileFindings {
  readonly text: string;
  readonly diagnostics: readonly Diagnostic[];
  /** Another file that they lead to. */
  readonly textOf: (path: string) => string | undefined;
}

/** The findings that checks of open texts have in unopened files. They stay as long as one of these texts is open. */
export class OtherFileFindings {
  /** By the path of the open text, then by the path of the file. */
  readonly #found = new Map<string, ReadonlyMap<string, FileFindings>>();

  /** Sets the findings in other files for an open text; returns the files that may have changed. */
  set(owner: string, findingsByFile: ReadonlyMap<string, FileFindings>): ReadonlySet<string> {
    const before = this.#found.get(owner)?.keys() ?? [];
    if (findingsByFile.size > 0) this.#found.set(owner, findingsByFile);
    else this.#found.delete(owner);
    return new Set([...before, ...findingsByFile.keys()]);
  }

  /** Returns the findings in a file, without duplicates. */
  of(path: string): FileFindings {
    const all = [...this.#found.values()].flatMap((findings) => findings.get(path) ?? []);
    const [first] = all;
    const diagnostics = new Map(
      all
        .flatMap((file) => file.diagnostics)
        .map((diagnostic) => [[diagnostic.ruleId, ...diagnostic.range, diagnostic.message].join("\n"), diagnostic]),
    );
    const textOf = (other: string): string | undefined => all.map((file) => file.textOf(other)).find((text) => text !== undefined);
    return { text: first?.text ?? "", diagnostics: [...diagnostics.values()], textOf };
  }
}
