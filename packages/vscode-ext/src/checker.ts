import { type CheckResult, type FileFindings, UnusableConfig } from "@vmlint/core/editor";
import { type CancellationToken, type Diagnostic, type TextDocument, type Uri, workspace } from "vscode";
import { configDiagnostics, diagnosticsOf } from "./diagnostics.ts";
import { isChecked } from "./document-filter.ts";
import type { FileOverview, UnreadableConfig } from "./file-overview.ts";
import { type FileSystem, type FileSystems, openFile } from "./file-system.ts";
import { type Locate, locator } from "./locate.ts";
import { isOff } from "./settings.ts";

/** A text of one of vmlint's formats, as it was last checked. */
export interface Checked {
  readonly uri: Uri;
  readonly open: CheckResult;
  /** Returns the range of an offset in this text or in another file, or `undefined` if the other file has not been read. */
  readonly locate: Locate;
}

/** A checked file as views and the Problems panel show it, open or not. */
export interface ShownFile extends FileOverview {
  readonly uri: Uri;
  readonly locate: Locate;
}

/** The error in a configuration that cannot be read, or the reason why a file could not be checked. */
export interface UnreadConfig {
  readonly file: Uri;
  readonly message: string;
  readonly problems: readonly Diagnostic[];
}

export interface Checker {
  /**
   * Returns the findings of a document with its unsaved edits, or of a file on disk. The result stays the same object until the
   * document or one of its dependencies changes, so each editor feature can call this. Returns `undefined` if the file holds no
   * VM or the configuration ignores it.
   */
  readonly of: (subject: TextDocument | Uri) => Promise<Checked | UnreadConfig | undefined>;
  /** Calls a function about a checked file, and throws if it takes too long. */
  readonly inTime: <T>(uri: Uri, use: () => T) => T;
  /** Returns what is shown of a file, open or not. */
  readonly overview: (uri: Uri) => Promise<ShownFile | UnreadConfig | undefined>;
  readonly opened: (document: TextDocument) => Promise<readonly Uri[]>;
  readonly closed: (document: TextDocument) => Promise<readonly Uri[]>;
  /** Call this when a file was edited, created, changed or deleted. Returns the files to check again. */
  readonly changed: (uri: Uri, what: "text" | "name") => Promise<readonly Uri[]>;
  /**
   * Checks every file of the workspace with one of these endings, until `token` is cancelled. These files are then checked again
   * on change, like open ones.
   */
  readonly lookAt: (endings: readonly string[], token: CancellationToken) => AsyncIterable<readonly [Uri, ShownFile | UnreadConfig]>;
  /** The unopened files that are checked. */
  readonly lookedAt: () => readonly Uri[];
  /** Whether a file is checked by itself, open or not. */
  readonly follows: (uri: Uri) => boolean;
  /** The diagnostics of a file that is not open. */
  readonly diagnosticsOf: (uri: Uri, found: FileFindings) => readonly Diagnostic[];
  /** Whether a configuration, or a file that one named, is this one or in this folder. */
  readonly isConfig: (uri: Uri) => Promise<boolean>;
  /** Call this when a configuration, a setting or the workspace has changed. */
  readonly forget: () => void;
}

/** The files of a workspace that are read and checked at a time. */
const AT_ONCE = 32;

export function checker(systems: FileSystems): Checker {
  const changed: Checker["changed"] = async (uri, what) => {
    const { files, unopened, documents, looked, uriOf } = systems.of(uri);
    const open = files.open.get(uri.path);
    const [stale, staleUnopened] = await Promise.all([
      files.changed(uri.path, what, open),
      unopened === files ? undefined : unopened.changed(uri.path, what, open),
    ]);
    const openOnes = stale.flatMap((path) => documents.get(path) ?? []).filter(isChecked);
    const others = (staleUnopened ?? stale).filter((path) => looked.has(path) && !documents.has(path));
    return [...openOnes.map((document) => document.uri), ...others.map(uriOf)];
  };
  let known = new WeakMap<CheckResult, Checked>();
  const of: Checker["of"] = async (subject) => {
    const uri = "uri" in subject ? subject.uri : subject;
    if (isOff(uri)) return undefined;
    const { files, uriOf } = systems.of(uri);
    try {
      const open = await files.check(uri.path, "uri" in subject ? openFile(subject) : undefined);
      if (!open) return undefined;
      const checked = known.get(open) ?? { uri, open, locate: locator(uri, open.text, open.textOf, uriOf) };
      known.set(open, checked);
      return checked;
    } catch (error) {
      if (error instanceof UnusableConfig) return unread(error, uriOf);
      throw error;
    }
  };
  const overview: Checker["overview"] = async (uri) => {
    const { files, unopened, documents, uriOf } = systems.of(uri);
    const found = isOff(uri) ? undefined : await (documents.has(uri.path) ? files : unopened).overview(uri.path);
    if (!found) return undefined;
    if ("problems" in found) return unread(found, uriOf);
    return Object.assign(found, { uri, locate: locator(uri, found.text, (path) => found.otherTexts.get(path), uriOf) });
  };
  return {
    of,
    inTime: (uri, use) => systems.of(uri).files.inTime(use),
    overview,
    opened(document) {
      const { files, documents } = systems.of(document.uri);
      documents.set(document.uri.path, document);
      files.open.set(document.uri.path, openFile(document));
      return changed(document.uri, "text");
    },
    closed({ uri }) {
      const { files, documents } = systems.of(uri);
      documents.delete(uri.path);
      files.close(uri.path);
      return changed(uri, "text");
    },
    changed,
    async *lookAt(endings, token) {
      for (const system of new Set((workspace.workspaceFolders ?? []).map(({ uri }) => systems.of(uri)))) {
        const paths = await system.search(endings, token);
        for await (const [path, outcome] of readingAhead(paths, token, (path) => overview(system.uriOf(path)))) {
          if (!outcome) continue;
          system.looked.add(path);
          yield [system.uriOf(path), outcome];
        }
      }
    },
    lookedAt: () =>
      [...systems.all()].flatMap(({ looked, documents, uriOf }) => [...looked].filter((path) => !documents.has(path)).map(uriOf)),
    follows(uri) {
      const { documents, looked } = systems.of(uri);
      // An unopened file is no longer checked once its workspace folder is removed.
      return documents.has(uri.path) || (looked.has(uri.path) && workspace.getWorkspaceFolder(uri) !== undefined);
    },
    diagnosticsOf: (uri, { text, diagnostics, textOf }) => diagnosticsOf(diagnostics, locator(uri, text, textOf, systems.of(uri).uriOf)),
    async isConfig(uri) {
      const { files, unopened } = systems.of(uri);
      return (await files.isRead(uri.path)) || (unopened !== files && (await unopened.isRead(uri.path)));
    },
    forget() {
      for (const { files, unopened } of systems.all()) for (const one of new Set([files, unopened])) one.forget();
      known = new WeakMap();
    },
  };
}

/** Returns the outcome of each path, in order. The next files are read while one is shown. */
async function* readingAhead<T>(
  paths: readonly string[],
  token: CancellationToken,
  read: (path: string) => Promise<T>,
): AsyncIterable<readonly [string, T]> {
  const started: Promise<T>[] = [];
  for (const [at, path] of paths.entries()) {
    if (token.isCancellationRequested) return;
    for (const next of paths.slice(at + started.length, at + AT_ONCE)) {
      const outcome = read(next);
      // It rejects again when its turn comes, if it does.
      outcome.catch(() => undefined);
      started.push(outcome);
    }
    yield [path, await (started.shift() as Promise<T>)];
  }
}

const unread = ({ file, text, problems }: UnreadableConfig, uriOf: FileSystem["uriOf"]): UnreadConfig => ({
  file: uriOf(file),
  message: problems.map(({ message }) => message).join("\n"),
  problems: configDiagnostics(text, problems),
});
