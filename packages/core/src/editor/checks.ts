import type { Config } from "../config/config.ts";
import { CONFIG_NAMES } from "../config/config-names.ts";
import type { ConfigFiles } from "../config/layers.ts";
import { isProject } from "../formats/format.ts";
import { searchedFormatsOf } from "../formats/index.ts";
import { Memo } from "../memo/memo.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { folderOf, nameOf } from "../model/files.ts";
import { openCallers } from "../workspace/callers.ts";
import { openComparison, openSelection } from "../workspace/compare.ts";
import type { FoundConfig } from "../workspace/configs.ts";
import { openEditorUnits } from "../workspace/editor-units.ts";
import type { EditorHost } from "../workspace/host.ts";
import { type Inputs, openInputs } from "../workspace/inputs.ts";
import { type CheckedText, type CheckSettings, documentAlone, documentIn, findingsIn } from "./check-text.ts";
import type { FileFindings } from "./other-file-findings.ts";

/** A text to check. */
export interface TextToCheck {
  readonly path: string;
  readonly text: string;
  /** Another name that selects the format, if its own does not: `.vmx`. */
  readonly alias?: string | undefined;
  /** See `CheckSettings`. */
  readonly host: string;
  /** Whether it has no folder, so that it cannot refer to other files. */
  readonly isNowhere?: boolean;
}

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

const GITIGNORE = ".gitignore";

/** Returns the sentence about a file whose check failed. */
export const bugSentence = (path: string, error: unknown): string =>
  `vmlint does not check ${nameOf(path)}: it failed, and this is a bug in vmlint (${error instanceof Error ? error.message : String(error)}).`;

/** An answer about a text. */
type Answer = ReturnType<typeof Memo.prototype.outcome<CheckResult | undefined>>;

/** Checks the texts of an editor, and repeats only what depends on a change. */
export class Checks {
  readonly #host: EditorHost;
  readonly #memo = new Memo();
  readonly #inputs: Inputs;
  readonly #documents: Documents;
  /** The last answers about the texts that were asked for. */
  readonly #answers = new Map<string, Answer>();
  /** The texts with other answers; all changes at one time share them. */
  #news: Promise<readonly string[]> | undefined;

  constructor(host: EditorHost) {
    this.#host = host;
    this.#inputs = openInputs(this.#memo, host);
    this.#documents = openDocuments(this.#memo, this.#inputs);
  }

  /** Called for each question that is answered anew, with the reason. */
  set onRun(told: Memo["onRun"]) {
    this.#memo.onRun = told;
  }

  /** Returns the findings of a text; `undefined` if it does not define a VM or its configuration ignores it. */
  async check({ path, text, alias, host, isNowhere = false }: TextToCheck): Promise<CheckResult | undefined> {
    const { asked, text: textOf, hostWord, today } = this.#inputs;
    asked.set(path, { alias, isNowhere });
    textOf.set(path, text);
    hostWord.set("", host);
    today.set("", this.#host.today());
    const answer = await this.#memo.settle(() => this.#answer(path));
    this.#answers.set(path, answer);
    this.#documents.free();
    if ("error" in answer) throw answer.error;
    return answer.value;
  }

  /** Call it when a file changed, appeared or disappeared, on disk or in the editor. Returns the texts to check again. */
  async changed(path: string, event: "text" | "name"): Promise<ReadonlySet<string>> {
    const folder = folderOf(path);
    const isBelow = (one: string): boolean => event === "name" && one.startsWith(`${path}/`);
    const had = event === "name" && [...this.#inputs.text.keys()].some(isBelow);
    const isChanged = (one: string): boolean => one === path || isBelow(one);
    const { isHit } = this.#inputs.configs;
    // Folders and files of these names decide which files are left out.
    const decides = event === "name" || nameOf(path) === GITIGNORE || CONFIG_NAMES.includes(nameOf(path));
    this.#memo.changed((input, key) => {
      if (input === "openPaths" || isHit(input, key, isChanged)) return true;
      if (input === "isIgnored" && decides) return folder === "/" || key.startsWith(`${folder}/`);
      if (input === "names") return event === "name" && (key === folder || key === path || isBelow(key));
      return (input === "text" || input === "config") && isChanged(key);
    });
    // A search takes long, and most files define no VM.
    if (event === "name" && this.#host.isSearched(path)) {
      const brings = had || searchedFormatsOf(path).length > 0 || (await this.#host.list(path)).length > 0;
      if (brings) this.#memo.changed((input) => input === "search");
    }
    this.#news ??= Promise.resolve().then(() => {
      this.#news = undefined;
      return this.#others(path);
    });
    return new Set([path, ...(await this.#news)]);
  }

  /** Returns the nearest configuration of a folder; rejects with UnusableConfig if it has an error. */
  configOf(folder: string): Promise<FoundConfig> {
    return this.#memo.settle(() => this.#inputs.configs.soundOf(folder));
  }

  /** The files that an open configuration may refer to. */
  filesOfConfig(path: string): ConfigFiles {
    return this.#inputs.configs.filesOf(path);
  }

  /** Whether a configuration, a file that one names or a baseline is at a path or below it. */
  isConfig(path: string): boolean {
    return this.#inputs.configs.isRead(path);
  }

  /** Call it when an editor is closed. */
  close(path: string): void {
    this.#answers.delete(path);
  }

  /** Call it when anything may have changed. */
  forgetAll(): void {
    this.#memo.changed((input) => input !== "asked" && input !== "host");
    this.#answers.clear();
  }

  #answer(path: string): Answer {
    return this.#memo.outcome(() => this.#documents.of(path));
  }

  /** Returns the texts whose answers are others than before. */
  async #others(changed: string): Promise<readonly string[]> {
    const paths = [...this.#answers.keys()].filter((path) => path !== changed);
    const answers = await this.#memo.settle(() => this.#memo.all(paths, (path) => this.#answer(path)));
    return paths.filter((path, at) => {
      const [before, after = {}] = [this.#answers.get(path), answers[at]];
      if (!before || (before.value === after.value && before.error === after.error)) return false;
      this.#answers.set(path, after);
      return true;
    });
  }
}

type Documents = ReturnType<typeof openDocuments>;

/** Answers what an editor shows of a text. */
function openDocuments(memo: Memo, inputs: Inputs) {
  const { text, facts, language, today } = inputs;
  const callers = openCallers(memo, inputs);
  const selection = openSelection(memo, inputs);
  const comparison = openComparison(memo, inputs, callers, selection, openEditorUnits(memo, inputs, callers, selection.inventory));
  const known = (path: string): string | undefined => text.last(path);
  const findingsOf = (found: ReadonlyMap<string, readonly Diagnostic[]>): Map<string, FileFindings> =>
    new Map([...found].map(([path, diagnostics]) => [path, { text: known(path) ?? "", diagnostics, textOf: known }]));

  const of = memo.query("document", (path): CheckResult | undefined => {
    const placed = comparison.placed(path);
    if (!placed) return undefined;
    const { unit } = placed;
    const { config, badHost } = facts(folderOf(path));
    const { results, otherFiles: around, notCompared } = comparison.reviewed(placed);
    const findings = findingsIn(unit, results);
    // A file by itself may become a VM while it is edited.
    if (isProject(unit.parsed) && unit.vms.length + findings.size === 0) return undefined;
    const spoken = unit.entry && language(unit.entry.name);
    const document = documentIn(unit, { findings, language: spoken }, path);
    if (!document) return undefined;
    const texts = new Map(unit.sources.map((file) => [file.path, file.text]));
    const textOf = (other: string): string | undefined => texts.get(other) ?? known(other);
    const otherFiles = findingsOf(around);
    for (const [other, diagnostics] of findings)
      if (other !== path) otherFiles.set(other, { text: texts.get(other) ?? "", diagnostics, textOf });
    const day = today("");
    const { again } = unit;
    return {
      ...document,
      badHost: badHost?.error.message,
      config,
      otherFiles,
      ...(notCompared !== undefined && { notCompared }),
      textOf,
      ...(again && { checkAgain: (other, by) => documentAlone(again(other, by), day, spoken) ?? document }),
    };
  });
  return { of, free: selection.free };
}
