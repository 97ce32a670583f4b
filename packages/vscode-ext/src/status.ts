import { type Disposable, StatusBarAlignment, ThemeColor, type Uri, window } from "vscode";

export interface Status {
  readonly text: string;
  readonly tooltip: string;
  /** The command of a click; it opens the Problems panel if missing. */
  readonly command?: "vmlint.chooseHost" | "vmlint.toggle";
}

interface StatusBar extends Disposable {
  /** Sets the status bar text of a document, shown while its editor is active. `undefined` hides it. */
  readonly set: (uri: Uri, status: Status | undefined) => void;
  /** Call this when another editor becomes active. */
  readonly show: () => void;
}

/** One status bar item, shared by all documents. A click opens the Problems panel, unless a host is missing or the checks are off. */
export function statusBar(): StatusBar {
  const item = window.createStatusBarItem("vmlint", StatusBarAlignment.Left, 0);
  item.name = "vmlint";
  const statuses = new Map<string, Status>();
  const show = () => {
    const active = window.activeTextEditor?.document.uri.toString();
    const status = active === undefined ? undefined : statuses.get(active);
    if (!status) return item.hide();
    item.text = status.text;
    item.tooltip = status.tooltip;
    item.command = status.command ?? "workbench.actions.view.problems";
    item.backgroundColor = status.command === "vmlint.chooseHost" ? new ThemeColor("statusBarItem.warningBackground") : undefined;
    item.show();
  };
  return {
    set(uri, status) {
      if (status) statuses.set(uri.toString(), status);
      else statuses.delete(uri.toString());
      show();
    },
    show,
    dispose: () => item.dispose(),
  };
}
