import { type FileFindings, OtherFileFindings } from "@vmlint/core/editor";
import { plural } from "@vmlint/core/program";
import { nameOf } from "@vmlint/core/recognise";
import { commands, type DiagnosticCollection, Disposable, languages, Uri, window, workspace } from "vscode";
import type { Checker, ShownFile, UnreadConfig } from "./checker.ts";
import { diagnosticsOf } from "./diagnostics.ts";
import { isConfig, isOpenConfig } from "./document-filter.ts";
import { isOff } from "./settings.ts";
import { type Status, statusBar } from "./status.ts";
import { countWords, VmTree } from "./vm-tree.ts";

interface Display extends Disposable {
  /** Shows what came of the check of a file. */
  readonly show: (uri: Uri, outcome: ShownFile | UnreadConfig | undefined) => void;
  /** Call this when a file is no longer checked. */
  readonly clear: (uri: Uri) => void;
  /** Shows findings of other files in files that are not checked by themselves. */
  readonly showElsewhere: (keys: Iterable<string>) => void;
}

/** Shows problems, the view "Virtual machines" and the status bar. */
export function display(checks: Checker, configProblems: DiagnosticCollection): Display {
  const findings = languages.createDiagnosticCollection("vmlint");
  const tree = new VmTree();
  const status = statusBar();
  const otherFindings = new OtherFileFindings();

  const showElsewhere = (keys: Iterable<string>) => {
    for (const key of keys) {
      const uri = Uri.parse(key, true);
      if (!checks.follows(uri)) findings.set(uri, checks.diagnosticsOf(uri, otherFindings.of(key)));
    }
  };
  const showChecked = (shown: ShownFile, uriOf: (path: string) => Uri) => {
    const { uri } = shown;
    findings.set(uri, diagnosticsOf(shown.findings, shown.locate));
    const textOf = (path: string) => shown.otherTexts.get(path);
    const elsewhere = [...shown.otherFiles].map(([path, found]): [string, FileFindings] => [uriOf(path).toString(), { ...found, textOf }]);
    showElsewhere(otherFindings.set(uri.toString(), new Map(elsewhere)));
    tree.set(uri, shown);
    status.set(uri, summary(shown));
  };
  const clear = (uri: Uri) => {
    findings.delete(uri);
    showElsewhere(otherFindings.set(uri.toString(), new Map()));
    tree.set(uri, undefined);
    status.set(uri, undefined);
  };
  const show = (uri: Uri, outcome: ShownFile | UnreadConfig | undefined) => {
    // The file itself had one if its last check failed. A configuration has problems of its own.
    if (!isConfig(uri)) configProblems.delete(uri);
    if (outcome && "findings" in outcome) return showChecked(outcome, (path) => uri.with({ path, query: "", fragment: "" }));
    clear(uri);
    if (isOff(uri)) status.set(uri, { text: "vmlint: off", tooltip: "Click to turn the checks on.", command: "vmlint.toggle" });
    if (!outcome) return;
    const isOpen = workspace.textDocuments.some((one) => one.uri.toString() === outcome.file.toString() && isOpenConfig(one));
    if (!isOpen) configProblems.set(outcome.file, outcome.problems);
    const name = nameOf(outcome.file.path);
    const isOwn = outcome.file.toString() === uri.toString();
    status.set(
      uri,
      isOwn
        ? { text: "vmlint: not checked", tooltip: outcome.message }
        : { text: `vmlint: error in ${name}`, tooltip: `${name}: ${outcome.message}` },
    );
  };
  const registered = Disposable.from(
    findings,
    status,
    window.registerTreeDataProvider("vmlint.vms", tree),
    commands.registerCommand("vmlint.groupBy", () => tree.chooseGrouping()),
    commands.registerCommand("vmlint.filter", () => tree.chooseFilter()),
    commands.registerCommand("vmlint.toggleSort", () => tree.toggleSort()),
    window.onDidChangeActiveTextEditor(status.show),
  );
  return { show, clear, showElsewhere, dispose: () => registered.dispose() };
}

/** Returns the status of a file. Without a host, the count of checks that need one keeps it from looking like success. */
function summary({ host, findings, skipped, needHost, notCompared }: ShownFile): Status {
  const counts = countWords(findings);
  const open = skipped === 0 ? [] : [`${plural(skipped, "check")} ${skipped === 1 ? "was" : "were"} skipped: values or facts are missing.`];
  const tooltip = (text: string): string => [text, ...open, ...(notCompared === undefined ? [] : [notCompared])].join("\n\n");
  if (host !== undefined)
    return { text: `vmlint: ${counts || "no findings"} on ${host}`, tooltip: tooltip(`Checked against host ${host}.`) };
  const checks = needHost === 0 ? "no host" : `${plural(needHost, "check")} need${needHost === 1 ? "s" : ""} a host`;
  const found = counts || (needHost > 0 ? "" : "no findings");
  const text = `vmlint: ${[found, checks].filter(Boolean).join(", ")}`;
  return { text, tooltip: tooltip("Click to choose the host that the VMs run on."), command: "vmlint.chooseHost" };
}
