import { writeFileSync } from "node:fs";
import { basename, dirname, extname, join, resolve } from "node:path";
import {
  CONFIG_NAMES,
  EMPTY_CONFIG,
  type FormatEntry,
  findHost,
  formatEsxi,
  type HostModel,
  parseWorkload,
  plural,
  printable,
  REPOSITORY,
  STARTER,
} from "@vmlint/core";
import { isVmlintError, usage } from "../command-output.ts";
import { foldersBelow } from "../disk.ts";
import { configFinder, configIn } from "../find-config.ts";
import { findFiles, type UnlessLost } from "../find-files.ts";
import { hostFinder } from "../host-finder.ts";
import type { Io } from "../io.ts";
import { type Flags, workloadOf } from "../options.ts";
import { readText, shownPath, statsOf } from "../read-files.ts";
import { makeFolder } from "../write-file.ts";

/** Writes a first file: a configuration for the files in this folder, or a VM spec. */
export async function init([file, ...others]: readonly string[], flags: Flags, io: Io): Promise<string> {
  if (others.length > 0 || (file !== undefined && !flags.spec))
    throw usage("vmlint init writes vmlint.yaml; vmlint init --spec [FILE] writes a VM spec (default: vm.yaml).");
  if (!flags.spec) return initConfig(flags, io);
  const name = file ?? "vm.yaml";
  if (!/.\.ya?ml$/i.test(name)) throw usage(`A VM spec to start from is YAML: its name ends in .yaml, not "${name}".`);
  writeNew(resolve(io.cwd, name), name, schemaLine("vm-spec") + STARTER);
  return `Wrote ${name}. vmlint topology ${name} --host 2x24x2:768@8.0 shows the layout it gets.\n`;
}

async function initConfig(flags: Flags, io: Io): Promise<string> {
  const name = CONFIG_NAMES[0] ?? "";
  const there = configIn(io.cwd);
  if (there !== undefined) throw usage(`${shownPath(there, io.cwd)} already exists. Nothing was written.`);
  const vms = await vmFiles(io);
  const dumps = await dumpsBelow(io.cwd);
  const found = wordVms(vms);
  const ask = flags.yes ? undefined : io.ask;
  if (ask) io.err(`${found}\n${dumps.map((dump) => `${wordDump(dump)}\n`).join("")}`);
  const [named] = flags.host ?? [];
  const host = named === undefined ? await chooseHost(dumps, ask, io) : await namedHost(named, dumps, io);
  const text = configText(found, dumps, host, await chooseWorkload(flags, ask, io));
  // Checks that vmlint can read the new configuration.
  const { readConfig } = await import("@vmlint/core/config");
  await readConfig(text, name, { read: async (path) => readText(resolve(io.cwd, path)) });
  writeNew(join(io.cwd, name), name, text);
  const next =
    host === undefined
      ? "Set the host in it, and vmlint checks the VMs."
      : "vmlint checks the VMs; vmlint --print-config . shows their settings.";
  const above = configAbove(io.cwd);
  const instead = above === undefined ? "" : ` It replaces ${above} here; extends: [${above}] builds on that file.`;
  return `${printable(found)}\nWrote ${name}. ${next}${printable(instead)}\n`;
}

/** The line that leads editors to a schema of the latest release. */
const schemaLine = (name: string): string =>
  REPOSITORY === undefined ? "" : `# yaml-language-server: $schema=${REPOSITORY}/releases/latest/download/${name}.schema.json\n`;

/** The configuration that counted here before there was one, as the new one would name it. */
function configAbove(cwd: string): string | undefined {
  for (let at = cwd; at !== dirname(at); ) {
    at = dirname(at);
    const above = ifReadable(() => configIn(at));
    if (above !== undefined) return shownPath(above, cwd);
  }
  return undefined;
}

function writeNew(path: string, name: string, text: string): void {
  try {
    makeFolder(dirname(path));
    writeFileSync(path, text, { flag: "wx" });
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw usage(code === "EEXIST" ? `${name} already exists. Nothing was written.` : `${name} cannot be written (${code}).`);
  }
}

/** How many files of each format there are. */
async function vmFiles(io: Io): Promise<ReadonlyMap<FormatEntry, number>> {
  const unlessLost: UnlessLost = (_, use) => ifReadable(use);
  const inputs = await findFiles({ patterns: ["."], findConfig: configFinder(undefined, io.cwd), unlessLost }, io.cwd, () => {});
  const counts = new Map<FormatEntry, number>();
  for (const { path, formats } of inputs) {
    const format = formats.find(({ mayHold }) => !mayHold || ifReadable(() => mayHold(readText(path))));
    if (format) counts.set(format, (counts.get(format) ?? 0) + 1);
  }
  return counts;
}

/** Ignores unreadable files. A later run reports them. */
function ifReadable<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

function wordVms(counts: ReadonlyMap<FormatEntry, number>): string {
  if (counts.size === 0) return "Found no VM definitions below this folder.";
  const parts = [...counts].map(([{ name }, files]) => plural(files, `${name} file`));
  return `Found ${parts.join(", ")} below this folder.`;
}

interface Dump {
  /** The path relative to the configuration. */
  readonly file: string;
  readonly name: string;
  /** The host, or why there is none yet. */
  readonly host: HostModel | string;
}

const isUsable = (dump: Dump): dump is Dump & { readonly host: HostModel } => typeof dump.host !== "string";

/** File names and sizes of dumps. A dump of govc contains all hardware of a host, so it can be large. */
const DUMP = /\.(txt|json|xml|log|out)$/i;
const MOST_BYTES = 4 << 20;
const MOST_FILES = 500;

async function dumpsBelow(cwd: string): Promise<readonly Dump[]> {
  const { dumpFormats, importHost } = await import("@vmlint/core/hosts");
  const dumps: Dump[] = [];
  for (const path of candidates(cwd)) {
    const text = ifReadable(() => readText(path)) ?? "";
    // A description in words is written on a command line; in a file it is more likely prose.
    if (!dumpFormats.some((format) => format.recognises(text)) || !text.includes("\n")) continue;
    const file = shownPath(path, cwd);
    const name = nameFor(basename(path, extname(path)), dumps);
    try {
      dumps.push({ file, name, host: importHost(text, { name, file }).host });
    } catch (error) {
      if (!isVmlintError(error)) throw error;
      dumps.push({ file, name, host: error.message });
    }
  }
  return dumps;
}

function candidates(cwd: string): readonly string[] {
  const found: string[] = [];
  for (const { folder, entries } of foldersBelow(cwd)) {
    if (found.length >= MOST_FILES) break;
    for (const entry of entries) {
      const path = join(folder, entry.name);
      if (entry.isFile() && DUMP.test(entry.name) && (statsOf(path)?.size ?? Infinity) <= MOST_BYTES) found.push(path);
    }
  }
  return found.slice(0, MOST_FILES);
}

function nameFor(base: string, dumps: readonly Dump[]): string {
  const plain = base.replace(/[^\w.-]+/g, "-").replace(/^[-.\d]+/, "") || "host";
  const isUsed = (name: string) => dumps.some((dump) => dump.name === name);
  for (let i = 1; ; i++) {
    const name = i === 1 ? plain : `${plain}-${i}`;
    if (!isUsed(name)) return name;
  }
}

const wordDump = ({ file, host }: Dump): string =>
  typeof host === "string"
    ? `${file} is a dump of a host that cannot be used as it is: ${host}`
    : `${file} is a dump of a host: ${facts(host)}.`;

const facts = ({ sockets, coresPerSocket, threadsPerCore, memoryGiB, esxi }: HostModel): string =>
  [
    [plural(sockets, "socket"), plural(coresPerSocket, "core"), plural(threadsPerCore, "thread")].join(" x "),
    ...(memoryGiB === undefined ? [] : [`${memoryGiB} GiB`]),
    ...(esxi ? [`ESXi ${formatEsxi(esxi)}`] : []),
  ].join(", ");

/** The first host: the only one with a dump, or the answer of the user. */
async function chooseHost(dumps: readonly Dump[], ask: Io["ask"], io: Io): Promise<string | undefined> {
  const usable = dumps.filter(isUsable).map(({ name }) => name);
  const only = usable.length === 1 ? usable[0] : undefined;
  if (!ask) return only;
  const choice = usable.length > 0 ? `${usable.join(", ")}, or ` : "";
  const none = only === undefined ? "nothing to decide later" : `nothing for ${only}`;
  for (;;) {
    const answer = (await ask(`What do the VMs run on? ${choice}such as 2x24x2:768@8.0, or ${none}: `)).trim();
    if (answer === "") return only;
    if (usable.includes(answer)) return answer;
    const wrong = await hostFinder(
      answer,
      io,
    )(EMPTY_CONFIG).then(
      () => ("host" in findHost(answer) ? undefined : "Write a dump or processors under hosts: in the file."),
      (error: Error) => error.message,
    );
    if (wrong === undefined) return answer;
    io.err(`${printable(wrong)}\n`);
  }
}

/** Returns the name of the host of `--host`. Throws USAGE for a host that one line cannot name. */
async function namedHost(text: string, dumps: readonly Dump[], io: Io): Promise<string> {
  const dump = dumps.filter(isUsable).find(({ file, name }) => text === file || text === name);
  if (dump) return dump.name;
  await hostFinder(text, io)(EMPTY_CONFIG);
  if ("host" in findHost(text)) return text;
  throw usage(
    `--host ${text}: vmlint init takes a name, a short form or a dump below this folder. Add processors under hosts: in the file.`,
  );
}

/** Returns the workload in one line, from `--workload` or an answer. */
async function chooseWorkload(flags: Flags, ask: Io["ask"], io: Io): Promise<string | undefined> {
  if (workloadOf(flags)) return flags.workload;
  for (;;) {
    const answer = (await ask?.("What runs in the VMs? mssql, oracle, hana, postgresql, ..., or press Enter for none: "))?.trim() ?? "";
    if (answer === "") return undefined;
    const workload = parseWorkload(answer);
    if (typeof workload !== "string") return answer;
    io.err(`${printable(workload)}\n`);
  }
}

/** Returns a configuration with the detected settings, and with the other settings as comments. */
function configText(found: string, dumps: readonly Dump[], host: string | undefined, workload: string | undefined): string {
  const usable = dumps.filter(isUsable);
  const unusable = dumps.filter((dump) => !isUsable(dump));
  const hosts = usable.map(({ name, file, host }) => {
    const esxi = host.esxi ? "" : " # no ESXi version in it: add esxi:";
    return `  ${JSON.stringify(name)}: { from: ${JSON.stringify(file)} } # ${facts(host)}${esxi}`;
  });
  return `${schemaLine("vmlint")}# ${printable(found)}
# vmlint --print-config PATH shows the settings of a file; vmlint schema config prints the JSON Schema.

# The host of the VMs: a name below, a built-in host (vmlint topology --help) or a short form.
${host === undefined ? `# host: ${usable[0] ? JSON.stringify(usable[0].name) : "2x24x2:768@8.0"}` : `host: ${JSON.stringify(host)}`}
${hosts.length > 0 ? "hosts:" : "# hosts:"}
${[...hosts, ...unusable.map((dump) => `  # ${printable(wordDump(dump)).replaceAll("\n", " ")}`)].join("\n")}${dumps.length > 0 ? "\n" : ""}#   lab: { esxi: "8.0", sockets: 2, coresPerSocket: 24, threadsPerCore: 2, memoryGiB: 768, mhz: 2400 }
#   esx01: { esxi: "8.0", cpu: "2x Xeon Gold 6148", memoryGiB: 768 }
#   esx02: { from: esx02.txt } # what esxcli, govc host.info -json, lscpu ... print: vmlint host --help

# Hosts that VMs can move between.
# clusters: { prod: [r640, r930] }

# The workload of the VMs: rules for a workload run only if you declare it.
${workload === undefined ? `# workload: { kind: mssql, edition: standard, version: "2022", licensing: core }` : `workload: ${JSON.stringify(workload)}`}

# Presets: recommended (errors and warnings), strict (also notes), all (also hints); mssql, oracle ...: rules for that workload.
# extends: [recommended, mssql]
# rules: { numa/wide-uneven: error, latency/high: off } # vmlint rules lists them

# For some files or VMs only; the last that matches counts.
# overrides: [{ vms: ["sql-*"], workload: { kind: mssql } }, { files: ["lab/**"], rules: { latency/high: off } }]

# Ignored files and accepted findings.
# ignore: ["old/**"]
# suppress: [{ rule: affinity/ht-siblings, vm: "lab-*", reason: the lab measures hyper-threading }]
`;
}
