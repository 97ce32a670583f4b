import { CONFIG_NAMES } from "../config/config-names.ts";
import type { ConfigFiles } from "../config/layers.ts";
import { searchedFormatsOf } from "../formats/index.ts";
import { Memo, type Outcome, type Query } from "../memo/memo.ts";
import { folderOf, nameOf } from "../model/files.ts";
import type { Language } from "../syntax/language.ts";
import { openCallers } from "./callers.ts";
import { openComparison, openSelection, type Reviewed, type Selection } from "./compare.ts";
import type { FoundConfig } from "./configs.ts";
import { type CheckedUnit, openEditorUnits } from "./editor-units.ts";
import type { FolderFacts } from "./folders.ts";
import type { EditorHost } from "./host.ts";
import { type Inputs, openInputs } from "./inputs.ts";

/** A text to check. */
export interface TextToCheck {
  readonly path: string;
  readonly text: string;
  /** Another name that selects the format, if its own does not: `.vmx`. */
  readonly alias?: string | undefined;
  /** The host in the editor's settings, as in `--host`; empty to use the configuration. */
  readonly host: string;
  /** Whether it has no folder, so that it cannot refer to other files. */
  readonly isNowhere?: boolean;
}

const GITIGNORE = ".gitignore";

/** A text with its unit, and the findings of its files. */
export interface CheckedDocument {
  readonly path: string;
  readonly unit: CheckedUnit;
  readonly facts: FolderFacts;
  /** The findings that nothing hides, after a comparison with files of the workspace. */
  readonly reviewed: Reviewed;
  readonly language: Language | undefined;
  /** As 2026-12-31. */
  readonly today: string;
  /** Returns a text as it was last read. */
  readonly textOf: (path: string) => string | undefined;
}

/** The workspace of an editor. It answers `view` about each text, and repeats only answers that depend on a change. */
export class Documents<V> {
  readonly #host: EditorHost;
  readonly #memo = new Memo();
  readonly #inputs: Inputs;
  readonly #selection: Selection;
  readonly #document: Query<V | undefined>;
  /** The last answers about the texts that were asked for. */
  readonly #answers = new Map<string, Outcome<V | undefined>>();
  /** The texts with other answers; all changes at one time share them. */
  #news: Promise<readonly string[]> | undefined;

  constructor(host: EditorHost, view: (document: CheckedDocument) => V | undefined) {
    const memo = this.#memo;
    const inputs = openInputs(memo, host);
    const callers = openCallers(memo, inputs);
    const selection = openSelection(memo, inputs);
    const comparison = openComparison(memo, inputs, callers, selection, openEditorUnits(memo, inputs, callers, selection.inventory));
    const { facts, language, text, today } = inputs;
    this.#host = host;
    this.#inputs = inputs;
    this.#selection = selection;
    this.#document = memo.query("document", (path) => {
      const placed = comparison.placed(path);
      if (!placed) return undefined;
      const { unit } = placed;
      const spoken = unit.entry && language(unit.entry.name);
      const parts = { path, unit, facts: facts(folderOf(path)), reviewed: comparison.reviewed(placed) };
      return view({ ...parts, language: spoken, today: today(""), textOf: text.last });
    });
  }

  /** Calls a function for each question that is answered anew, with the reason. */
  trace(told: ((query: string, key: string, because: string) => unknown) | undefined): void {
    this.#memo.onRun = told;
  }

  /** Returns the view of a text; `undefined` if it does not define a VM or its configuration ignores it. */
  async check({ path, text, alias, host, isNowhere = false }: TextToCheck): Promise<V | undefined> {
    const { asked, text: textOf, hostWord, today } = this.#inputs;
    asked.set(path, { alias, isNowhere });
    textOf.set(path, text);
    hostWord.set("", host);
    today.set("", this.#host.today());
    const answer = await this.#memo.settle(() => this.#answer(path));
    this.#answers.set(path, answer);
    this.#selection.free();
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

  #answer(path: string): Outcome<V | undefined> {
    return this.#memo.outcome(() => this.#document(path));
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
