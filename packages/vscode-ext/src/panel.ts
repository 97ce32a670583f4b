import {
  applyEdits,
  builtinHosts,
  type Change,
  deriveTopology,
  esxi,
  formatEsxi,
  type HostModel,
  parseEsxi,
  type Topology,
} from "@vmlint/core";
import { layoutTextOf } from "@vmlint/core/editor";
import { ColorThemeKind, commands, type Disposable, type Uri, ViewColumn, type WebviewPanel, window, workspace } from "vscode";
import type { Checked, Checker } from "./checker.ts";
import { editOf } from "./features.ts";
import { panelHtml } from "./panel-html.ts";

/** What the panel's controls say: the VM's own values until one is moved. */
interface WhatIf {
  readonly host?: string;
  readonly esxi?: string;
  readonly vcpus?: number;
  readonly coresPerSocket?: number | "auto";
  readonly preferHt?: boolean;
}

type Message =
  | { readonly kind: "ready" }
  | { readonly kind: "what-if"; readonly whatIf: WhatIf }
  | { readonly kind: "write" }
  | { readonly kind: "explain"; readonly rule: string };

/** The releases whose behaviour differs, for the picker. */
const RELEASES = [esxi(5, 5), esxi(6, 0), esxi(6, 7), esxi(7, 0), esxi(8, 0), esxi(9, 0)].map(formatEsxi);

export interface TopologyPanel extends Disposable {
  readonly show: (uri: Uri, vm: number) => void;
  /** To be called when a document may lie differently now. */
  readonly refresh: () => void;
}

/** The panel "Topology": the picture of one VM, and controls that answer "what if" without touching its file. */
export function topologyPanel(checks: Checker): TopologyPanel {
  let panel: WebviewPanel | undefined;
  let shown: { readonly uri: Uri; readonly vm: number } | undefined;
  let whatIf: WhatIf = {};

  const draw = async () => {
    const checked = shown && (await checkedOf(shown.uri, checks));
    const vm = checked?.open.result.vms[shown?.vm ?? 0];
    if (!panel || !checked || !vm) return;
    const { spec, target } = vm;
    const host = hostOf(checked, target.host, whatIf);
    const base = host && deriveTopology(spec, host, target.workload);
    const { vcpus, coresPerSocket, preferHt } = whatIf;
    const override = {
      ...(vcpus !== undefined && { vcpus }),
      ...(coresPerSocket !== undefined && { coresPerSocket }),
      ...(preferHt !== undefined && { preferHt }),
    };
    const result = host && deriveTopology(spec, host, target.workload, override);
    const { topologySvg } = await import("@vmlint/core/picture");
    const findings = findingsOf(checked, shown?.vm ?? 0, host, whatIf);
    panel.title = `Topology: ${spec.name || "VM"}`;
    void panel.webview.postMessage({
      name: spec.name || "VM",
      hosts: [...checked.open.config.hosts.keys(), ...builtinHosts.map(({ name }) => name)],
      releases: RELEASES,
      host: host?.name,
      esxi: host?.esxi && formatEsxi(host.esxi),
      own: base?.ok ? ownOf(base.topology, spec.settings.preferHt) : undefined,
      whatIf,
      svg:
        host && result?.ok
          ? topologySvg(host, result.topology, { name: spec.name, path: workspace.asRelativePath(checked.uri), scheme: scheme() })
          : "",
      text: host && result?.ok ? layoutTextOf(spec.name, host, result.topology) : undefined,
      findings,
      problem: !host ? "Choose a host." : result?.ok ? "" : (result?.reasons ?? []).map(({ text }) => text).join("; "),
      canWrite: changesOf(whatIf).length > 0,
    });
  };
  const receive = async (message: Message) => {
    if (message.kind === "what-if") whatIf = message.whatIf;
    if (message.kind === "write") await write();
    if (message.kind === "explain") return void commands.executeCommand("vmlint.explainRule", message.rule);
    await draw();
  };
  /** Puts what was tried into the file, which stays unsaved until the user saves it. */
  const write = async () => {
    const checked = shown && (await checkedOf(shown.uri, checks));
    const vm = checked?.open.result.vms[shown?.vm ?? 0];
    if (!checked || !vm) return;
    const edits = checked.open.format.edit(checked.open.text, vm.spec, changesOf(whatIf));
    const edit = edits && editOf(checked, edits);
    if (!edit) {
      void window.showWarningMessage(`vmlint cannot write these settings into ${workspace.asRelativePath(checked.uri)}.`);
      return;
    }
    await workspace.applyEdit(edit);
    const { vcpus: _, coresPerSocket: __, preferHt: ___, ...rest } = whatIf;
    whatIf = rest;
  };

  const theme = window.onDidChangeActiveColorTheme(() => void draw());

  return {
    show(uri, vm) {
      if (shown?.uri.toString() !== uri.toString() || shown.vm !== vm) whatIf = {};
      shown = { uri, vm };
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
    refresh: () => void draw(),
    dispose() {
      theme.dispose();
      panel?.dispose();
    },
  };
}

/** The picture's colours follow the editor's theme, not the system's. */
const scheme = () =>
  [ColorThemeKind.Dark, ColorThemeKind.HighContrast].includes(window.activeColorTheme.kind) ? ("dark" as const) : ("light" as const);

async function checkedOf(uri: Uri, checks: Checker): Promise<Checked | undefined> {
  const outcome = await checks.of(uri);
  return outcome && "open" in outcome ? outcome : undefined;
}

function hostOf({ open: { config } }: Checked, own: HostModel | undefined, { host: name, esxi: release }: WhatIf): HostModel | undefined {
  const chosen = name === undefined ? own : (config.hosts.get(name) ?? builtinHosts.find((host) => host.name === name));
  const version = release === undefined ? undefined : parseEsxi(release);
  return chosen && version ? { ...chosen, esxi: version } : chosen;
}

/** What is found of a VM with the values that are tried; `undefined` where its file cannot say them, or is one of several. */
function findingsOf({ open }: Checked, index: number, host: HostModel | undefined, whatIf: WhatIf) {
  const vm = open.result.vms[index];
  if (!vm) return undefined;
  const listed = ({ vms, diagnostics }: Checked["open"]["result"]) =>
    diagnostics
      .filter(({ vm: name }) => vms.length === 1 || name === vms[index]?.spec.name)
      .map(({ severity, message, ruleId }) => ({ severity, message, rule: ruleId }));
  if (Object.keys(whatIf).length === 0) return listed(open.result);
  const changes = changesOf(whatIf);
  const edits = changes.length > 0 ? open.format.edit(open.text, vm.spec, changes) : [];
  if (!open.again || !edits) return undefined;
  const { config } = open;
  // A host that is tried may be of another release than the one of its name.
  const tried = host ? { ...config, hosts: new Map([...config.hosts, [host.name, host]]) } : config;
  return listed(open.again(applyEdits(open.text, edits), { config: tried, host: host?.name ?? "" }).result);
}

const ownOf = ({ vcpus, coresPerSocket }: Topology, preferHt: { readonly state: string; readonly value?: boolean }) => ({
  vcpus,
  coresPerSocket,
  preferHt: preferHt.state === "known" && preferHt.value === true,
});

const changesOf = ({ vcpus, coresPerSocket, preferHt }: WhatIf): Change[] => [
  ...(vcpus === undefined ? [] : [{ setting: "vcpus", value: vcpus } as const]),
  ...(coresPerSocket === undefined ? [] : [{ setting: "coresPerSocket", value: coresPerSocket } as const]),
  ...(preferHt === undefined ? [] : [{ setting: "preferHt", value: preferHt } as const]),
];
