import type { LintedVm, Severity } from "@vmlint/core";
import { layoutLine, namesIn } from "@vmlint/core/editor";
import {
  EventEmitter,
  ThemeColor,
  ThemeIcon,
  type TreeDataProvider,
  TreeItem,
  TreeItemCollapsibleState,
  type Uri,
  workspace,
} from "vscode";
import type { Checked } from "./checker.ts";

/** A file or a host, a VM, or a line about it. */
type Node =
  | { readonly kind: "group"; readonly label: string; readonly uri: Uri | undefined; readonly vms: readonly VmNode[] }
  | VmNode
  | LineNode;

interface VmNode {
  readonly kind: "vm";
  readonly vm: LintedVm;
  readonly layout: string;
  readonly checked: Checked;
  readonly index: number;
}

interface LineNode {
  readonly kind: "line";
  readonly label: string;
  readonly severity: Severity | undefined;
  readonly at: readonly [number, number];
  readonly of: VmNode;
}

const ICON: Readonly<Record<Severity, ThemeIcon>> = {
  error: new ThemeIcon("error", new ThemeColor("problemsErrorIcon.foreground")),
  warning: new ThemeIcon("warning", new ThemeColor("problemsWarningIcon.foreground")),
  info: new ThemeIcon("info", new ThemeColor("problemsInfoIcon.foreground")),
  hint: new ThemeIcon("lightbulb"),
};

/** The view "Virtual machines": files or hosts -> VMs -> layout and findings. */
export class VmTree implements TreeDataProvider<Node> {
  readonly #changed = new EventEmitter<void>();
  readonly onDidChangeTreeData = this.#changed.event;
  readonly #files = new Map<string, Checked>();
  #byHost = false;

  set(uri: Uri, checked: Checked | undefined): void {
    const key = uri.toString();
    if (checked && checked.open.result.vms.length > 0) this.#files.set(key, checked);
    else if (!this.#files.delete(key)) return;
    this.#changed.fire();
  }

  toggleGrouping(): void {
    this.#byHost = !this.#byHost;
    this.#changed.fire();
  }

  getChildren(node?: Node): Node[] | undefined {
    if (!node) return this.#groups();
    if (node.kind === "group") return [...node.vms];
    return node.kind === "vm" ? linesOf(node) : undefined;
  }

  getTreeItem(node: Node): TreeItem {
    if (node.kind === "group") {
      const item = new TreeItem(node.label, TreeItemCollapsibleState.Expanded);
      item.iconPath = new ThemeIcon(node.uri ? "file" : "server");
      if (node.uri) item.resourceUri = node.uri;
      return item;
    }
    if (node.kind === "vm") {
      const item = new TreeItem(node.vm.spec.name || "VM", TreeItemCollapsibleState.Expanded);
      item.iconPath = new ThemeIcon("vm");
      item.contextValue = "vm";
      item.description = node.vm.target.host?.name ?? "no host";
      item.command = { title: "Show topology", command: "vmlint.showTopology", arguments: [node.checked.uri, node.index] };
      return item;
    }
    const item = new TreeItem(node.label);
    item.tooltip = node.label;
    item.iconPath = node.severity ? ICON[node.severity] : new ThemeIcon("type-hierarchy");
    const { uri, locate } = node.of.checked;
    item.command = { title: "Go to", command: "vscode.open", arguments: [uri, { selection: locate({ range: node.at })?.range }] };
    return item;
  }

  #groups(): Node[] {
    const vms = [...this.#files.values()].flatMap(vmsOf);
    const groups = new Map<string, VmNode[]>();
    for (const vm of vms) {
      const key = this.#byHost ? (vm.vm.target.host?.name ?? "No host") : workspace.asRelativePath(vm.checked.uri);
      groups.set(key, [...(groups.get(key) ?? []), vm]);
    }
    return [...groups]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([label, members]) => ({
        kind: "group",
        label,
        uri: this.#byHost ? undefined : members[0]?.checked.uri,
        vms: members,
      }));
  }
}

const vmsOf = (checked: Checked): VmNode[] =>
  checked.open.result.vms.flatMap((vm, index): readonly VmNode[] =>
    // A file with only a value of the VM does not list the VM.
    namesIn(checked.open, vm).length === 0 ? [] : [{ kind: "vm", vm, layout: layoutLine(vm), checked, index }],
  );

/** In a file with one VM, all findings belong to that VM, including those without a VM name. */
function linesOf(of: VmNode): LineNode[] {
  const { diagnostics, vms } = of.checked.open.result;
  const { name } = of.vm.spec;
  const own = diagnostics.filter(({ vm, vms: all }) => vms.length === 1 || vm === name || all?.includes(name));
  const [at = [0, 0] as const] = namesIn(of.checked.open, of.vm);
  return [
    { kind: "line", label: of.layout, severity: undefined, at, of },
    ...own.map(({ message, severity, range }): LineNode => ({ kind: "line", label: message, severity, at: range, of })),
  ];
}
