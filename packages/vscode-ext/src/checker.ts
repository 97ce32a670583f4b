import type { Diagnostic as Finding, Severity } from "@vmlint/core";
import type { CheckResult, FileFindings } from "@vmlint/core/editor";
import {
  type CancellationToken,
  Diagnostic,
  DiagnosticRelatedInformation,
  DiagnosticSeverity,
  Range,
  type TextDocument,
  Uri,
  workspace,
} from "vscode";
import { type ConfigFinder, ConfigProblem } from "./config-finder.ts";
import { isChecked } from "./document-filter.ts";
import { type FileSystem, fileSystemOf, textOf } from "./file-system.ts";
import { type Locate, locator } from "./locate.ts";

/** A text of one of vmlint's formats, as it was last checked. */
export interface Checked {
  readonly uri: Uri;
  readonly open: CheckResult;
  readonly diagnostics: readonly Diagnostic[];
  /** Returns the range of an offset in this text or in another file, or `undefined` if the other file has not been read. */
  readonly locate: Locate;
  /** Findings in other files, by URI. */
  readonly otherFiles: ReadonlyMap<string, FileFindings>;
}

/** The result of a check: findings, or the error in a configuration. */
export type Outcome = Checked | ConfigProblem;

export interface Checker {
  /**
   * Returns the findings of a document with its unsaved edits, or of a file on disk. The result stays the same object until the
   * document or one of its dependencies changes, so each editor feature can call this. Returns `undefined` if the file holds no
   * VM or the configuration ignores it.
   */
  readonly of: (subject: TextDocument | Uri) => Promise<Outcome | undefined>;
  readonly opened: (document: TextDocument) => Promise<readonly Uri[]>;
  readonly closed: (document: TextDocument) => Promise<readonly Uri[]>;
  /** Call this when a file was edited, created, changed or deleted. Returns the files to check again. */
  readonly touched: (uri: Uri, what: "text" | "name") => Promise<readonly Uri[]>;
  /**
   * Checks every file of the workspace with one of these endings, until `token` is cancelled. These files are then checked again
   * on change, like open ones.
   */
  readonly lookAt: (endings: readonly string[], token: CancellationToken) => AsyncIterable<readonly [Uri, Outcome]>;
  /** The unopened files that are checked. */
  readonly lookedAt: () => readonly Uri[];
  /** Whether a file is checked by itself, open or not. */
  readonly follows: (uri: Uri) => boolean;
  /** The diagnostics of a file that is not open. */
  readonly diagnosticsOf: (uri: Uri, found: FileFindings) => readonly Diagnostic[];
  /** Call this when a configuration or a setting has changed. */
  readonly forget: () => void;
}

/** The files of a workspace that are read and checked at a time. */
const AT_ONCE = 32;

export function checker(configs: ConfigFinder): Checker {
  const systems = new Map<string, FileSystem>();
  const systemOf = (uri: Uri): FileSystem => {
    const key = `${uri.scheme}://${uri.authority}`;
    const known = systems.get(key) ?? fileSystemOf(uri, configs);
    systems.set(key, known);
    return known;
  };
  const touched: Checker["touched"] = async (uri, what) => {
    const { checks, open, looked, uriOf } = systemOf(uri);
    const isShown = (path: string): boolean => {
      const document = open.get(path);
      return document ? isChecked(document) : looked.has(path);
    };
    return [...(await checks.touch(uri.path, what))].filter(isShown).map((path) => open.get(path)?.uri ?? uriOf(path));
  };
  let known = new WeakMap<CheckResult, Checked>();
  const of: Checker["of"] = async (subject) => {
    const uri = "uri" in subject ? subject.uri : subject;
    const { checks, open, read, uriOf } = systemOf(uri);
    const document = "uri" in subject ? subject : open.get(uri.path);
    const text = document ? textOf(document) : await read(uri.path);
    if (text === undefined) return undefined;
    const alias = document && { alias: `.${document.languageId}` };
    try {
      const checkup = await checks.check({ path: uri.path, text, ...alias, host: "", isNowhere: document?.isUntitled ?? false });
      if (!checkup) return undefined;
      const checked = known.get(checkup) ?? checkedOf(uri, checkup, uriOf);
      known.set(checkup, checked);
      return checked;
    } catch (error) {
      if (error instanceof ConfigProblem) return error;
      throw error;
    }
  };
  return {
    of,
    opened(document) {
      systemOf(document.uri).open.set(document.uri.path, document);
      return touched(document.uri, "text");
    },
    closed({ uri }) {
      const { checks, open } = systemOf(uri);
      open.delete(uri.path);
      checks.close(uri.path);
      return touched(uri, "text");
    },
    touched,
    async *lookAt(endings, token) {
      for (const system of new Set((workspace.workspaceFolders ?? []).map(({ uri }) => systemOf(uri)))) {
        const paths = await system.search(endings, { token });
        const started: Promise<Outcome | undefined>[] = [];
        for (const [at, path] of paths.entries()) {
          if (token.isCancellationRequested) return;
          // VS Code reads files in another process, so the next files are read while this one is checked.
          for (const next of paths.slice(at + started.length, at + AT_ONCE)) {
            const outcome = of(system.uriOf(next));
            // It rejects again when its turn comes, if it does.
            outcome.catch(() => undefined);
            started.push(outcome);
          }
          const uri = system.uriOf(path);
          const outcome = await started.shift();
          if (outcome && !("open" in outcome && outcome.open.result.foreign !== undefined)) {
            system.looked.add(path);
            yield [uri, outcome];
          } else if (!system.open.has(path)) system.checks.close(path);
        }
      }
    },
    lookedAt: () => [...systems.values()].flatMap(({ looked, open, uriOf }) => [...looked].filter((path) => !open.has(path)).map(uriOf)),
    follows(uri) {
      const { open, looked } = systemOf(uri);
      // An unopened file is no longer checked once its workspace folder is removed.
      return open.has(uri.path) || (looked.has(uri.path) && workspace.getWorkspaceFolder(uri) !== undefined);
    },
    diagnosticsOf(uri, { text, diagnostics, textOf: other }) {
      const locate = locator(uri, text, other, systemOf(uri).uriOf);
      return diagnostics.map((finding) => diagnostic(finding, locate));
    },
    forget() {
      for (const { checks } of systems.values()) checks.forgetAll();
      known = new WeakMap();
    },
  };
}

function checkedOf(uri: Uri, open: CheckResult, uriOf: FileSystem["uriOf"]): Checked {
  const locate = locator(uri, open.text, open.textOf, uriOf);
  return {
    uri,
    open,
    diagnostics: open.result.diagnostics.map((finding) => diagnostic(finding, locate)),
    locate,
    otherFiles: new Map([...open.otherFiles].map(([path, found]) => [uriOf(path).toString(), found])),
  };
}

const SEVERITY: Readonly<Record<Severity, DiagnosticSeverity>> = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  info: DiagnosticSeverity.Information,
  hint: DiagnosticSeverity.Hint,
};

function diagnostic({ ruleId, severity, message, range, related, docsUrl }: Finding, locate: Locate): Diagnostic {
  const shown = new Diagnostic(locate({ range })?.range ?? new Range(0, 0, 0, 0), message, SEVERITY[severity]);
  shown.source = "vmlint";
  shown.code = docsUrl === "" ? ruleId : { value: ruleId, target: Uri.parse(docsUrl) };
  shown.relatedInformation = related.flatMap((other) => {
    const location = locate(other);
    return location ? [new DiagnosticRelatedInformation(location, other.message)] : [];
  });
  return shown;
}
