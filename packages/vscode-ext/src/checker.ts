import { type Diagnostic as Finding, formatsOf, LineIndex, projectsOf, type Severity } from "@vmlint/core";
import type { Checkup, FoundIn, Place } from "@vmlint/core/editor";
import { Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, Location, Range, type TextDocument, Uri, workspace } from "vscode";
import { type ConfigFinder, ConfigProblem } from "./config.ts";
import { type FileSystem, fileSystemOf, textOf } from "./file-system.ts";

/** A document of one of vmlint's formats, as it was last checked. */
export interface Checked {
  readonly document: TextDocument;
  readonly open: Checkup;
  readonly diagnostics: readonly Diagnostic[];
  /** Where a place is, in the document or in another file; `undefined`: that file is not known. */
  readonly locate: Locate;
  /** What was found in other files, by their addresses. */
  readonly others: ReadonlyMap<string, FoundIn>;
}

/** What came of a check: findings, or a configuration that cannot be read. */
export type Outcome = Checked | ConfigProblem;

export interface Checker {
  /**
   * What is found in a document as it is now, saved or not: the same answer until it or something it depends on changes, so that every
   * feature of the editor can ask. `undefined`: no VM definition, by its name or content, or its configuration leaves it out.
   */
  readonly of: (document: TextDocument) => Promise<Outcome | undefined>;
  readonly opened: (document: TextDocument) => Promise<readonly TextDocument[]>;
  readonly closed: (document: TextDocument) => Promise<readonly TextDocument[]>;
  /** To be called when a file has changed, on disk or in the editor, or has appeared or gone. The open documents to be checked again. */
  readonly touched: (uri: Uri, what: "text" | "name") => Promise<readonly TextDocument[]>;
  /** The diagnostics of a file that is not open. */
  readonly diagnosticsOf: (uri: Uri, found: FoundIn) => readonly Diagnostic[];
  /** To be called when a configuration or a setting has changed. */
  readonly forget: () => void;
}

/** Whether a file's name promises VMs, or values for some. */
export const mayHoldVms = ({ path }: Uri): boolean => formatsOf(path).length + projectsOf(path).length > 0;

export function checker(configs: ConfigFinder): Checker {
  const systems = new Map<string, FileSystem>();
  const systemOf = (uri: Uri): FileSystem => {
    const key = `${uri.scheme}://${uri.authority}`;
    const known = systems.get(key) ?? fileSystemOf(uri, configs);
    systems.set(key, known);
    return known;
  };
  const touched: Checker["touched"] = async (uri, what) => {
    const { checks, open } = systemOf(uri);
    return [...(await checks.touch(uri.path, what))].flatMap((path) => open.get(path) ?? []);
  };
  let known = new WeakMap<Checkup, Checked>();
  return {
    async of(document) {
      const { uri, languageId, isUntitled } = document;
      const { checks, uriOf } = systemOf(uri);
      const host = String(workspace.getConfiguration("vmlint", document).get("host") ?? "").trim();
      try {
        const open = await checks.check({ path: uri.path, text: textOf(document), alias: `.${languageId}`, host, isNowhere: isUntitled });
        if (!open) return undefined;
        const checked = known.get(open) ?? checkedOf(document, open, uriOf);
        known.set(open, checked);
        return checked;
      } catch (error) {
        if (error instanceof ConfigProblem) return error;
        throw error;
      }
    },
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
    diagnosticsOf(uri, { text, diagnostics, textOf: other }) {
      const own = rangesOf(text);
      const locate = locator(uri, own, other, systemOf(uri).uriOf);
      return diagnostics.map((finding) => diagnostic(finding, own, locate));
    },
    forget() {
      for (const { checks } of systems.values()) checks.forgetAll();
      known = new WeakMap();
    },
  };
}

function checkedOf(document: TextDocument, open: Checkup, uriOf: FileSystem["uriOf"]): Checked {
  const own = (range: Offsets): Range => rangeIn(document, range);
  const locate = locator(document.uri, own, open.textOf, uriOf);
  return {
    document,
    open,
    diagnostics: open.result.diagnostics.map((finding) => diagnostic(finding, own, locate)),
    locate,
    others: new Map([...open.others].map(([path, found]) => [uriOf(path).toString(), found])),
  };
}

type Offsets = readonly [start: number, end: number];

/** Finds a place; `undefined`: its file is not known. */
export type Locate = (place: Place) => Location | undefined;

function locator(uri: Uri, own: (range: Offsets) => Range, textOfOther: Checkup["textOf"], uriOf: FileSystem["uriOf"]): Locate {
  const known = new Map<string, ((range: Offsets) => Range) | undefined>();
  const other = (path: string) => {
    if (!known.has(path)) {
      const text = textOfOther(path);
      known.set(path, text === undefined ? undefined : rangesOf(text));
    }
    return known.get(path);
  };
  return ({ path, range }) => {
    if (path === undefined) return new Location(uri, own(range));
    const place = other(path)?.(range);
    return place && new Location(uriOf(path), place);
  };
}

/** Ranges of a text that is not open. */
function rangesOf(text: string): (range: Offsets) => Range {
  const lines = new LineIndex(text);
  return ([start, end]) => {
    const [from, to] = [lines.at(start), lines.at(end)];
    return new Range(from.line, from.column, to.line, to.column);
  };
}

const SEVERITY: Readonly<Record<Severity, DiagnosticSeverity>> = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  info: DiagnosticSeverity.Information,
  hint: DiagnosticSeverity.Hint,
};

export const rangeIn = (document: TextDocument, [start, end]: readonly [number, number]): Range =>
  new Range(document.positionAt(start), document.positionAt(end));

function diagnostic(
  { ruleId, severity, message, range, related, docsUrl }: Finding,
  own: (range: Offsets) => Range,
  locate: Locate,
): Diagnostic {
  const shown = new Diagnostic(own(range), message, SEVERITY[severity]);
  shown.source = "vmlint";
  shown.code = { value: ruleId, target: Uri.parse(docsUrl) };
  shown.relatedInformation = related.flatMap((other) => {
    const location = locate(other);
    return location ? [new DiagnosticRelatedInformation(location, other.message)] : [];
  });
  return shown;
}
