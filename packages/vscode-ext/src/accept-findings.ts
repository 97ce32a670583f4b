import { acceptableAt, suppressionsAt } from "@vmlint/core/editor";
import { nameOf } from "@vmlint/core/recognise";
import { CodeAction, CodeActionKind, commands, type Disposable, Uri, type WorkspaceEdit, window, workspace } from "vscode";
import { changeConfig, newConfigFor } from "./change-config.ts";
import type { Checked } from "./checker.ts";
import { pathBelow } from "./config-finder.ts";
import { editOf } from "./workspace-edit.ts";

const COMMAND = "vmlint.accept";

/** A finding to accept, with its file, rule and VM. */
interface Acceptance {
  readonly document: Uri;
  readonly rule: string;
  readonly vm: string | undefined;
  /** The nearest configuration, or the path of a new one. */
  readonly config: Uri;
}

/** A way to accept a finding: an edit, such as a comment, or an entry of the configuration. */
type Way = { readonly title: string } & ({ readonly edit: WorkspaceEdit } | { readonly acceptance: Acceptance });

/** The command of the light bulb's "Accept...": lets the user choose a comment or an entry of `suppress:`, by VM, path and rule. */
export const acceptCommand = (): Disposable =>
  commands.registerCommand(COMMAND, async (ways: readonly Way[]) => {
    const items = ways.map((way) => ({ label: way.title, way }));
    const picked = await window.showQuickPick(items, { title: "Accept the finding where?" });
    if (!picked) return;
    if ("edit" in picked.way) await workspace.applyEdit(picked.way.edit);
    else await accept(picked.way.acceptance);
  });

/** Returns the entry of the light bulb for the findings that a selection touches; an empty list without one. */
export function acceptActions(checked: Checked, selection: readonly [number, number], nearest: Uri | undefined): CodeAction[] {
  const { uri, open } = checked;
  const comments = suppressionsAt(open, selection).flatMap(({ title, fix }): readonly Way[] => {
    const edit = editOf(checked, fix.edits);
    return edit ? [{ title, edit }] : [];
  });
  const config = nearest ?? newConfigFor(uri);
  const entries =
    uri.scheme === "untitled"
      ? []
      : acceptableAt(open, selection, nameOf(config.path)).map(
          ({ title, rule, vm }): Way => ({ title, acceptance: { document: uri, rule, vm, config } }),
        );
  const ways = [...comments, ...entries];
  if (ways.length === 0) return [];
  const action = new CodeAction("Accept...", CodeActionKind.QuickFix);
  action.command = { title: action.title, command: COMMAND, arguments: [ways] };
  return [action];
}

async function accept({ document, rule, vm, config }: Acceptance): Promise<void> {
  const reason = await window.showInputBox({
    title: `Accept ${rule} in ${nameOf(config.path)}`,
    prompt: "Why is it accepted?",
    ignoreFocusOut: true,
    validateInput: (text) => (text.trim() === "" ? "A reason, for the next reader" : undefined),
  });
  if (!reason?.trim()) return;
  const path = pathBelow(Uri.joinPath(config, "..").path, document.path);
  const { acceptIn } = await import("@vmlint/core/config-language");
  await changeConfig(config, async (text, name) => {
    const added = acceptIn(text, name, { rule, vm, path, reason });
    if (!added) throw new Error(`vmlint cannot write this into ${name}: add it to suppress: there by hand.`);
    return added;
  });
}
