import { type ExtensionContext, languages, type TextDocument, type Uri, window, workspace } from "vscode";
import { type Checked, check } from "./check.ts";
import { CONFIG_GLOB, configFinder, isConfig } from "./config.ts";
import { type Status, statusBar } from "./status.ts";

/** Long enough to skip the states between two keystrokes, short enough to feel immediate. */
const TYPING_PAUSE_MS = 150;

/** Called by VS Code when the first .vmx is opened. */
export function activate({ subscriptions }: ExtensionContext): void {
  const findings = languages.createDiagnosticCollection("vmlint");
  const configProblems = languages.createDiagnosticCollection("vmlint configuration");
  const configs = configFinder();
  const status = statusBar();
  const warned = new Set<string>();
  const latest = new Map<string, ReturnType<typeof setTimeout>>();

  const show = (uri: Uri, { result, diagnostics, badHost }: Checked) => {
    findings.set(uri, diagnostics);
    status.set(uri, result.foreign === undefined ? summary(result, badHost) : undefined);
    if (badHost === undefined || warned.has(badHost)) return;
    warned.add(badHost);
    void window.showWarningMessage(`vmlint.host: ${badHost}`);
  };
  const checkNow = async (document: TextDocument, isLatest: () => boolean) => {
    const found = await configs.find(document);
    if (!isLatest()) return;
    if ("config" in found) return show(document.uri, check(document, found.config, found.folder));
    configProblems.set(found.file, [found.problem]);
    findings.delete(document.uri);
    const name = found.file.path.replace(/.*\//, "");
    status.set(document.uri, { text: `vmlint: error in ${name}`, tooltip: `${name}: ${found.problem.message}` });
  };
  const schedule = (document: TextDocument, delay = 0) => {
    if (!isChecked(document)) return;
    const key = document.uri.toString();
    clearTimeout(latest.get(key));
    const timer = setTimeout(() => void checkNow(document, () => latest.get(key) === timer), delay);
    latest.set(key, timer);
  };
  const scheduleAll = () => {
    for (const document of workspace.textDocuments) schedule(document);
  };
  const forget = (uri: Uri) => {
    const key = uri.toString();
    clearTimeout(latest.get(key));
    latest.delete(key);
    findings.delete(uri);
    status.set(uri, undefined);
  };
  const reconfigure = () => {
    configs.forget();
    configProblems.clear();
    scheduleAll();
  };

  const configFiles = workspace.createFileSystemWatcher(CONFIG_GLOB);
  // An editor stays open when its file goes from the disk, and programs that save by replacing make it come back.
  const files = workspace.createFileSystemWatcher("**/*.{vmx,vmtx}", false, true, false);
  subscriptions.push(
    findings,
    configProblems,
    status,
    configFiles,
    files,
    { dispose: () => latest.forEach((timer) => void clearTimeout(timer)) },
    configFiles.onDidCreate(reconfigure),
    configFiles.onDidChange(reconfigure),
    configFiles.onDidDelete(reconfigure),
    // Folders outside the workspace, and some virtual ones, cannot be watched.
    workspace.onDidSaveTextDocument(({ uri }) => isConfig(uri) && reconfigure()),
    workspace.onDidChangeWorkspaceFolders(reconfigure),
    workspace.onDidChangeConfiguration((change) => {
      if (!change.affectsConfiguration("vmlint")) return;
      warned.clear();
      scheduleAll();
    }),
    workspace.onDidOpenTextDocument((document) => schedule(document)),
    workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      if (contentChanges.length > 0) schedule(document, TYPING_PAUSE_MS);
    }),
    workspace.onDidCloseTextDocument(({ uri }) => forget(uri)),
    files.onDidDelete(forget),
    files.onDidCreate(scheduleAll),
    window.onDidChangeActiveTextEditor(status.show),
  );
  scheduleAll();
}

/** The old side of a diff is a document too: of a file system that is neither ours to write nor in the workspace. */
const isChecked = ({ languageId, uri }: TextDocument): boolean =>
  languageId === "vmx" && (workspace.getWorkspaceFolder(uri) !== undefined || workspace.fs.isWritableFileSystem(uri.scheme) !== false);

function summary({ vms, diagnostics }: Checked["result"], badHost: string | undefined): Status {
  const host = vms[0]?.target.host?.name;
  const text = `vmlint: ${diagnostics.length}${host === undefined ? ", no host" : ` on ${host}`}`;
  if (host !== undefined) return { text, tooltip: `Checked against host ${host}.` };
  const advice = badHost ?? "Name one in the setting vmlint.host or in vmlint.yaml.";
  return { text, tooltip: `Checks that need a host are skipped. ${advice}` };
}
