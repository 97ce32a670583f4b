import type { HostModel } from "@vmlint/core";
import type { ChosenHost } from "@vmlint/core/config-language";
import { lensesOf } from "@vmlint/core/editor";
import { plural } from "@vmlint/core/program";
import { commands, type Disposable, type ExtensionContext, type FileSystemWatcher, languages, Uri, window, workspace } from "vscode";
import { acceptCommand } from "./accept-findings.ts";
import { type Checker, checker } from "./checker.ts";
import { registerCommands } from "./commands.ts";
import { configDocuments } from "./config-documents.ts";
import { display } from "./display.ts";
import { isChecked, isConfig, isExternal, mayHoldVms } from "./document-filter.ts";
import { features } from "./features.ts";
import { type Desktop, fileSystems } from "./file-system.ts";
import { chooseHost, pickHost } from "./host-picker.ts";
import { Latest } from "./latest.ts";
import { setting, toggleChecks } from "./settings.ts";
import { topologyPanel } from "./topology-panel.ts";
import { isVmNode } from "./vm-tree.ts";

/** Long enough to skip the states between two keystrokes, short enough to feel immediate. */
const TYPING_PAUSE_MS = 150;

/** The timer key of the hovers, lenses and hints. */
const BESIDE = "";

/** Called once, with the first document of one of the formats or the first command. */
export function start({ subscriptions, workspaceState }: ExtensionContext, desktop: Desktop | undefined): void {
  const configProblems = languages.createDiagnosticCollection("vmlint configuration");
  const systems = fileSystems(desktop);
  const checks = checker(systems);
  const openConfigs = configDocuments(systems, configProblems);
  const providers = features(checks, systems);
  const picker = { systems, memory: workspaceState, listed: () => listedHosts(checks) };
  const panel = topologyPanel(checks, (uri) => pickHost(uri, picker));
  const { output, log } = runLog();
  const shown = display(checks, configProblems);
  const latest = new Latest();

  const checkNow = async (uri: Uri, isLatest: () => boolean) => {
    const start = Date.now();
    const outcome = await checks.overview(uri);
    if (!isLatest()) return;
    log(uri, outcome, Date.now() - start);
    shown.show(uri, outcome);
    panel.refresh();
  };
  const schedule = (uri: Uri, delay = 0) => latest.schedule(uri.toString(), delay, (isLatest) => void checkNow(uri, isLatest));
  /** VS Code asks for lenses and hints again only after a key press, so this refreshes them. */
  const refreshSoon = (delay: number) => latest.schedule(BESIDE, delay, providers.refresh);
  const scheduleThose = async (stale: Promise<readonly Uri[]>, { delay = 0, but }: { delay?: number; but?: Uri } = {}) => {
    const others = (await stale).filter((uri) => uri.toString() !== but?.toString());
    for (const uri of others) schedule(uri, delay);
    if (others.length > 0) refreshSoon(delay);
  };
  const forget = (uri: Uri) => {
    latest.cancel(uri.toString());
    shown.clear(uri);
    panel.refresh();
  };
  const scheduleAll = () => {
    for (const document of workspace.textDocuments) if (isChecked(document)) schedule(document.uri);
    for (const uri of checks.lookedAt()) workspace.getWorkspaceFolder(uri) ? schedule(uri) : forget(uri);
  };
  const recheck = () => {
    checks.forget();
    scheduleAll();
    providers.refresh();
    panel.refresh();
  };
  const reconfigure = () => {
    configProblems.clear();
    openConfigs.checkAll();
    recheck();
  };
  const reconfigureFor = async (uri: Uri) => (isConfig(uri) || (await checks.isConfig(uri))) && reconfigure();
  const recheckFor = (uri: Uri, what: "text" | "name") => void (isExternal(uri) || scheduleThose(checks.changed(uri, what)));
  const { showElsewhere } = shown;
  const answers = { schedule, scheduleThose, forget, reconfigure, reconfigureFor, recheckFor, showElsewhere };
  const files = workspace.createFileSystemWatcher("**/*");
  subscriptions.push(
    configProblems,
    output,
    commands.registerCommand("vmlint.showOutput", () => output.show()),
    commands.registerCommand("vmlint.toggle", toggleChecks),
    openConfigs,
    providers,
    panel,
    shown,
    latest,
    files,
    acceptCommand(),
    ...registerCommands(checks, () => pickHost(subject() ?? Uri.file("/"), picker), shown.show),
    ...panelCommands(checks, panel, async (uri, host) => {
      const isChosen = await chooseHost(uri, picker, host);
      // Folders outside of the workspace are not watched.
      if (isChosen) reconfigure();
      return isChosen;
    }),
    ...listeners(checks, files, answers),
  );
  for (const document of workspace.textDocuments) void checks.opened(document);
  scheduleAll();
}

/** The output channel, and a function that adds a check of a file. */
function runLog() {
  const output = window.createOutputChannel("vmlint", { log: true });
  const log = (uri: Uri, outcome: Awaited<ReturnType<Checker["overview"]>>, milliseconds: number): void => {
    const path = workspace.asRelativePath(uri);
    if (outcome && "findings" in outcome) {
      const counts = `${plural(outcome.findings.length, "finding")}, ${plural(outcome.skipped, "check")} skipped`;
      output.info(`${path}: ${counts}, ${milliseconds} ms`);
    } else if (outcome) output.error(`${path} is not checked: ${workspace.asRelativePath(outcome.file)}: ${outcome.message}`);
  };
  return { output, log };
}

/** The commands that choose a host and show the panel, and the panel's way to the VM at the cursor. */
const panelCommands = (
  checks: Checker,
  panel: ReturnType<typeof topologyPanel>,
  choose: (uri: Uri, host: ChosenHost | undefined) => Promise<unknown>,
): readonly Disposable[] => [
  commands.registerCommand("vmlint.chooseHost", async (asked?: unknown, host?: unknown) => {
    const uri = asked instanceof Uri ? asked : isVmNode(asked) ? asked.shown.uri : subject();
    if (!uri) return void window.showInformationMessage("vmlint: open a folder or a file with a virtual machine first.");
    return choose(uri, isChosen(host) ? host : undefined);
  }),
  window.onDidChangeTextEditorSelection(({ textEditor: { document } }) => {
    void panel.follow(document.uri, () => vmAtCursor(checks, document.uri));
  }),
  // A button in the editor's title bar passes its editor group as second argument, not a VM.
  commands.registerCommand("vmlint.showTopology", async (asked?: unknown, vm?: unknown) => {
    if (isVmNode(asked)) return panel.show(asked.shown.uri, asked.index);
    const uri = asked instanceof Uri ? asked : window.activeTextEditor?.document.uri;
    if (uri) panel.show(uri, typeof vm === "number" ? vm : await vmAtCursor(checks, uri));
    else void window.showInformationMessage("vmlint: open a file with a virtual machine first, or click into it.");
  }),
];

/** The panel passes a host. Menus pass other things. */
const isChosen = (host: unknown): host is ChosenHost =>
  typeof host === "string" || (typeof host === "object" && host !== null && "facts" in host);

/** Answers to a change, by its URI. */
interface Answers {
  readonly schedule: (uri: Uri, delay?: number) => void;
  readonly scheduleThose: (stale: Promise<readonly Uri[]>, options?: { readonly delay?: number; readonly but?: Uri }) => Promise<void>;
  readonly forget: (uri: Uri) => void;
  readonly reconfigure: () => void;
  readonly reconfigureFor: (uri: Uri) => Promise<unknown>;
  readonly recheckFor: (uri: Uri, what: "text" | "name") => void;
  /** Shows findings of other files in closed files. */
  readonly showElsewhere: (closed: readonly string[]) => void;
}

/** Follows the documents, files, folders and settings of the workspace. */
const listeners = (
  checks: Checker,
  files: FileSystemWatcher,
  { schedule, scheduleThose, forget, reconfigure, reconfigureFor, recheckFor, showElsewhere }: Answers,
): readonly Disposable[] => [
  // Folders outside the workspace, and some virtual ones, cannot be watched.
  workspace.onDidSaveTextDocument((document) => {
    void reconfigureFor(document.uri);
    if (setting("run", document.uri) !== "onSave") return;
    void scheduleThose(checks.changed(document.uri, "text"), { but: document.uri });
    if (isChecked(document)) schedule(document.uri);
  }),
  workspace.onDidChangeConfiguration((change) => change.affectsConfiguration("vmlint") && reconfigure()),
  workspace.onDidChangeWorkspaceFolders(reconfigure),
  // A trusted workspace may read files outside of its folders.
  workspace.onDidGrantWorkspaceTrust(reconfigure),
  workspace.onDidOpenTextDocument((document) => {
    void scheduleThose(checks.opened(document), { but: document.uri });
    if (isChecked(document)) schedule(document.uri);
  }),
  workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
    if (contentChanges.length === 0) return;
    if (setting("run", document.uri) === "onSave") {
      void checks.changed(document.uri, "text");
      return;
    }
    void scheduleThose(checks.changed(document.uri, "text"), { delay: TYPING_PAUSE_MS, but: document.uri });
    if (isChecked(document)) schedule(document.uri, TYPING_PAUSE_MS);
  }),
  workspace.onDidCloseTextDocument((document) => {
    const stale = checks.closed(document);
    forget(document.uri);
    showElsewhere([document.uri.toString()]);
    void scheduleThose(stale);
    // Unsaved edits in the closed document no longer apply.
    void reconfigureFor(document.uri);
  }),
  // VS Code reports a deleted folder, but not the files in it.
  files.onDidDelete(reconfigureFor),
  files.onDidCreate(reconfigureFor),
  files.onDidChange(reconfigureFor),
  files.onDidDelete((uri) => {
    // An editor stays open when its file is deleted, and its text is still checked.
    if (mayHoldVms(uri) && !isExternal(uri) && !isOpen(uri)) forget(uri);
    recheckFor(uri, "name");
  }),
  files.onDidCreate((uri) => recheckFor(uri, "name")),
  files.onDidChange((uri) => recheckFor(uri, "text")),
];

const isOpen = (uri: Uri): boolean => workspace.textDocuments.some((one) => one.uri.toString() === uri.toString());

/** Returns the file whose host the user may mean: the active one, or any file of the first folder. */
function subject(): Uri | undefined {
  const [folder] = workspace.workspaceFolders ?? [];
  return window.activeTextEditor?.document.uri ?? (folder && Uri.joinPath(folder.uri, "any.vmx"));
}

/** Returns the VM with the last lens at or above the cursor, or the first VM. */
async function vmAtCursor(checks: Checker, uri: Uri): Promise<number> {
  const editor = window.activeTextEditor;
  const outcome = await checks.of(uri);
  if (editor?.document.uri.toString() !== uri.toString() || !outcome || !("open" in outcome)) return 0;
  const { end } = editor.document.lineAt(editor.selection.active.line).range;
  const above = lensesOf(outcome.open).filter(({ range }) => range[0] <= editor.document.offsetAt(end));
  return above.sort((a, b) => b.range[0] - a.range[0])[0]?.vm ?? 0;
}

/** Returns the hosts that inventories in the editor give their VMs. */
async function listedHosts(checks: Checker): Promise<readonly HostModel[]> {
  const uris = [...workspace.textDocuments.filter(isChecked).map(({ uri }) => uri), ...checks.lookedAt()];
  const outcomes = await Promise.all(uris.map(checks.overview));
  const listed = outcomes.flatMap((outcome) => (outcome && "findings" in outcome ? outcome.listedHosts : []));
  return [...new Map(listed.map((host) => [host.name, host])).values()];
}
