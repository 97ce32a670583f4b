import type { Diagnostic, Severity } from "@vmlint/core";
import { addTo, countBySeverity, folderOf, plural, SEVERITIES, worstFirst } from "@vmlint/core/program";
import { nameOf as nameOfFile } from "@vmlint/core/recognise";
import {
  EventEmitter,
  ThemeColor,
  ThemeIcon,
  type TreeDataProvider,
  TreeItem,
  TreeItemCollapsibleState,
  type Uri,
  window,
  workspace,
} from "vscode";
import type { ShownFile } from "./checker.ts";
import type { VmOverview } from "./file-overview.ts";

/** A file or a host, a VM, or a line about it. The VM of a file that has no other stands for its file. */
type Node =
  | { readonly kind: "group"; readonly label: string; readonly uri: Uri | undefined; readonly vms: readonly VmNode[] }
  | VmNode
  | LineNode;

export interface VmNode extends VmOverview {
  readonly kind: "vm";
  readonly shown: ShownFile;
}

/** Whether a menu of the view passed a VM. */
export const isVmNode = (value: unknown): value is VmNode =>
  typeof value === "object" && value !== null && "kind" in value && value.kind === "vm";

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

/** The ways to group the VMs. */
const GROUPINGS = { file: "File", host: "Host", cluster: "Cluster", rule: "Rule" } as const;
type Grouping = keyof typeof GROUPINGS;

/** With more VMs, the view starts collapsed. */
const MOST_EXPANDED = 50;

/** The view "Virtual machines": files, hosts, clusters or rules -> VMs -> layout and findings. */
export class VmTree implements TreeDataProvider<Node> {
  readonly #changed = new EventEmitter<void>();
  readonly onDidChangeTreeData = this.#changed.event;
  readonly #files = new Map<string, ShownFile>();
  #grouping: Grouping = "file";
  #byName = false;
  /** The least severity of the VMs to show. */
  #least: Severity | undefined;
  #words = "";
  #isLarge = false;

  set(uri: Uri, shown: ShownFile | undefined): void {
    const key = uri.toString();
    if (shown) this.#files.set(key, shown);
    else if (!this.#files.delete(key)) return;
    this.#changed.fire();
  }

  async chooseGrouping(): Promise<void> {
    const items = Object.entries(GROUPINGS).map(([grouping, label]) => ({ label, grouping: grouping as Grouping }));
    const picked = await window.showQuickPick(items, { title: "Group the VMs by" });
    if (!picked) return;
    this.#grouping = picked.grouping;
    this.#changed.fire();
  }

  async chooseFilter(): Promise<void> {
    const all = { label: "All VMs", least: undefined, byText: false };
    const severities = SEVERITIES.map((least) => ({
      label: least === "error" ? "VMs with errors" : `VMs with ${least}s or worse`,
      least,
      byText: false,
    }));
    const text = { label: "VMs with some text...", least: undefined, byText: true };
    const picked = await window.showQuickPick([all, ...severities, text], { title: "Show which VMs?" });
    if (!picked) return;
    const words = picked.byText ? await window.showInputBox({ title: "Show VMs with this text in name, file, host or finding" }) : "";
    if (words === undefined) return;
    this.#least = picked.least;
    this.#words = words.toLowerCase();
    this.#changed.fire();
  }

  toggleSort(): void {
    this.#byName = !this.#byName;
    this.#changed.fire();
  }

  getChildren(node?: Node): Node[] | undefined {
    if (!node) return this.#groups();
    if (node.kind === "group") return [...node.vms];
    return node.kind === "vm" ? linesOf(node) : undefined;
  }

  getTreeItem(node: Node): TreeItem {
    const open = this.#isLarge ? TreeItemCollapsibleState.Collapsed : TreeItemCollapsibleState.Expanded;
    if (node.kind === "group") {
      // The end of a long path would be cut off.
      const folder = node.uri && node.label.includes("/") ? folderOf(node.label) : "";
      const item = new TreeItem(node.uri ? nameOfFile(node.label) : node.label, open);
      item.iconPath = new ThemeIcon(node.uri ? "file" : "server");
      item.description = [countWords(node.vms.flatMap(({ findings }) => findings)), folder].filter(Boolean).join(", ");
      item.tooltip = node.label;
      if (node.uri) item.resourceUri = node.uri;
      return item;
    }
    if (node.kind === "vm") {
      const file = this.#standsForFile(node) ? workspace.asRelativePath(node.shown.uri) : "";
      const item = new TreeItem(node.name || nameOfFile(file) || "VM", open);
      const worst = worstOf(node);
      item.iconPath = worst ? ICON[worst] : new ThemeIcon("vm");
      item.contextValue = "vm";
      const host = node.host ?? "no host";
      const count = node.count > 1 ? `${node.count} VMs` : "";
      item.description = [count, countWords(node.findings), host, file === item.label ? "" : file].filter(Boolean).join(", ");
      item.tooltip = `${node.fullName}\n${node.layout}`;
      item.command = { title: "Show topology", command: "vmlint.showTopology", arguments: [node.shown.uri, node.index] };
      return item;
    }
    const item = new TreeItem(node.label);
    item.tooltip = node.label;
    item.iconPath = node.severity ? ICON[node.severity] : new ThemeIcon("type-hierarchy");
    const { uri, locate } = node.of.shown;
    item.command = { title: "Go to", command: "vscode.open", arguments: [uri, { selection: locate({ range: node.at })?.range }] };
    return item;
  }

  #groups(): Node[] {
    const vms = [...this.#files.values()].flatMap(nodesOf).filter((vm) => this.#isShown(vm));
    this.#isLarge = vms.length > MOST_EXPANDED;
    const groups = new Map<string, VmNode[]>();
    for (const vm of vms) for (const key of this.#keysOf(vm)) addTo(groups, key, vm);
    return [...groups]
      .map(([label, members]) => ({ label, vms: members.sort((a, b) => this.#order([a], [b], a.name, b.name)) }))
      .sort((a, b) => this.#order(a.vms, b.vms, a.label, b.label))
      .map((group) => {
        const [first] = group.vms;
        if (first && this.#standsForFile(first)) return first;
        return { kind: "group", ...group, uri: this.#grouping === "file" ? first?.shown.uri : undefined };
      });
  }

  /** Whether a VM stands for its file: a file of one VM has no level of its own. */
  #standsForFile({ shown }: VmNode): boolean {
    return this.#grouping === "file" && shown.vms.length === 1;
  }

  /** Compares by the worst findings, unless the view is sorted by name. */
  #order(a: readonly VmNode[], b: readonly VmNode[], name: string, other: string): number {
    const counts = (nodes: readonly VmNode[]) => countBySeverity(nodes.map(({ findings }) => ({ diagnostics: findings })));
    const worse = this.#byName ? 0 : worstFirst(counts(a), counts(b));
    return worse || (name < other ? -1 : name > other ? 1 : 0);
  }

  #keysOf({ host, cluster, shown, findings }: VmNode): readonly string[] {
    if (this.#grouping === "host") return [host ?? "No host"];
    if (this.#grouping === "cluster") return [cluster ?? "No cluster"];
    if (this.#grouping === "file") return [workspace.asRelativePath(shown.uri)];
    const rules = [...new Set(findings.map(({ ruleId }) => ruleId))];
    return rules.length > 0 ? rules : ["No findings"];
  }

  #isShown(node: VmNode): boolean {
    const worst = worstOf(node);
    if (this.#least && (!worst || SEVERITIES.indexOf(worst) > SEVERITIES.indexOf(this.#least))) return false;
    const { name, fullName, host = "", shown, findings } = node;
    const texts = [name, fullName, host, shown.uri.path, ...findings.map(({ message }) => message)];
    return this.#words === "" || texts.some((text) => text.toLowerCase().includes(this.#words));
  }
}

const nodesOf = (shown: ShownFile): readonly VmNode[] => shown.vms.map((vm) => ({ kind: "vm", ...vm, shown }));

const worstOf = ({ findings }: VmNode): Severity | undefined =>
  SEVERITIES.find((severity) => findings.some((one) => one.severity === severity));

/** Returns counts such as `2 errors, 1 info`. */
export function countWords(findings: readonly Diagnostic[]): string {
  const counts = countBySeverity([{ diagnostics: findings }]);
  return SEVERITIES.flatMap((severity) => (counts[severity] > 0 ? [plural(counts[severity], severity)] : [])).join(", ");
}

/** Returns the layout and the findings of a VM, the most severe first. */
function linesOf(of: VmNode): LineNode[] {
  const findings = [...of.findings].sort((a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity));
  return [
    { kind: "line", label: of.layout, severity: undefined, at: of.place, of },
    ...findings.map(({ message, severity, range }): LineNode => ({ kind: "line", label: message, severity, at: range, of })),
  ];
}
