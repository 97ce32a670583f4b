import { type Cpu, cpus } from "../hosts/cpu.ts";
import { factsOf, hostInWords, hostNameOf, isDescribed } from "../hosts/host-facts.ts";
import { hostFromCpu } from "../hosts/host-from-cpu.ts";
import { importHost } from "../hosts/index.ts";
import { builtinHosts } from "../model/builtin-hosts.ts";
import type { HostModel } from "../model/host.ts";
import { addTo } from "../model/maps.ts";
import { plural } from "../model/words.ts";
import { RELEASE_NAMES } from "../platforms/esxi/possible.ts";
import { findHost } from "./config.ts";
import type { DeclaredHost } from "./host-edit.ts";
import { hostOfWord } from "./merge-config.ts";
import type { Ask, Choice, ChoiceGroup, Question, TypedAnswer } from "./question.ts";

/** The hosts that are known before the first question. */
export interface KnownHosts {
  /** The name of the configuration that declares hosts. */
  readonly file: string;
  readonly declared: ReadonlyMap<string, HostModel>;
  /** Earlier values of `host:`. */
  readonly recent: readonly string[];
  /** Hosts of dumps below the folder of the configuration. */
  readonly dumps: readonly DeclaredHost[];
  /** Hosts that an inventory lists. */
  readonly listed: readonly HostModel[];
}

export interface Dump {
  readonly text: string;
  /** The path relative to the configuration. */
  readonly file: string;
  /** Copies the dump to that path; missing if it is there. */
  readonly copy?: () => Promise<void>;
}

/** A host for `host:`, with its declaration if it needs one. */
export type ChosenHost = string | DeclaredHost;

/**
 * Asks what the VMs run on: a host that is known, a processor with its number, memory, ESXi and NUMA nodes, a dump where `openDump` can read
 * one, or a short form. Returns `undefined` if the user gives no answer. Throws HOST_UNREADABLE for a dump that is none.
 */
export async function askForHost(hosts: KnownHosts, ask: Ask, openDump?: () => Promise<Dump | undefined>): Promise<ChosenHost | undefined> {
  const chosen = await ask(hostQuestion(hosts, ask, openDump));
  return chosen?.();
}

/** An answer that may lead to more questions. */
type Next = () => Promise<ChosenHost | undefined>;

function hostQuestion(known: KnownHosts, ask: Ask, openDump: (() => Promise<Dump | undefined>) | undefined): Question<Next> {
  const { file, declared, recent, dumps, listed } = known;
  const described = (host: DeclaredHost, description = "", isDefault = false): Choice<Next> => {
    return { label: host.name, description, answer: async () => host, isDefault };
  };
  const inInventory = (host: HostModel) => described({ name: host.name, facts: factsOf(host) }, hostInWords(host));
  const isNew = ({ name }: { readonly name: string }) => !declared.has(name);
  const named = (label: string, description = ""): Choice<Next> => ({ label, description, answer: async () => label });
  const groups: readonly ChoiceGroup<Next>[] = [
    { title: `in ${file}`, choices: [...declared].map(([name, { cpu = "" }]) => named(name, cpu === name ? "" : cpu)) },
    { title: "recent", choices: recent.filter((name) => isNew({ name })).map((host) => named(host)) },
    { title: "dumps", choices: dumps.filter(isNew).map((host) => described(host, host.note, dumps.length === 1)) },
    { title: "in the inventory", choices: listed.filter((host) => isNew(host) && isDescribed(host)).map(inInventory) },
    { title: "a host you have", choices: openDump ? [dumpOf(openDump, ask)] : [] },
    { title: "processors", choices: newestFirst(cpus()).map((cpu) => processor(cpu, ask)) },
    { title: "machines of studies", choices: builtinHosts.map(({ name, cpu }) => named(name, cpu)) },
  ];
  return {
    title: "What do the VMs run on?",
    hint: "Type a processor, such as 6148 or EPYC 7763, or a short form, such as 2x24x2:768@8.0",
    groups: groups.filter(({ choices }) => choices.length > 0),
    read: (text) => {
      const wrong = wrongHost(text);
      return wrong === undefined ? { answer: async () => text } : { wrong };
    },
  };
}

const dumpOf = (openDump: () => Promise<Dump | undefined>, ask: Ask): Choice<Next> => ({
  label: "Import a dump...",
  description: "esxcli, vim-cmd, govc, lscpu, hwloc, Coreinfo",
  icon: "file",
  answer: async () => declaredBy(await openDump(), ask),
});

/** The catalogue lists the generations of each vendor in the order of their years. */
function newestFirst(all: readonly Cpu[]): readonly Cpu[] {
  const families = new Map<string, Cpu[]>();
  for (const cpu of all) addTo(families, `${cpu.vendor} ${cpu.family}`, cpu);
  const newest = [...families.values()].reverse();
  return [...newest.filter(([cpu]) => cpu?.vendor === "Intel"), ...newest.filter(([cpu]) => cpu?.vendor !== "Intel")].flat();
}

/** Returns the reason why `host:` cannot have this value without a declaration; `undefined` if it can. */
export function wrongHost(text: string): string | undefined {
  const described = hostOfWord(text);
  if (described !== undefined) return typeof described === "string" ? described : undefined;
  const found = findHost(text);
  return "host" in found ? undefined : found.explanation;
}

const processor = (cpu: Cpu, ask: Ask): Choice<Next> => ({
  label: cpu.name,
  description: `${plural(cpu.cores, "core")}${cpu.mhz === undefined ? "" : `, ${cpu.mhz / 1000} GHz`}, ${cpu.family}`,
  answer: () => askForMachine(cpu, ask),
});

/** A host of one processor model. */
interface Machine {
  readonly sockets: number;
  readonly esxi: string;
  readonly memoryGiB?: number | undefined;
  readonly nodesPerSocket?: number | undefined;
}

/** A host to use, or a question that changes the machine. */
type Step = string | (() => Promise<Partial<Machine> | undefined>);

/** Asks for the rest of a host until the user takes it. */
async function askForMachine(cpu: Cpu, ask: Ask): Promise<string | undefined> {
  let machine: Machine = { sockets: Math.min(2, cpu.maxSockets ?? 2), esxi: "8.0" };
  for (;;) {
    const step = await ask(machineQuestion(cpu, machine, ask));
    if (step === undefined || typeof step === "string") return step;
    machine = { ...machine, ...(await step()) };
  }
}

function machineQuestion(cpu: Cpu, machine: Machine, ask: Ask): Question<Step> {
  const { sockets, esxi, memoryGiB, nodesPerSocket } = machine;
  const modes = [...(cpu.nodesPerSocket ?? [])].sort((a, b) => a - b);
  const mode = nodesPerSocket ?? cpu.nodesPerSocket?.[0];
  const change = (icon: string, label: string, description: string, next: Exclude<Step, string>): Choice<Step> => {
    return { label, description, icon, answer: next };
  };
  const changes = [
    change("server", "Sockets...", String(sockets), async () => {
      const count = await ask(countQuestion("Sockets", [1, 2, 4, 8], sockets));
      return count === undefined ? undefined : { sockets: count };
    }),
    change("database", "Memory...", memoryGiB ? `${memoryGiB} GiB` : "unknown: checks of memory are skipped", async () => {
      const gib = await ask(countQuestion("Memory of the host in GiB", MEMORY_GIB, memoryGiB));
      return gib === undefined ? undefined : { memoryGiB: gib };
    }),
    change("versions", "ESXi...", esxi, async () => {
      const release = await ask(releaseQuestion("ESXi version", esxi));
      return release === undefined ? undefined : { esxi: release };
    }),
    change(
      "layout",
      "NUMA nodes per socket...",
      `${mode}${nodesPerSocket === undefined ? ", the default" : ""} (${cpu.setting ?? "firmware"})`,
      async () => {
        const count = await ask(countQuestion("NUMA nodes per socket", modes, mode));
        return count === undefined ? undefined : { nodesPerSocket: count };
      },
    ),
  ];
  return {
    title: cpu.name,
    hint: "Use this host, or change it first",
    groups: [{ title: "", choices: [useOf(cpu, machine), ...(modes.length > 1 ? changes : changes.slice(0, -1))] }],
  };
}

const MEMORY_GIB = [256, 384, 512, 768, 1024, 1536, 2048, 3072, 4096];

/** Returns the choice that ends the questions, or the reason why the machine cannot exist. */
function useOf(cpu: Cpu, { sockets, esxi, memoryGiB, nodesPerSocket }: Machine): Choice<Step> {
  const text = `${sockets}x ${cpu.name}${nodesPerSocket ? `/${nodesPerSocket}` : ""}${memoryGiB ? `:${memoryGiB}` : ""}@${esxi}`;
  const made = hostFromCpu(text);
  if (!("host" in made)) return { label: made.reason, description: "", icon: "error", answer: async () => undefined };
  const { host } = made;
  const size = `${plural(host.sockets * host.coresPerSocket, "core")} in ${plural(host.numaNodes, "NUMA node")}`;
  return { label: `Use ${text}`, description: size, icon: "check", answer: text, isDefault: true };
}

const choicesOf = <T extends string | number>(values: readonly T[], now: T | undefined): readonly ChoiceGroup<T>[] => [
  { title: "", choices: values.map((value) => ({ label: String(value), description: "", answer: value, isDefault: value === now })) },
];

const countQuestion = (title: string, counts: readonly number[], now: number | undefined): Question<number> => ({
  title,
  hint: "A whole number",
  groups: choicesOf(counts, now),
  read: (text): TypedAnswer<number> =>
    /^[1-9]\d{0,5}$/.test(text) ? { answer: Number(text) } : { wrong: `"${text}" is no whole number, such as ${counts.at(-1)}.` },
});

const releaseQuestion = (title: string, now?: string): Question<string> => ({
  title,
  hint: "A release, for any of its updates",
  groups: choicesOf(RELEASE_NAMES, now),
});

/** Returns the declaration of a dump, with the release that the user adds if the dump has none. */
async function declaredBy(dump: Dump | undefined, ask: Ask): Promise<DeclaredHost | undefined> {
  if (!dump) return undefined;
  const { file, text, copy } = dump;
  const name = hostNameOf(file);
  const { host } = importHost(text, { name, file });
  const esxi = host.esxi ? undefined : await ask(releaseQuestion("The dump names no ESXi version. Which one is it?"));
  if (!host.esxi && esxi === undefined) return undefined;
  await copy?.();
  return { name, facts: { from: file, ...(esxi !== undefined && { esxi }) }, note: hostInWords(host) };
}

/** Returns the declaration of a host that a dump describes. */
export const declaredFrom = (file: string, host: HostModel): DeclaredHost => ({
  name: host.name,
  facts: { from: file },
  note: `${hostInWords(host)}${host.esxi ? "" : ", no ESXi version: add esxi:"}`,
});
