import { EMPTY_CONFIG, type HostModel } from "@vmlint/core";
import type { ChosenHost, Dump } from "@vmlint/core/config-language";
import { UnusableConfig } from "@vmlint/core/editor";
import { nameOf } from "@vmlint/core/recognise";
import { type Memento, Uri, window, workspace } from "vscode";
import { changeConfig, newConfigFor } from "./change-config.ts";
import { isBelow, pathBelow } from "./config-finder.ts";
import { configAround, type FileSystems } from "./file-system.ts";
import { pick } from "./pick.ts";

/** The key of the recent hosts in the memory of the workspace. */
const RECENT = "recentHosts";
const MOST_RECENT = 5;

interface Picker {
  readonly systems: FileSystems;
  readonly memory: Memento;
  /** Returns the hosts of inventories in the editor. */
  readonly listed: () => Promise<readonly HostModel[]>;
}

/**
 * Lets the user choose the host of a file's VMs, or takes the `chosen` one, and writes it into the nearest configuration. Returns whether it
 * did.
 */
export async function chooseHost(subject: Uri, { systems, memory, listed }: Picker, chosen?: string): Promise<boolean> {
  if (subject.scheme === "untitled") {
    void window.showInformationMessage("vmlint: save the file first. vmlint writes the host into vmlint.yaml in its folder.");
    return false;
  }
  const found = await configAround(systems, subject);
  const nearest = found instanceof UnusableConfig ? found.file : found.path;
  const config = nearest === undefined ? newConfigFor(subject) : systems.of(subject).uriOf(nearest);
  const { hosts: declared } = found instanceof UnusableConfig ? EMPTY_CONFIG : found.config;
  const recent = recentHosts(memory);
  const { askForHost, starterConfig, withHost } = await import("@vmlint/core/config-language");
  const ask = async () => {
    const known = { file: nameOf(config.path), declared, recent, dumps: [], listed: await listed() };
    return askForHost(known, pick, () => openDump(config));
  };
  const host = chosen ?? (await withoutErrors(ask));
  if (host === undefined) return false;
  const name = typeof host === "string" ? host : host.name;
  const isWritten = await changeConfig(config, async (text, file) => {
    const changed = text === "" && nearest === undefined ? starterConfig({ host }) : withHost(text, file, host);
    if (changed === undefined) throw new Error(`vmlint cannot write this into ${file}: add host: ${name} there by hand.`);
    return { range: [0, text.length], newText: changed };
  });
  if (!isWritten) return false;
  if (typeof host === "string" && !declared.has(host)) await memory.update(RECENT, [...new Set([host, ...recent])].slice(0, MOST_RECENT));
  void window.setStatusBarMessage(`Wrote host: ${name} to ${workspace.asRelativePath(config)}`, 5000);
  return true;
}

/** The values of `host:` that the user chose last. */
export const recentHosts = (memory: Memento): readonly string[] => memory.get<readonly string[]>(RECENT) ?? [];

/** Shows an error, such as one in a dump, as a warning. */
const withoutErrors = (ask: () => Promise<ChosenHost | undefined>): Promise<ChosenHost | undefined> =>
  ask().catch((error: unknown) => {
    void window.showWarningMessage(`vmlint: ${error instanceof Error ? error.message : String(error)}`);
    return undefined;
  });

/** Lets the user pick a dump of a host. A dump outside of the configuration's folder will be copied into it. */
async function openDump(config: Uri): Promise<Dump | undefined> {
  const [picked] = (await window.showOpenDialog({ title: "A dump of the host", openLabel: "Import" })) ?? [];
  if (!picked) return undefined;
  const folder = Uri.joinPath(config, "..");
  const text = new TextDecoder().decode(await workspace.fs.readFile(picked));
  if (picked.authority === folder.authority && isBelow(picked.path, folder.path))
    return { text, file: pathBelow(folder.path, picked.path) };
  const file = nameOf(picked.path);
  return { text, file, copy: async () => workspace.fs.copy(picked, Uri.joinPath(folder, file), { overwrite: false }) };
}
