import { writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import type { HostModel } from "@vmlint/core";
import type { Ask, ChosenHost, DeclaredHost, Dump } from "@vmlint/core/config-language";
import {
  CONFIG_NAMES,
  EMPTY_CONFIG,
  formatsOfAll,
  grouped,
  hostInWords,
  inventoryReader,
  parseWorkload,
  plural,
  printable,
  STARTER,
} from "@vmlint/core/program";
import { usage } from "../args/command-output.ts";
import { type Flags, workloadOf } from "../args/options.ts";
import { terminalAsk } from "../args/terminal-questions.ts";
import { diskFiles, filesWithin } from "../files/disk.ts";
import { dumpsBelow, type FoundDump } from "../files/dumps-below.ts";
import { findFiles, type UnlessLost } from "../files/find-files.ts";
import { textsOf } from "../files/input-bytes.ts";
import { fromSlashes, ifReadable, isWithin, readText, shownPath, toSlashes } from "../files/read-files.ts";
import { makeFolder } from "../files/write-file.ts";
import type { Io } from "../io.ts";
import { type Chosen, chosenOf } from "../run/choose.ts";
import { configFinder, openDisk } from "../run/disk-workspace.ts";
import { hostFinder } from "../run/host-finder.ts";

/** Writes a first file: a configuration for the files in this folder, or a VM spec. */
export async function init([file, ...others]: readonly string[], flags: Flags, io: Io): Promise<string> {
  if (others.length > 0 || (file !== undefined && !flags.spec))
    throw usage("vmlint init writes vmlint.yaml; vmlint init --spec [FILE] writes a VM spec (default: vm.yaml).");
  if (!flags.spec) return initConfig(flags, io);
  const name = file ?? "vm.yaml";
  if (!/.\.ya?ml$/i.test(name)) throw usage(`A VM spec to start from is YAML: its name ends in .yaml, not "${name}".`);
  const { schemaLine } = await import("@vmlint/core/config-language");
  writeNew(resolve(io.cwd, name), name, schemaLine("vm-spec") + STARTER);
  return `Wrote ${name}. vmlint topology ${name} --host 2x24x2:768@8.0 shows the layout it gets.\n`;
}

async function initConfig(flags: Flags, io: Io): Promise<string> {
  const name = CONFIG_NAMES[0] ?? "";
  const there = await openDisk(io.cwd).runs.configIn(toSlashes(io.cwd));
  if (there !== undefined) throw usage(`${shownPath(fromSlashes(there), io.cwd)} already exists. Nothing was written.`);
  const { counts, listing } = await vmFiles(io);
  const dumps = await dumpsBelow(io.cwd);
  const readLine = flags.yes ? undefined : io.ask;
  if (readLine) io.err(`${counts}\n${dumps.map((dump) => `${wordDump(dump)}\n`).join("")}`);
  const { declaredFrom, starterConfig } = await import("@vmlint/core/config-language");
  const hosts = dumps.flatMap(({ file, host }) => (typeof host === "string" ? [] : [declaredFrom(file, host)]));
  const [named] = flags.host ?? [];
  const host = named === undefined ? await chooseHost(hosts, { listing, readLine, io }) : await namedHost(named, hosts, io);
  const remarks = dumps.filter((dump) => typeof dump.host === "string").map((dump) => printable(wordDump(dump)));
  const text = starterConfig({ host, hosts, remarks, workload: await chooseWorkload(flags, readLine, io) });
  // Checks that vmlint can read the new configuration.
  const { readConfig } = await import("@vmlint/core/config");
  await readConfig(text, name, { read: async (path) => readText(resolve(io.cwd, path)) });
  writeNew(join(io.cwd, name), name, text);
  const next =
    host === undefined
      ? "Set the host in it, and vmlint checks the VMs."
      : "vmlint checks the VMs; vmlint --print-config . shows their settings.";
  const above = await configAbove(io.cwd);
  const instead = above === undefined ? "" : ` It replaces ${above} here; extends: [${above}] builds on that file.`;
  return `${printable(counts)}\nWrote ${name}. ${next}${printable(instead)}\n`;
}

/** The configuration that counted here before there was one, as the new one would name it. */
async function configAbove(cwd: string): Promise<string | undefined> {
  const above = await openDisk(cwd)
    .runs.nearestTo(toSlashes(dirname(cwd)))
    .catch(() => undefined);
  return above && shownPath(fromSlashes(above), cwd);
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

const unlessLost: UnlessLost = (_, use) => ifReadable(use);

/** Returns the number of files of each format in words, and the files that list hosts. */
async function vmFiles(io: Io): Promise<{ readonly counts: string; readonly listing: readonly Chosen[] }> {
  const inputs = await findFiles({ patterns: ["."], findConfig: configFinder(io.cwd), unlessLost }, io.cwd, () => {});
  const { alone, others, listing } = chosenOf(inputs, { faults: undefined, unlessLost });
  const files = grouped([...alone, ...others], ({ entry }) => entry?.name ?? "");
  const counts = [...files].map(([name, { length }]) => plural(length, `${name} file`));
  return { counts: `Found ${counts.join(", ") || "no VM definitions"} below this folder.`, listing };
}

const wordDump = ({ file, host }: FoundDump): string =>
  typeof host === "string"
    ? `${file} is a dump of a host that cannot be used as it is: ${host}`
    : `${file} is a dump of a host: ${hostInWords(host)}.`;

interface Terminal {
  /** The files that list hosts. */
  readonly listing: readonly Chosen[];
  readonly readLine: Io["ask"];
  readonly io: Io;
}

/** Returns the first host: the answer of the user, or the only one with a dump. */
async function chooseHost(dumps: readonly DeclaredHost[], { listing, readLine, io }: Terminal): Promise<ChosenHost | undefined> {
  if (!readLine) return dumps.length === 1 ? dumps[0] : undefined;
  const { askForHost } = await import("@vmlint/core/config-language");
  const ask = await terminalAsk(io, readLine);
  const listed = await listedHosts(listing, io);
  const known = { file: CONFIG_NAMES[0] ?? "", declared: EMPTY_CONFIG.hosts, recent: [], dumps, listed };
  return askForHost(known, ask, () => openDump(io, ask));
}

async function listedHosts(listing: readonly Chosen[], io: Io): Promise<readonly HostModel[]> {
  const formats = await formatsOfAll(listing);
  const files = filesWithin([io.cwd], diskFiles(undefined, io), io.staged);
  const inventory = (await inventoryReader())(textsOf(listing, formats, unlessLost), files);
  return inventory?.hosts.flatMap(({ model }) => ("host" in model ? model.host : [])) ?? [];
}

/** Asks for a file until one can be read. vmlint reads no dump outside of the folder, so such a dump will be copied into it. */
const openDump = ({ cwd }: Io, ask: Ask): Promise<Dump | undefined> =>
  ask<Dump>({
    title: "Which file is the dump?",
    hint: "A path",
    groups: [],
    read: (path) => {
      const at = resolve(cwd, path);
      const text = ifReadable(() => readText(at));
      if (text === undefined) return { wrong: `${path} cannot be read.` };
      if (isWithin(at, cwd)) return { answer: { text, file: shownPath(at, cwd) } };
      const file = basename(at);
      return { answer: { text, file, copy: async () => writeNew(join(cwd, file), file, text) } };
    },
  });

/** Returns the name of the host of `--host`. Throws USAGE for a host that one line cannot name. */
async function namedHost(text: string, dumps: readonly DeclaredHost[], io: Io): Promise<ChosenHost> {
  const dump = dumps.find(({ name, facts }) => text === name || text === facts.from);
  if (dump) return dump;
  await hostFinder(text, io)(EMPTY_CONFIG);
  const { wrongHost } = await import("@vmlint/core/config-language");
  if (wrongHost(text) === undefined) return text;
  throw usage(`--host ${text}: vmlint init takes a name, processors, a short form or a dump below this folder.`);
}

/** Returns the workload in one line, from `--workload` or an answer. */
async function chooseWorkload(flags: Flags, readLine: Io["ask"], io: Io): Promise<string | undefined> {
  if (workloadOf(flags)) return flags.workload;
  for (;;) {
    const answer =
      (await readLine?.("What runs in the VMs? mssql, oracle, hana, postgresql, ..., or press Enter for none: "))?.trim() ?? "";
    if (answer === "") return undefined;
    const workload = parseWorkload(answer);
    if (typeof workload !== "string") return answer;
    io.err(`${printable(workload)}\n`);
  }
}
