import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { dayOf, formatHolding, isIgnoredBy } from "@vmlint/core";
import { checkText, type OpenDocument } from "@vmlint/core/editor";
import type { TextDocument } from "vscode-languageserver-textdocument";
import { configFinder, pathInConfig } from "../files.ts";

/** What a document's VMs are checked against beside its configuration. */
export interface Settings {
  /** As `--host`; empty: what the configuration says. */
  readonly host: string;
}

export interface Documents {
  /** What was found in a document as it is now; `undefined` for one that is no VM definition by its name or content. */
  readonly open: (document: TextDocument, settings: Settings) => Promise<OpenDocument | undefined>;
  /** To be called when a configuration may have changed. */
  readonly forget: () => void;
}

/** Reads configurations once, and each version of a document once. */
export function documents(cwd: string): Documents {
  let findConfig = configFinder(undefined, cwd);
  let known = new WeakMap<TextDocument, { readonly key: string; readonly found: Promise<OpenDocument | undefined> }>();
  return {
    open(document, settings) {
      const key = `${document.version} ${settings.host}`;
      const before = known.get(document);
      if (before?.key === key) return before.found;
      const found = read(document, settings, (folder) => findConfig(folder));
      known.set(document, { key, found });
      return found;
    },
    forget() {
      findConfig = configFinder(undefined, cwd);
      known = new WeakMap();
    },
  };
}

async function read(
  document: TextDocument,
  { host: word }: Settings,
  findConfig: ReturnType<typeof configFinder>,
): Promise<OpenDocument | undefined> {
  const path = pathOf(document.uri);
  const text = document.getText();
  const entry = path === undefined ? undefined : formatHolding(path, text);
  if (path === undefined || !entry) return undefined;
  const [format, language, found] = await Promise.all([entry.load(), entry.language?.(), findConfig(dirname(path))]);
  if (isIgnoredBy(found.config, pathInConfig(found, path))) return undefined;
  return checkText(text, { format, language, config: found.config, path: pathInConfig(found, path), host: word, today: dayOf(new Date()) });
}

/** The path of a document on this machine; `undefined` for one that is elsewhere, or nowhere yet. */
function pathOf(uri: string): string | undefined {
  try {
    return fileURLToPath(uri);
  } catch {
    return undefined;
  }
}
