import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { CONFIG_NAMES, type HostModel, holdsConfig } from "@vmlint/core";
import type { ConfigProblem } from "@vmlint/core/config";
import type { Completion, Hover } from "@vmlint/core/editor";
import type { TextDocument } from "vscode-languageserver-textdocument";
import { filesBeside } from "../files.ts";

/** A configuration that is open in an editor, saved or not. */
export interface ConfigDocument {
  readonly complete: (offset: number) => readonly Completion[];
  readonly hover: (offset: number) => Hover | undefined;
  readonly problem: ConfigProblem | undefined;
}

/** Whether a document may be a configuration, by its name. */
export const isNamedAsConfig = (uri: string): boolean => CONFIG_NAMES.includes(basename(uri));

/** Reads configurations, and remembers the hosts each could name before it was half typed. */
export function configDocuments(): (document: TextDocument) => Promise<ConfigDocument | undefined> {
  const hosts = new Map<string, ReadonlyMap<string, HostModel>>();
  return async (document) => {
    const { uri } = document;
    const text = document.getText();
    if (!uri.startsWith("file:") || !isNamedAsConfig(uri)) return undefined;
    const path = fileURLToPath(uri);
    if (!holdsConfig(basename(path), text)) return undefined;
    const [{ configLanguage }, { readConfigTyped }] = await Promise.all([
      import("@vmlint/core/config-language"),
      import("@vmlint/core/config"),
    ]);
    const read = await readConfigTyped(text, path, filesBeside(path, "ignored"));
    if ("config" in read) hosts.set(uri, read.config.hosts);
    const language = configLanguage(path, hosts.get(uri));
    return {
      complete: (offset) => language.complete(text, offset),
      hover: (offset) => language.hover(text, offset),
      problem: "problem" in read ? read.problem : undefined,
    };
  };
}
