import type { ConfigFiles } from "../config/layers.ts";
import type { Format } from "../formats/format.ts";
import { entryNamed } from "../formats/index.ts";
import { isEqual, Memo } from "../memo/memo.ts";
import type { HostModel } from "../model/host.ts";
import { baselineOf, type ConfigChoice, type ConfigHost, type FoundConfig, openConfigs } from "./configs.ts";
import { type Against, openFolders } from "./folders.ts";
import { type Opened, openRun, type Run, type RunHost, type RunParts, type RunRequest } from "./run.ts";
import type { SelectedFile } from "./select-files.ts";
import { openUnitChecks } from "./unit-checks.ts";

/** The options for all files of a run. */
export interface RunOptions extends ConfigChoice {
  readonly against: Against;
  /** Returns the host of a word that is no name, such as the path of a dump. Rejects with HOST_UNKNOWN if that has a better reason. */
  readonly described?: (word: string) => Promise<HostModel | undefined>;
  /** Whether there is a baseline at a path. */
  readonly hasBaseline: (path: string) => boolean;
}

/** The workspace of the command and the library. A run after another repeats only what read a changed input. */
export type Runs = ReturnType<typeof openRuns>;

/** The inputs that stay from run to run: code, and the files of configurations, which `changed` is about. Each run asks for all others. */
const STAYING: ReadonlySet<string> = new Set(["larger", "format", "configReader", "hostReader", "importers", "saved", "named"]);

/** Opens a workspace for runs. Nothing is read before a run. */
export function openRuns(host: ConfigHost) {
  const memo = new Memo();
  const format = memo.input("format", (name): Format | Promise<Format> => entryNamed(name).load());
  const configs = openConfigs(memo, host, format);
  let options: RunOptions | undefined;
  const choice = memo.input("choice", (): ConfigChoice => ({ only: options?.only, tolerates: options?.tolerates === true }), isSameChoice);
  const against = memo.input("against", (): Against => options?.against ?? {}, isEqual);
  const described = memo.input("described", (word) => options?.described?.(word), isEqual);
  const hasBaseline = memo.input("hasBaseline", (path) => options?.hasBaseline(path) === true);
  const config = memo.query("config", (folder): FoundConfig => configs.chosenOf(folder, choice("")));
  const folders = openFolders(memo, { config, against, described });
  const hides = memo.query("hides", (folder): boolean => {
    const found = config(folder);
    return found.config.suppress !== undefined || hasBaseline(baselineOf(found));
  });
  const parts: RunParts = {
    find: (some) =>
      memo.settle(() => {
        memo.all(some, hides);
        return memo.all(some, folders.facts);
      }),
    factsOf: (folder) => memo.ifReady(() => folders.facts(folder)),
    hides: (folder) => memo.ifReady(() => hides(folder)) === true,
    given: folders.given,
    checks: openUnitChecks(memo),
  };
  const later =
    <T>(ask: (key: string) => T) =>
    (key: string): Promise<T> =>
      memo.settle(() => ask(key));
  let last: Promise<unknown> = Promise.resolve();
  return {
    /** Runs share the inputs, so that each waits for the end of the run before. */
    inTurn<T>(run: () => Promise<T>): Promise<T> {
      const next = last.then(run, run);
      last = next;
      return next;
    },
    /** Begins a run. */
    begin(next: RunOptions): void {
      options = next;
      memo.changed((input) => !STAYING.has(input));
      memo.sweep();
    },
    /** Call it when configurations, or files that they name, may have changed. */
    changed: (isChanged: (path: string) => boolean): void => memo.changed((input, key) => configs.isHit(input, key, isChanged)),
    /** Returns the configuration of a folder. */
    configOf: later(config),
    /** Returns the configuration file in a folder; `undefined` if there is none. */
    configIn: later(configs.configIn),
    /** Returns the nearest configuration file of a folder. */
    nearestTo: later(configs.nearestTo),
    /** The files that a configuration may name. */
    filesOf: (path: string): ConfigFiles => configs.filesOf(path),
    /** Opens the files of the run that has begun. */
    open: <S extends SelectedFile>(request: RunRequest<S>, hostOf: (opened: Opened) => RunHost<S>): Promise<Run> =>
      openRun(parts, request, hostOf),
  };
}

const isSameChoice = (a: ConfigChoice, b: ConfigChoice): boolean => a.only === b.only && a.tolerates === b.tolerates;
