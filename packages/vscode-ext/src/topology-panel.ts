import type { LintedVm } from "@vmlint/core";
import { layoutTextOf } from "@vmlint/core/editor";
import {
  ColorThemeKind,
  commands,
  type Disposable,
  type FileRenameEvent,
  type Uri,
  ViewColumn,
  type WebviewPanel,
  window,
  workspace,
} from "vscode";
import type { Checked, Checker } from "./checker.ts";
import { panelHtml } from "./panel-html.ts";
import { changesOf, tryOut, type WhatIf, withoutSettings } from "./what-if.ts";
import { editOf } from "./workspace-edit.ts";

/** `view` is the VM that the page showed when it sent the message. */
type Message =
  | { readonly kind: "ready" }
  | { readonly kind: "what-if"; readonly view: string; readonly number: number; readonly whatIf: WhatIf }
  | { readonly kind: "write"; readonly view: string }
  | { readonly kind: "choose-host" }
  | { readonly kind: "keep-host"; readonly host: string }
  | { readonly kind: "choose-vm"; readonly vm: number }
  | { readonly kind: "explain"; readonly rule: string };

/** The displayed VM, with the names of all VMs of its file at the last check. */
interface Shown {
  readonly uri: Uri;
  readonly index: number;
  readonly names?: readonly string[];
}

type Current = { readonly checked: Checked; readonly index: number; readonly vm: LintedVm } | { readonly problem: string };

interface TopologyPanel extends Disposable {
  /** Shows one of the VMs of a file. */
  readonly show: (uri: Uri, index: number) => void;
  /** Shows the VM at the cursor, if the panel is open for its file and tries nothing. */
  readonly follow: (uri: Uri, vmAt: () => Promise<number>) => Promise<void>;
  /** Call this when the layout of a document may have changed. */
  readonly refresh: () => void;
}

/** The panel "Topology": the picture of one VM, and controls that answer "what if" without touching its file. */
export function topologyPanel(checks: Checker): TopologyPanel {
  let panel: WebviewPanel | undefined;
  let shown: Shown | undefined;
  let view = "";
  let whatIf: WhatIf = {};
  /** The number of the latest message in `whatIf`. */
  let number = 0;
  let draws = 0;

  /** Returns the displayed VM from the current text. Resets the what-if values if another VM is displayed now. */
  const current = async (): Promise<Current | undefined> => {
    const last = shown;
    const outcome = last && (await checks.of(last.uri));
    if (last !== shown) return current();
    if (!last) return undefined;
    if (outcome && !("open" in outcome)) return { problem: `${workspace.asRelativePath(outcome.file)}: ${outcome.message}` };
    const vms = outcome?.open.result.vms ?? [];
    const names = vms.map(({ spec }) => spec.name);
    const index = indexIn(names, last);
    const vm = index === undefined ? undefined : vms[index];
    if (!outcome || index === undefined || !vm) return { problem: missing(last) };
    shown = { uri: last.uri, index, names };
    const now = JSON.stringify([last.uri.toString(), vm.spec.name, placesOf(names, vm.spec.name).indexOf(index)]);
    if (now !== view) whatIf = {};
    view = now;
    return { checked: outcome, index, vm };
  };

  const draw = async () => {
    if (!panel) return;
    const turn = ++draws;
    const now = await current();
    const pictures = await import("@vmlint/core/picture");
    const { topologyHtml } = pictures;
    // A later call draws the current state, so this one stops.
    if (!panel || !now || turn !== draws) return;
    if ("problem" in now) {
      panel.title = "Topology";
      void panel.webview.postMessage({ view: "", number, isEmpty: true, picture: "", problem: now.problem });
      return;
    }
    const { checked, index, vm } = now;
    const { name } = vm.spec;
    const { layout, other, page } = tryOut(checked.open, vm, index, whatIf, pictures);
    const path = workspace.asRelativePath(checked.uri);
    panel.title = `Topology: ${name || "VM"}`;
    void panel.webview.postMessage({
      view,
      number,
      ...page,
      name,
      picture: layout ? topologyHtml(layout.host, layout.topology, { name, path, scheme: scheme(), vm: layout.vm }) : "",
      other: layout &&
        other && {
          title: other.title,
          picture: topologyHtml(other.host, other.topology, { id: "second", name, path, scheme: scheme(), vm: other.vm }),
        },
      text: layout && layoutTextOf(name, layout.host, layout.result),
    });
  };
  const receive = async (message: Message) => {
    if (message.kind === "explain") return void commands.executeCommand("vmlint.explainRule", message.rule);
    if (message.kind === "choose-host") return void commands.executeCommand("vmlint.chooseHost", shown?.uri);
    if (message.kind === "keep-host") {
      const kept = await commands.executeCommand("vmlint.chooseHost", shown?.uri, message.host);
      if (kept === true) whatIf = {};
    }
    if (message.kind === "choose-vm" && shown) shown = { uri: shown.uri, index: message.vm };
    if (message.kind === "what-if" && message.view === view) ({ whatIf, number } = message);
    if (message.kind === "write" && message.view === view) await write();
    await draw();
  };

  /** Puts what was tried into the file, which stays unsaved until the user saves it. */
  const write = async () => {
    const now = await current();
    const tried = whatIf;
    const changes = changesOf(tried);
    if (!now || "problem" in now || changes.length === 0) return;
    const { checked, vm } = now;
    const edits = checked.open.edit(vm.spec, changes);
    const edit = edits && editOf(checked, edits);
    if (!edit) {
      void window.showWarningMessage(`vmlint cannot write these settings into ${workspace.asRelativePath(checked.uri)}.`);
      return;
    }
    await workspace.applyEdit(edit);
    if (whatIf === tried) whatIf = withoutSettings(tried);
  };

  const follow = ({ files }: FileRenameEvent) => {
    for (const { oldUri, newUri } of files) {
      if (!shown || !`${shown.uri}/`.startsWith(`${oldUri}/`)) continue;
      shown = { ...shown, uri: newUri.with({ path: newUri.path + shown.uri.path.slice(oldUri.path.length) }) };
    }
    void draw();
  };

  const listeners = [window.onDidChangeActiveColorTheme(() => void draw()), workspace.onDidRenameFiles(follow)];

  return {
    show(uri, index) {
      shown = { uri, index };
      if (!panel) {
        panel = window.createWebviewPanel(
          "vmlint.topology",
          "Topology",
          { viewColumn: ViewColumn.Beside, preserveFocus: true },
          { enableScripts: true },
        );
        panel.webview.onDidReceiveMessage((message: Message) => void receive(message));
        panel.onDidDispose(() => {
          panel = undefined;
        });
        panel.webview.html = panelHtml();
      } else {
        panel.reveal(undefined, true);
        void draw();
      }
    },
    async follow(uri, vmAt) {
      const before = shown;
      if (!panel?.visible || before?.uri.toString() !== uri.toString() || Object.keys(whatIf).length > 0) return;
      const index = await vmAt();
      if (shown !== before || index === before.index) return;
      shown = { uri, index };
      await draw();
    },
    refresh: () => void draw(),
    dispose() {
      for (const one of listeners) one.dispose();
      panel?.dispose();
    },
  };
}

/** The picture's colours follow the editor's theme, not the system's. */
const scheme = () =>
  [ColorThemeKind.Dark, ColorThemeKind.HighContrast].includes(window.activeColorTheme.kind) ? ("dark" as const) : ("light" as const);

/** The configuration may ignore the file, so the message cannot be more exact. */
function missing({ uri, index, names }: Shown): string {
  const name = names?.[index];
  return `vmlint finds no virtual machine ${name ? `"${name}" ` : ""}in ${workspace.asRelativePath(uri)}.`;
}

/** Returns the index of the displayed VM after VMs were added or removed: by its name, or as the only renamed VM. */
function indexIn(names: readonly string[], { index, names: before = names }: Shown): number | undefined {
  const name = before[index];
  if (name === undefined) return undefined;
  const [was, now] = [placesOf(before, name), placesOf(names, name)];
  if (was.length === now.length) return now[was.indexOf(index)];
  const isRenamed = names.length === before.length && names.every((other, i) => i === index || other === before[i]);
  return isRenamed ? index : undefined;
}

const placesOf = (names: readonly string[], name: string): readonly number[] => names.flatMap((other, i) => (other === name ? i : []));
