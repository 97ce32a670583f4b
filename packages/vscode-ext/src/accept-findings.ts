import { acceptableAt } from "@vmlint/core/editor";
import { nameOf } from "@vmlint/core/recognise";
import { CodeAction, CodeActionKind, commands, type Disposable, Uri, window } from "vscode";
import { changeConfig, newConfigFor } from "./change-config.ts";
import type { Checked } from "./checker.ts";
import { pathBelow } from "./config-finder.ts";

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

async function accept({ document, rule, vm, config }: Acceptance): Promise<void> {
  const reason = await window.showInputBox({
    title: `Accept ${rule} in ${nameOf(config.path)}`,
    prompt: "Why is it accepted?",
    ignoreFocusOut: true,
    validateInput: (text) => (text.trim() === "" ? "A reason, for the next reader" : undefined),
  });
  if (!reason?.trim()) return;
  const path = pathBelow(Uri.joinPath(config, ".."), document);
  const { acceptIn } = await import("@vmlint/core/config-language");
  await changeConfig(config, async (text, name) => {
    const added = acceptIn(text, name, { rule, vm, path, reason });
    if (!added) throw new Error(`vmlint cannot write this into ${name}: add it to suppress: there by hand.`);
    return added;
  });
}
