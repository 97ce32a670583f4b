import { ConfigurationTarget, type Uri, workspace } from "vscode";

/** The settings of the extension, as package.json describes them. */
interface Settings {
  readonly run: "onType" | "onSave" | "off";
  readonly codeLens: boolean;
  readonly inlayHints: boolean;
  /** The command that tasks run. */
  readonly path: string;
}

const DEFAULTS: Settings = { run: "onType", codeLens: true, inlayHints: true, path: "vmlint" };

/** Returns a setting for a file. */
export const setting = <Name extends keyof Settings>(name: Name, uri?: Uri): Settings[Name] =>
  workspace.getConfiguration("vmlint", uri).get<Settings[Name]>(name) ?? DEFAULTS[name];

/** Whether the user has turned the checks of a file off. */
export const isOff = (uri: Uri): boolean => setting("run", uri) === "off";

/** Turns all checks of the workspace off, or on again as they were. */
export async function toggleChecks(): Promise<void> {
  const all = workspace.getConfiguration("vmlint");
  const hasFolder = (workspace.workspaceFolders ?? []).length > 0;
  const set = (value: Settings["run"] | undefined): Thenable<void> =>
    all.update("run", value, hasFolder ? ConfigurationTarget.Workspace : ConfigurationTarget.Global);
  if (setting("run") !== "off") return set("off");
  await set(undefined);
  // The user may have turned all workspaces off.
  if (setting("run") === "off") await set("onType");
}
