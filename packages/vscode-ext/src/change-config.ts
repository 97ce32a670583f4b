import type { TextEdit } from "@vmlint/core";
import { CONFIG_NAMES } from "@vmlint/core/program";
import { nameOf } from "@vmlint/core/recognise";
import { Uri, WorkspaceEdit, window, workspace } from "vscode";
import { rangeIn } from "./locate.ts";

/** Returns a path in the document's workspace folder, or in the document's own folder outside of a workspace. */
export const newConfigFor = (document: Uri): Uri =>
  Uri.joinPath(workspace.getWorkspaceFolder(document)?.uri ?? Uri.joinPath(document, ".."), CONFIG_NAMES[0] ?? "");

/**
 * Changes a configuration, or creates it. Shows a warning and returns false if the change is not possible. vmlint reads the configuration
 * from disk, so it is saved. If the user had unsaved edits in it, saving is left to the user.
 */
export async function changeConfig(config: Uri, change: (text: string, name: string) => Promise<TextEdit>): Promise<boolean> {
  const written = await workspace.openTextDocument(config).then(
    (opened) => opened,
    () => undefined,
  );
  const text = written?.getText() ?? "";
  try {
    const { range, newText } = await change(text, nameOf(config.path));
    const edit = new WorkspaceEdit();
    if (written) edit.replace(config, rangeIn(written, range), newText);
    else edit.createFile(config, { contents: new TextEncoder().encode(newText) });
    await workspace.applyEdit(edit);
    const isOurs = written?.getText() !== text && text === (await savedText(config));
    if (written && isOurs) await written.save();
    else if (written) await window.showTextDocument(written);
    return true;
  } catch (error) {
    void window.showWarningMessage(error instanceof Error ? error.message : String(error));
    return false;
  }
}

const savedText = async (file: Uri): Promise<string> => new TextDecoder().decode(await workspace.fs.readFile(file));
