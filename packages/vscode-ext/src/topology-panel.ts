import { guestTextOf, layoutTextOf } from "@vmlint/core/editor";
import type { LintedVm } from "@vmlint/core/program";
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
import type { PickedHost } from "./host-picker.ts";
import { panelHtml } from "./panel-html.ts";
import { changesOf, type Tried, tryOut, type WhatIf, withoutSettings } from "./what-if.ts";
import { editOf } from "./workspace-edit.ts";

/** `view` is the VM that the page showed when it sent the message. */
type Message =
  | { readonly kind: "ready" }
  | { readonly kind: "what-if"; readonly view: string; readonly number: number; readonly whatIf: WhatIf }
  | { readonly kind: "write"; readonly view: string }
  | { readonly kind: "reset" }
  | { readonly kind: "try-host" }
  | { readonly kind: "keep-host" }
  | { readonly kind: "choose-vm"; readonly vm: number }
  | { readonly kind: "explain"; readonly rule: string };

/** The displayed VM, with the names of all VMs of its file at the last check. */
interface Shown {
  readonly uri: Uri;
  readonly index: number;
  readonly names?: readonly string[];
}

interface CurrentVm {
  readonly checked: Checked;
  readonly index: number;
  readonly vm: LintedVm;
}

type Current = CurrentVm | { readonly problem: string };

interface TopologyPanel extends Disposable {
  /** Shows one of the VMs of a file. */
  readonly show: (uri: Uri, index: number) => void;
  /** Shows the VM at the cursor, if the panel is open for its file and tries nothing. */
  readonly follow: (uri: Uri, vmAt: () => Promise<number>) => Promise<void>;
  /** Call this when the layout of a document may have changed. */
  readonly refresh: () => void;
}

/** The panel "Topology": the picture of one VM, and controls that answer "what if" without touching its file. */
export function topologyPanel(checks: Checker, pickHost: PickHost): TopologyPanel {
  let panel: WebviewPanel | undefined;
  let draws = 0;
  const displayed = openDisplayed(checks);
  const { state, current } = displayed;

  const draw = async () => {
    if (!panel) return;
    const turn = ++draws;
    const now = await current();
    const pictures = await import("@vmlint/core/picture");
    // A later call draws the current state, so this one stops.
    if (!panel || !now || turn !== draws) return;
    const isEmpty = "problem" in now;
    panel.title = isEmpty ? "Topology" : `Topology: ${now.vm.spec.name || "VM"}`;
    const { view, number, whatIf, picked } = state;
    const contents = isEmpty
      ? { ...EMPTY, problem: now.problem }
      : { view, ...checks.inTime(now.checked.uri, () => contentsOf(now, { ...whatIf, host: picked?.host }, pictures)) };
    void panel.webview.postMessage({ number, ...contents });
  };
  const receive = async (message: Message) => {
    if (message.kind === "explain") return void commands.executeCommand("vmlint.explainRule", message.rule);
    await carryOut(message, displayed, pickHost);
    await draw();
  };

  const listeners = [
    window.onDidChangeActiveColorTheme(() => void draw()),
    workspace.onDidRenameFiles((renames) => {
      state.shown &&= { ...state.shown, uri: renamed(state.shown.uri, renames) };
      void draw();
    }),
  ];

  return {
    show(uri, index) {
      state.shown = { uri, index };
      panel?.reveal(undefined, true);
      if (panel) void draw();
      else panel = openPanel(receive, () => (panel = undefined));
    },
    async follow(uri, vmAt) {
      const { shown: before, whatIf, picked } = state;
      if (!panel?.visible || before?.uri.toString() !== uri.toString() || Object.keys(whatIf).length > 0 || picked) return;
      const index = await vmAt();
      if (state.shown !== before || index === before.index) return;
      state.shown = { uri, index };
      await draw();
    },
    refresh: () => void draw(),
    dispose() {
      for (const one of listeners) one.dispose();
      panel?.dispose();
    },
  };
}

/** Lets the user choose a host for the VMs of a file. */
type PickHost = (uri: Uri) => Promise<PickedHost | undefined>;

/** The displayed VM, and the values and the host that the user tries on it. */
interface State {
  shown: Shown | undefined;
  view: string;
  whatIf: WhatIf;
  picked: PickedHost | undefined;
  /** The number of the latest message in `whatIf`. */
  number: number;
}

function openDisplayed(checks: Checker) {
  const state: State = { shown: undefined, view: "", whatIf: {}, picked: undefined, number: 0 };
  const reset = (): void => {
    state.whatIf = {};
    state.picked = undefined;
  };
  /** Returns the displayed VM from the current text. Resets the what-if values if another VM is displayed now. */
  const current = async (): Promise<Current | undefined> => {
    const last = state.shown;
    const outcome = last && (await checks.of(last.uri));
    if (last !== state.shown) return current();
    const found = last && vmOf(last, outcome);
    if (!found || "problem" in found) return found;
    state.shown = found.shown;
    if (found.view !== state.view) reset();
    state.view = found.view;
    return found;
  };
  return { state, reset, current };
}

/** Carries out a message of the page. */
async function carryOut(message: Message, { state, reset, current }: ReturnType<typeof openDisplayed>, pickHost: PickHost): Promise<void> {
  const { shown, view } = state;
  if (message.kind === "try-host" && shown) {
    const picked = await pickHost(shown.uri);
    // The release was one of the host before.
    const { esxi: _, ...whatIf } = state.whatIf;
    if (picked && state.view === view) Object.assign(state, { picked, whatIf });
  }
  if (message.kind === "keep-host") {
    const kept = await commands.executeCommand("vmlint.chooseHost", shown?.uri, state.picked?.chosen);
    if (kept === true) reset();
  }
  if (message.kind === "reset") reset();
  if (message.kind === "choose-vm" && shown) state.shown = { uri: shown.uri, index: message.vm };
  if (message.kind === "what-if" && message.view === view) Object.assign(state, { whatIf: message.whatIf, number: message.number });
  const written = message.kind === "write" && message.view === view ? await current() : undefined;
  const tried = state.whatIf;
  if (written && !("problem" in written) && (await isWritten(written, tried)) && state.whatIf === tried)
    state.whatIf = withoutSettings(tried);
}

/** The contents of a panel without a VM. */
const EMPTY = { view: "", isEmpty: true, picture: "" };

/** Opens the panel. Its page asks for its contents by a message. */
function openPanel(receive: (message: Message) => Promise<void>, closed: () => void): WebviewPanel {
  const place = { viewColumn: ViewColumn.Beside, preserveFocus: true };
  const panel = window.createWebviewPanel("vmlint.topology", "Topology", place, { enableScripts: true });
  panel.webview.onDidReceiveMessage((message: Message) => void receive(message));
  panel.onDidDispose(closed);
  panel.webview.html = panelHtml();
  return panel;
}

/** Returns the displayed VM after a check of its file, with a key that no other VM has. */
function vmOf(last: Shown, outcome: Awaited<ReturnType<Checker["of"]>>) {
  if (outcome && !("open" in outcome)) return { problem: `${workspace.asRelativePath(outcome.file)}: ${outcome.message}` };
  const vms = outcome?.open.result.vms ?? [];
  const names = vms.map(({ spec }) => spec.name);
  const index = indexIn(names, last);
  const vm = index === undefined ? undefined : vms[index];
  if (!outcome || index === undefined || !vm) return { problem: missing(last) };
  const view = JSON.stringify([last.uri.toString(), vm.spec.name, placesOf(names, vm.spec.name).indexOf(index)]);
  return { checked: outcome, index, vm, view, shown: { uri: last.uri, index, names } };
}

/** Puts what was tried into the file, which stays unsaved until the user saves it. */
async function isWritten({ checked, vm }: CurrentVm, tried: WhatIf): Promise<boolean> {
  const changes = changesOf(tried);
  if (changes.length === 0) return false;
  const edits = checked.open.edit(vm.spec, changes);
  const edit = edits && editOf(checked, edits);
  if (edit) return workspace.applyEdit(edit);
  void window.showWarningMessage(`vmlint cannot write these settings into ${workspace.asRelativePath(checked.uri)}.`);
  return false;
}

/** Returns the new URI of a file after it, or a folder above it, was renamed. */
function renamed(uri: Uri, { files }: FileRenameEvent): Uri {
  const above = files.find(({ oldUri }) => `${uri}/`.startsWith(`${oldUri}/`));
  return above ? above.newUri.with({ path: above.newUri.path + uri.path.slice(above.oldUri.path.length) }) : uri;
}

/** Returns the contents of the page for a VM. */
function contentsOf({ checked, index, vm }: CurrentVm, tried: Tried, pictures: typeof import("@vmlint/core/picture")) {
  const { name } = vm.spec;
  const { layout, guest, other, page } = tryOut(checked.open, vm, index, tried, pictures);
  // The page has the name and the flaws above the picture.
  const options = { name, scheme: scheme(), isUntitled: true };
  const { togetherHtml, topologyHtml, vmPicture } = pictures;
  const together = togetherHtml(workspace.asRelativePath(checked.uri), checked.open.result.vms, { scheme: scheme(), id: "together" });
  if (guest?.view) return { ...page, picture: vmPicture(guest.vm, options), text: guestTextOf(guest.view) };
  return {
    ...page,
    together,
    picture: layout ? topologyHtml(layout.host, layout.topology, { ...options, vm: layout.vm }) : "",
    other: layout &&
      other && { title: other.title, picture: topologyHtml(other.host, other.topology, { ...options, id: "second", vm: other.vm }) },
    text: layout && layoutTextOf(name, layout.host, layout.result),
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
