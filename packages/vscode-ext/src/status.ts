import { type Disposable, StatusBarAlignment, ThemeColor, type Uri, window } from "vscode";

export interface Status {
  readonly text: string;
  readonly tooltip: string;
  /** Whether checks lack a host: a click then opens the picker of hosts. */
  readonly lacksHost?: boolean;
}

interface StatusBar extends Disposable {
  /** Sets the status bar text of a document, shown while its editor is active. `undefined` hides it. */
  readonly set: (uri: Uri, status: Status | undefined) => void;
  /** Call this when another editor becomes active. */
  readonly show: () => void;
}

/** One status bar item, shared by all documents. A click opens the Problems panel, or the picker of hosts if there is no host. */
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
    item.command = status.lacksHost ? "vmlint.chooseHost" : "workbench.actions.view.problems";
    item.backgroundColor = status.lacksHost ? new ThemeColor("statusBarItem.warningBackground") : undefined;
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
