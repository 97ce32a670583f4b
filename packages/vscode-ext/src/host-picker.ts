import { builtinHosts, type Config, EMPTY_CONFIG, findHost, plural } from "@vmlint/core";
import type { DeclaredHost } from "@vmlint/core/config-language";
import type { Cpu } from "@vmlint/core/cpus";
import { nameOf } from "@vmlint/core/recognise";
import { type Memento, type QuickPickItem, QuickPickItemKind, Uri, window, workspace } from "vscode";
import { changeConfig, newConfigFor } from "./change-config.ts";
import { type ConfigFinder, ConfigProblem, pathBelow } from "./config-finder.ts";
import { RELEASES } from "./what-if.ts";

/** The key of the recent hosts in the memory of the workspace. */
const RECENT = "recentHosts";
const MOST_RECENT = 5;

/**
 * Lets the user choose the host of a file's VMs, or takes the `chosen` one, and writes it into the nearest configuration. Returns whether it
 * did.
 */
export async function chooseHost(subject: Uri, configs: ConfigFinder, memory: Memento, chosen?: string): Promise<boolean> {
  if (subject.scheme === "untitled") {
    void window.showInformationMessage("vmlint: save the file first. vmlint writes the host into vmlint.yaml in its folder.");
    return false;
  }
  const found = await configs.find(Uri.joinPath(subject, "..")).catch((error: unknown) => {
    if (error instanceof ConfigProblem) return error;
    throw error;
  });
  const config = found.file ?? newConfigFor(subject);
  const declared = found instanceof ConfigProblem ? EMPTY_CONFIG : found.config;
  const host = chosen ?? (await pickHost(declared, config, memory.get<readonly string[]>(RECENT) ?? []));
  if (host === undefined) return false;
  const name = typeof host === "string" ? host : host.name;
  const { withHost } = await import("@vmlint/core/config-language");
  const isWritten = await changeConfig(config, async (text, file) => {
    const changed = withHost(text, file, host);
    if (changed === undefined) throw new Error(`vmlint cannot write this into ${file}: add host: ${name} there by hand.`);
    return { range: [0, text.length], newText: changed };
  });
  if (!isWritten) return false;
  if (typeof host === "string" && !declared.hosts.has(host))
    await memory.update(RECENT, [...new Set([host, ...(memory.get<readonly string[]>(RECENT) ?? [])])].slice(0, MOST_RECENT));
  void window.setStatusBarMessage(`Wrote host: ${name} to ${workspace.asRelativePath(config)}`, 5000);
  return true;
}

type Entry = QuickPickItem & { readonly choose?: () => Promise<string | DeclaredHost | undefined> };

const separator = (label: string): Entry => ({ label, kind: QuickPickItemKind.Separator });

/** Lets the user pick a declared or recent host, a processor, a dump or a short form. */
async function pickHost(config: Config, file: Uri, recent: readonly string[]): Promise<string | DeclaredHost | undefined> {
  const { cpus } = await import("@vmlint/core/cpus");
  const named = (label: string, description = ""): Entry => ({ label, description, choose: async () => label });
  const declared = [...config.hosts].map(([name, { cpu }]) => named(name, cpu === name ? "" : cpu));
  const known = recent.filter((word) => !config.hosts.has(word));
  const processors = cpus().map(
    (cpu): Entry => ({
      label: cpu.name,
      description: `${plural(cpu.cores, "core")}${cpu.mhz === undefined ? "" : `, ${cpu.mhz / 1000} GHz`}, ${cpu.family}`,
      choose: () => pickShape(cpu),
    }),
  );
  const picked = await window.showQuickPick<Entry>(
    [
      ...(declared.length > 0 ? [separator(`in ${nameOf(file.path)}`), ...declared] : []),
      ...(known.length > 0 ? [separator("recent"), ...known.map((word) => named(word))] : []),
      separator("a host you have"),
      { label: "$(file) Import a dump...", description: "esxcli, vim-cmd, govc, lscpu, hwloc, Coreinfo", choose: () => pickDump(file) },
      { label: "$(edit) Write a short form...", description: "sockets x cores x threads : GiB @ ESXi", choose: writeShortForm },
      separator("processors"),
      ...processors,
      separator("machines of studies"),
      ...builtinHosts.map(({ name, cpu }) => named(name, cpu)),
    ],
    {
      title: "vmlint: what do the VMs run on?",
      placeHolder: "Type a processor, such as 6148 or EPYC 7763",
      matchOnDescription: true,
    },
  );
  return picked?.choose?.();
}

interface Shape {
  readonly sockets: number;
  readonly esxi: string;
  readonly memoryGiB?: number | undefined;
  readonly nodesPerSocket?: number | undefined;
}

/** Lets the user complete a processor to a host: sockets, memory, ESXi and sub-NUMA mode. */
async function pickShape(cpu: Cpu): Promise<string | undefined> {
  const { hostFromCpu } = await import("@vmlint/core/cpus");
  let shape: Shape = { sockets: Math.min(2, cpu.maxSockets ?? 2), esxi: "8.0" };
  for (;;) {
    const { sockets, esxi, memoryGiB, nodesPerSocket } = shape;
    const word = `${sockets}x ${cpu.name}${nodesPerSocket ? `/${nodesPerSocket}` : ""}${memoryGiB ? `:${memoryGiB}` : ""}@${esxi}`;
    const made = hostFromCpu(word);
    const change = (label: string, description: string, next: () => Promise<Partial<Shape> | undefined>) => ({ label, description, next });
    const modes = cpu.nodesPerSocket ?? [];
    const picked = await window.showQuickPick(
      [
        "host" in made
          ? {
              label: `$(check) Use ${word}`,
              description: `${plural(made.host.sockets * made.host.coresPerSocket, "core")} in ${plural(made.host.numaNodes, "NUMA node")}`,
              word,
            }
          : { label: `$(error) ${made.reason}` },
        change("$(server) Sockets...", String(sockets), () => pickNumber("Sockets", [1, 2, 4, 8], (count) => ({ sockets: count }))),
        change("$(database) Memory...", memoryGiB ? `${memoryGiB} GiB` : "unknown: checks of memory are skipped", askMemory),
        change("$(versions) ESXi...", esxi, async () => {
          const release = await window.showQuickPick(RELEASES, { title: "ESXi version" });
          return release === undefined ? undefined : { esxi: release };
        }),
        ...(modes.length > 1
          ? [
              change(
                "$(layout) NUMA nodes per socket...",
                `${nodesPerSocket ?? `${modes[0]}, the default`} (${cpu.setting ?? "firmware"})`,
                () =>
                  pickNumber(
                    "NUMA nodes per socket",
                    [...modes].sort((a, b) => a - b),
                    (count) => ({ nodesPerSocket: count }),
                  ),
              ),
            ]
          : []),
      ] as readonly (QuickPickItem & { readonly word?: string; readonly next?: () => Promise<Partial<Shape> | undefined> })[],
      { title: `vmlint: ${cpu.name}` },
    );
    if (!picked) return undefined;
    if (picked.word !== undefined) return picked.word;
    shape = { ...shape, ...(await picked.next?.()) };
  }
}

async function pickNumber(title: string, counts: readonly number[], to: (count: number) => Partial<Shape>) {
  const picked = await window.showQuickPick(counts.map(String), { title });
  return picked === undefined ? undefined : to(Number(picked));
}

async function askMemory(): Promise<Partial<Shape> | undefined> {
  const text = await window.showInputBox({
    title: "Memory of the host in GiB",
    validateInput: (value) => (/^[1-9]\d{0,5}$/.test(value) ? undefined : "A whole number such as 768"),
  });
  return text === undefined ? undefined : { memoryGiB: Number(text) };
}

const writeShortForm = async (): Promise<string | undefined> =>
  window.showInputBox({
    title: "sockets x cores x threads : GiB @ ESXi version",
    value: "2x24x2:768@8.0",
    validateInput: (text) => {
      const found = findHost(text);
      return "host" in found ? undefined : found.explanation;
    },
  });

/** Lets the user pick a dump of a host. A dump outside of the configuration's folder is copied into it. */
async function pickDump(config: Uri): Promise<DeclaredHost | undefined> {
  const [picked] = (await window.showOpenDialog({ title: "A dump of the host", openLabel: "Import" })) ?? [];
  if (!picked) return undefined;
  const folder = Uri.joinPath(config, "..");
  const base = nameOf(picked.path);
  const name = base.replace(/\.\w+$/, "").replace(/[^\w-]+/g, "-") || "lab";
  try {
    const { importHost } = await import("@vmlint/core/hosts");
    const bytes = await workspace.fs.readFile(picked);
    const { host } = importHost(new TextDecoder().decode(bytes), { name, file: base });
    const isBelow = picked.authority === folder.authority && picked.path.startsWith(`${folder.path.replace(/\/$/, "")}/`);
    if (!isBelow) await workspace.fs.copy(picked, Uri.joinPath(folder, base), { overwrite: false });
    const from = isBelow ? pathBelow(folder, picked) : base;
    const esxi = host.esxi
      ? undefined
      : await window.showQuickPick(RELEASES, { title: "The dump names no ESXi version. Which one is it?" });
    return host.esxi || esxi ? { name, facts: { from, ...(esxi && { esxi }) } } : undefined;
  } catch (error) {
    void window.showWarningMessage(`vmlint: ${error instanceof Error ? error.message : String(error)}`);
    return undefined;
  }
}
