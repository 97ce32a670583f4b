import type { HostModel } from "@vmlint/core";
import type { ChosenHost, Dump } from "@vmlint/core/config-language";
import { UnusableConfig } from "@vmlint/core/editor";
import { EMPTY_CONFIG } from "@vmlint/core/program";
import { nameOf } from "@vmlint/core/recognise";
import { type Memento, Uri, window, workspace } from "vscode";
import { changeConfig, newConfigFor } from "./change-config.ts";
import { isBelow, pathBelow } from "./config-finder.ts";
import { configAround, type FileSystems } from "./file-system.ts";
import { pick } from "./pick.ts";

/** The key of the recent hosts in the memory of the workspace. */
const RECENT = "recentHosts";
const MOST_RECENT = 5;

export interface Picker {
  readonly systems: FileSystems;
  readonly memory: Memento;
  /** Returns the hosts of inventories in the editor. */
  readonly listed: () => Promise<readonly HostModel[]>;
}

/** The configuration of a file: its place, and the hosts that it declares. */
interface Around {
  readonly config: Uri;
  readonly exists: boolean;
  readonly declared: ReadonlyMap<string, HostModel>;
}

async function around(subject: Uri, systems: FileSystems): Promise<Around> {
  const found = await configAround(systems, subject);
  const nearest = found instanceof UnusableConfig ? found.file : found.path;
  const config = nearest === undefined ? newConfigFor(subject) : systems.of(subject).uriOf(nearest);
  return {
    config,
    exists: nearest !== undefined,
    declared: (found instanceof UnusableConfig ? EMPTY_CONFIG : found.config).hosts,
  };
}

/** Lets the user choose a host for the VMs of a file: the one list of hosts, for all commands and the panel. */
async function askFor({ config, declared }: Around, { memory, listed }: Picker): Promise<ChosenHost | undefined> {
  const { askForHost } = await import("@vmlint/core/config-language");
  const known = { file: nameOf(config.path), declared, recent: recentHosts(memory), dumps: [], listed: await listed() };
  const host = await withoutErrors(() => askForHost(known, pick, () => openDump(config)));
  if (typeof host === "string" && !declared.has(host)) await remember(host, memory);
  return host;
}

/** Lets the user choose a host to try. Nothing is written, but a dump is copied. */
export async function pickHost(subject: Uri, picker: Picker): Promise<PickedHost | undefined> {
  const found = await around(subject, picker.systems);
  const chosen = await askFor(found, picker);
  if (chosen === undefined) return undefined;
  const { modelOf } = await import("@vmlint/core/config-language");
  const host = modelOf(chosen, found.declared);
  return host && { chosen, host };
}

/** A host, with its value for `host:` in a configuration. */
export interface PickedHost {
  readonly chosen: ChosenHost;
  readonly host: HostModel;
}

/**
 * Lets the user choose the host of a file's VMs, or takes the `chosen` one, and writes it into the nearest configuration. Returns whether it
 * did.
 */
export async function chooseHost(subject: Uri, picker: Picker, chosen?: ChosenHost): Promise<boolean> {
  if (subject.scheme === "untitled") {
    void window.showInformationMessage("vmlint: save the file first. vmlint writes the host into vmlint.yaml in its folder.");
    return false;
  }
  const found = await around(subject, picker.systems);
  const { config, exists } = found;
  const host = chosen ?? (await askFor(found, picker));
  if (host === undefined) return false;
  const { starterConfig, withHost } = await import("@vmlint/core/config-language");
  const name = typeof host === "string" ? host : host.name;
  const isWritten = await changeConfig(config, async (text, file) => {
    const changed = text === "" && !exists ? starterConfig({ host }) : withHost(text, file, host);
    if (changed === undefined) throw new Error(`vmlint cannot write this into ${file}: add host: ${name} there by hand.`);
    return { range: [0, text.length], newText: changed };
  });
  if (isWritten) void window.setStatusBarMessage(`Wrote host: ${name} to ${workspace.asRelativePath(config)}`, 5000);
  return isWritten;
}

const remember = (host: string, memory: Memento): Thenable<void> =>
  memory.update(RECENT, [...new Set([host, ...recentHosts(memory)])].slice(0, MOST_RECENT));

/** The values of `host:` that the user chose last. */
const recentHosts = (memory: Memento): readonly string[] => memory.get<readonly string[]>(RECENT) ?? [];

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
