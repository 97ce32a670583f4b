import { CONFIG_NAMES } from "@vmlint/core";
import { acceptableAt } from "@vmlint/core/editor";
import { nameOf } from "@vmlint/core/recognise";
import { CodeAction, CodeActionKind, commands, type Disposable, Uri, WorkspaceEdit, window, workspace } from "vscode";
import type { Checked } from "./checker.ts";
import { pathBelow } from "./config-finder.ts";
import { rangeIn } from "./places.ts";

const COMMAND = "vmlint.acceptInConfig";

/** A finding to accept, with its file, rule and VM. */
interface Acceptance {
  readonly document: Uri;
  readonly rule: string;
  readonly vm: string | undefined;
  /** The nearest configuration, or the path of a new one. */
  readonly config: Uri;
}

/** The command behind the light bulb's "Accept in vmlint.yaml, with a reason...": an entry of `suppress:` by VM, path and rule. */
export const acceptCommand = (): Disposable => commands.registerCommand(COMMAND, (acceptance: Acceptance) => accept(acceptance));

/** The entries of the light bulb, for the findings that a selection touches. */
export function acceptActions({ uri, open }: Checked, selection: readonly [number, number], nearest: Uri | undefined): CodeAction[] {
  if (uri.scheme === "untitled") return [];
  const config = nearest ?? newConfigFor(uri);
  return acceptableAt(open, selection, nameOf(config.path)).map(({ title, rule, vm }) => {
    const action = new CodeAction(title, CodeActionKind.QuickFix);
    const acceptance: Acceptance = { document: uri, rule, vm, config };
    action.command = { title, command: COMMAND, arguments: [acceptance] };
    return action;
  });
}

/** Returns a path in the document's workspace folder, or in the document's own folder outside of a workspace. */
const newConfigFor = (document: Uri): Uri =>
  Uri.joinPath(workspace.getWorkspaceFolder(document)?.uri ?? Uri.joinPath(document, ".."), CONFIG_NAMES[0] ?? "");

async function accept({ document, rule, vm, config }: Acceptance): Promise<void> {
  const reason = await window.showInputBox({
    title: `Accept ${rule} in ${nameOf(config.path)}`,
    prompt: "Why is it accepted?",
    ignoreFocusOut: true,
    validateInput: (text) => (text.trim() === "" ? "A reason, for the next reader" : undefined),
  });
  if (!reason?.trim()) return;
  const written = await workspace.openTextDocument(config).then(
    (opened) => opened,
    () => undefined,
  );
  const text = written?.getText() ?? "";
  const path = pathBelow(Uri.joinPath(config, ".."), document);
  const { acceptIn } = await import("@vmlint/core/config-language");
  try {
    const added = acceptIn(text, nameOf(config.path), { rule, vm, path, reason });
    if (!added) throw new Error(`vmlint cannot write this into ${nameOf(config.path)}: add it to suppress: there by hand.`);
    const edit = new WorkspaceEdit();
    if (written) edit.replace(config, rangeIn(written, added.range), added.newText);
    else edit.createFile(config, { contents: new TextEncoder().encode(added.newText) });
    await workspace.applyEdit(edit);
    // vmlint reads the configuration from disk, so it is saved. If the user had unsaved edits in it, saving is left to the user.
    const isOurs = written?.getText() !== text && text === (await savedText(config));
    if (written && isOurs) await written.save();
    else if (written) await window.showTextDocument(written);
  } catch (error) {
    void window.showWarningMessage(error instanceof Error ? error.message : String(error));
  }
}

const savedText = async (file: Uri): Promise<string> => new TextDecoder().decode(await workspace.fs.readFile(file));
