import type { Place } from "@vmlint/core/editor";
import { formats, type LintedFile, PLAIN, plural, rules, summarize, VERSION } from "@vmlint/core/program";
import { type CancellationToken, commands, type Disposable, EventEmitter, ProgressLocation, Uri, window, workspace } from "vscode";
import type { Checked, Checker, ShownFile, UnreadConfig } from "./checker.ts";
import type { PickedHost } from "./host-picker.ts";

/** Scheme of pages that exist in no file: rules and sizings. */
const PAGES = "vmlint";

const STARTER_CONFIG = `# What vmlint checks VMs against. The nearest file of this name above a VM counts.

# The host they run on. The command "vmlint: Choose Host..." writes this line.
# host: lab

hosts:
  lab:
    esxi: "8.0"
    cpu: 2x Xeon Gold 6148
    memoryGiB: 768

# rules:
#   numa/wide-uneven: error
`;

/** The forms of a report that people save, by the ending of their files. */
const WRITERS = { html: "html", json: "json", sarif: "sarif", md: "md", xlsx: "xlsx" } as const;
const REPORTS = { HTML: ["html"], JSON: ["json"], SARIF: ["sarif"], Markdown: ["md"], Excel: ["xlsx"] };

/** Shows what came of a check. */
type Show = (uri: Uri, outcome: ShownFile | UnreadConfig) => void;

/** The palette's commands; the panel's and the view's register their own. `pick` lets the user choose a host. */
export function registerCommands(checks: Checker, pick: () => Promise<PickedHost | undefined>, show: Show): Disposable[] {
  const pages = new Map<string, string>();
  const changed = new EventEmitter<Uri>();
  const openPage = async (name: string, text: string, preview: boolean) => {
    const uri = Uri.from({ scheme: PAGES, path: `/${name}` });
    pages.set(uri.path, text);
    changed.fire(uri);
    if (preview) await commands.executeCommand("markdown.showPreview", uri);
    else await window.showTextDocument(await workspace.openTextDocument(uri), { preview: true });
  };
  const lintWorkspace = () =>
    window.withProgress(
      { location: ProgressLocation.Notification, title: "vmlint: checking the workspace", cancellable: true },
      (_, token) => checkWorkspace(checks, show, token),
    );

  return [
    changed,
    workspace.registerTextDocumentContentProvider(PAGES, {
      onDidChange: changed.event,
      provideTextDocumentContent: ({ path }) => pages.get(path) ?? "",
    }),
    commands.registerCommand("vmlint.lintWorkspace", async () => {
      const { shown, unread, isWhole } = await lintWorkspace();
      const found = shown.reduce((count, { findings }) => count + findings.length, 0);
      const missed = unread > 0 ? `; ${unread} not checked, see Problems` : "";
      const rest = isWhole ? "" : "; stopped before all were checked";
      void window.setStatusBarMessage(`vmlint: ${plural(found, "finding")} in ${plural(shown.length, "file")}${missed}${rest}`, 5000);
      return found;
    }),
    commands.registerCommand("vmlint.fixAll", async () => {
      if (!window.activeTextEditor) return void window.showInformationMessage("vmlint: open a file with a virtual machine first.");
      await commands.executeCommand("editor.action.sourceAction", { kind: "source.fixAll.vmlint", apply: "first" });
    }),
    commands.registerCommand("vmlint.exportReport", async () => {
      const { shown, isWhole } = await lintWorkspace();
      // A report of some files would pass for one of all.
      if (isWhole) await exportReport(shown, checks);
    }),
    commands.registerCommand("vmlint.createConfig", async () => {
      const folder = await folderToConfigure();
      if (!folder) return;
      const file = Uri.joinPath(folder, "vmlint.yaml");
      const exists = await workspace.fs.stat(file).then(
        () => true,
        () => false,
      );
      if (!exists) await workspace.fs.writeFile(file, new TextEncoder().encode(STARTER_CONFIG));
      await window.showTextDocument(file);
    }),
    commands.registerCommand("vmlint.explainRule", async (asked?: string, some?: readonly string[]) => {
      const offered = (await ruleItems()).filter(({ label }) => !Array.isArray(some) || some.includes(label));
      const id = asked ?? (await window.showQuickPick(offered, { title: "Explain which rule?", matchOnDescription: true }))?.label;
      const rule = rules.find((candidate) => candidate.id === id);
      if (!rule) return;
      const { ruleMarkdown } = await import("@vmlint/core/docs");
      await openPage(`${rule.id.replace("/", "-")}.md`, await ruleMarkdown(rule), true);
    }),
    commands.registerCommand("vmlint.sizeVm", async () => {
      const host = (await pick())?.host;
      if (!host) return;
      const answer = await window.showInputBox({
        title: "How many vCPUs do you want?",
        validateInput: (text) => (/^[1-9]\d{0,3}$/.test(text) ? undefined : "A whole number such as 22"),
      });
      if (answer === undefined) return;
      const { size, sizeText } = await import("@vmlint/core/size");
      await openPage(`${answer} vCPUs on ${host.name}.txt`, sizeText(size({ vcpus: Number(answer) }, [host])), false);
    }),
  ];
}

/** Writes a report where the user wants it. */
async function exportReport(shown: readonly ShownFile[], checks: Checker): Promise<void> {
  const target = await window.showSaveDialog({ filters: REPORTS, title: "Save vmlint's report" });
  if (!target) return;
  const ending = target.path.slice(target.path.lastIndexOf(".") + 1);
  const { reporters } = await import("@vmlint/core/reporters");
  const write = ending in WRITERS ? reporters[WRITERS[ending as keyof typeof WRITERS]] : reporters.html;
  const results = [];
  for (const { uri } of shown) {
    const checked = await checks.of(uri);
    if (checked && "open" in checked) results.push(summarize(reported(checked)));
  }
  const date = new Date().toISOString().slice(0, 10);
  const inputs = (workspace.workspaceFolders ?? []).map(({ name }) => name);
  const report = write(results, { tool: { name: "vmlint", version: VERSION }, failOn: "warning", palette: PLAIN, date, inputs });
  await workspace.fs.writeFile(target, typeof report === "string" ? new TextEncoder().encode(report) : report);
}

/** A file as reports have it: they name all files by their paths in the workspace. */
function reported({ uri, open: { text, result, textOf }, locate }: Checked): LintedFile {
  const otherTexts = new Map<string, string>();
  const shown = <T extends Place>(place: T): T => {
    const location = place.path === undefined ? undefined : locate(place);
    if (!location) return place;
    const path = workspace.asRelativePath(location.uri);
    otherTexts.set(path, textOf(place.path ?? "") ?? "");
    return { ...place, path };
  };
  const diagnostics = result.diagnostics.map((one) => ({
    ...one,
    related: one.related.map(shown),
    fixes: one.fixes.map((fix) => ({ ...fix, edits: fix.edits.map(shown) })),
  }));
  const path = workspace.asRelativePath(uri);
  return { path, text, ...result, diagnostics, ...(otherTexts.size > 0 && { otherTexts }) };
}

/** Returns the workspace folder for a new configuration: the folder of the active file, the only folder, or the user's choice. */
async function folderToConfigure(): Promise<Uri | undefined> {
  const { workspaceFolders = [] } = workspace;
  if (workspaceFolders.length === 0) {
    void window.showWarningMessage("vmlint: open a folder first; the configuration is written into it.");
    return undefined;
  }
  const active = window.activeTextEditor && workspace.getWorkspaceFolder(window.activeTextEditor.document.uri);
  const folder = active ?? (workspaceFolders.length === 1 ? workspaceFolders[0] : await window.showWorkspaceFolderPick());
  return folder?.uri;
}

interface CheckedWorkspace {
  readonly shown: readonly ShownFile[];
  /** How many files could not be checked. */
  readonly unread: number;
  /** False when it was stopped before all files were checked. */
  readonly isWhole: boolean;
}

/** Checks every file of the workspace that may hold VMs, with the unsaved edits of open documents. */
async function checkWorkspace(checks: Checker, show: Show, token: CancellationToken): Promise<CheckedWorkspace> {
  const shown: ShownFile[] = [];
  let unread = 0;
  for await (const [uri, outcome] of checks.lookAt(
    formats.flatMap(({ extensions, mustBeNamed }) => (mustBeNamed ? [] : extensions)),
    token,
  )) {
    show(uri, outcome);
    if ("findings" in outcome) shown.push(outcome);
    else unread++;
  }
  return { shown, unread, isWhole: !token.isCancellationRequested };
}

async function ruleItems() {
  const { pageOf } = await import("@vmlint/core/docs");
  return rules.map((rule) => ({ label: rule.id, description: pageOf(rule).summary }));
}
