import { type Uri, workspace } from "vscode";

/** The settings of the extension, as package.json describes them. */
interface Settings {
  readonly run: "onType" | "onSave";
  readonly codeLens: boolean;
  readonly inlayHints: boolean;
  /** The command that tasks run. */
  readonly path: string;
}

const DEFAULTS: Settings = { run: "onType", codeLens: true, inlayHints: true, path: "vmlint" };

/** Returns a setting for a file. */
export const setting = <Name extends keyof Settings>(name: Name, uri?: Uri): Settings[Name] =>
  workspace.getConfiguration("vmlint", uri).get<Settings[Name]>(name) ?? DEFAULTS[name];
