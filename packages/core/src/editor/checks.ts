import type { Config } from "../config/config.ts";
import { isProject } from "../formats/format.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { nameOf } from "../model/files.ts";
import { type CheckedDocument, Documents } from "../workspace/documents.ts";
import type { EditorHost } from "../workspace/host.ts";
import { type CheckedText, type CheckSettings, documentAlone, documentIn, findingsIn } from "./check-text.ts";
import type { FileFindings } from "./other-file-findings.ts";

/** The result of a check. */
export interface CheckResult extends CheckedText {
  readonly config: Config;
  /** Findings in other files of the same project, or about the same machine, by path. */
  readonly otherFiles: ReadonlyMap<string, FileFindings>;
  /** Returns another file that a finding, an edit or a link leads to, as the check read it. */
  readonly textOf: (path: string) => string | undefined;
  /** The reason if VMs of other files may belong to the same machine, but were not compared. */
  readonly notCompared?: string;
  /** Checks another text with another configuration and host; `undefined` for a text of a project. */
  readonly checkAgain?: (text: string, by: Pick<CheckSettings, "config" | "host">) => CheckedText;
}

/** Returns the sentence about a file whose check failed. */
export const bugSentence = (path: string, error: unknown): string =>
  `vmlint does not check ${nameOf(path)}: it failed, and this is a bug in vmlint (${error instanceof Error ? error.message : String(error)}).`;

/** Checks the texts of an editor. */
export class Checks extends Documents<CheckResult> {
  constructor(host: EditorHost) {
    super(host, resultOf);
  }
}

/** Returns a text with its findings; `undefined` if it defines no VM. */
function resultOf({ path, unit, facts, reviewed, language, today, textOf: known }: CheckedDocument): CheckResult | undefined {
  const findings = findingsIn(unit, reviewed.results);
  // A file by itself may become a VM while it is edited.
  if (isProject(unit.parsed) && unit.vms.length + findings.size === 0) return undefined;
  const document = documentIn(unit, { findings, language }, path);
  if (!document) return undefined;
  const texts = new Map(unit.sources.map((file) => [file.path, file.text]));
  const textOf = (other: string): string | undefined => texts.get(other) ?? known(other);
  const found = ([other, diagnostics]: readonly [string, readonly Diagnostic[]], of = textOf): readonly [string, FileFindings] => [
    other,
    { text: of(other) ?? "", diagnostics, textOf: of },
  ];
  const own = [...findings].filter(([other]) => other !== path);
  const { again } = unit;
  const { notCompared } = reviewed;
  return {
    ...document,
    badHost: facts.badHost?.error.message,
    config: facts.config,
    otherFiles: new Map([...[...reviewed.otherFiles].map((one) => found(one, known)), ...own.map((one) => found(one))]),
    ...(notCompared !== undefined && { notCompared }),
    textOf,
    ...(again && { checkAgain: (other, by) => documentAlone(again(other, by), today, language) ?? document }),
  };
}
