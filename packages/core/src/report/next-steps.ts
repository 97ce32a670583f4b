import { factsOf, isDescribed } from "../hosts/host-facts.ts";
import type { Skip } from "../model/diagnostic.ts";
import { type HostModel, parseShortForm, shortFormOf } from "../model/host.ts";
import { getOrInsert } from "../model/maps.ts";
import { SETTING_WORDS } from "../model/setting-words.ts";
import { type SettingName, SPEC_SETTINGS } from "../model/spec.ts";
import { list, names, plural } from "../model/words.ts";
import { allowedFor, exampleFor, WORKLOAD_FIELD_NAMES, type Workload, type WorkloadField } from "../model/workload.ts";

/** Skipped checks with the same reason and input, of one file. */
export interface SkippedGroup extends Skip {
  readonly count: number;
  /** The file, relative to the working directory. */
  readonly path: string;
}

/** Returns the steps for skipped checks, the most effective first, and the checks without a step. A step of a kind covers all its inputs. */
export function nextSteps(
  skips: readonly SkippedGroup[],
  vmCount: number,
): { readonly steps: readonly string[]; readonly left: readonly SkippedGroup[] } {
  const groups = new Map<string, { readonly kind: Kind; readonly skips: SkippedGroup[] }>();
  const left: SkippedGroup[] = [];
  // Threads check files in any order. Steps name them in the order of their paths.
  for (const skip of [...skips].sort((a, b) => Number(a.path > b.path) - Number(a.path < b.path))) {
    const kind = KINDS.find(({ takes }) => takes(skip, vmCount));
    if (!kind) left.push(skip);
    else getOrInsert(groups, `${KINDS.indexOf(kind)} ${kind.apart?.(skip) ?? ""}`, () => ({ kind, skips: [] })).skips.push(skip);
  }
  const ranked = [...groups.values()].map(({ kind, skips: own }) => {
    const checks = own.reduce((sum, { count }) => sum + count, 0);
    return { rank: kind.isOptional ? 0 : checks, text: `${plural(checks, kind.word ?? "check")}: ${kind.say(own)}.` };
  });
  return { steps: ranked.sort((a, b) => b.rank - a.rank).map(({ text }) => text), left };
}

/** One kind of step. The first kind that takes a skipped check gets it. */
interface Kind {
  readonly takes: (skip: SkippedGroup, vmCount: number) => boolean;
  /** Skipped checks with different texts get steps of their own. */
  readonly apart?: (skip: SkippedGroup) => string;
  readonly say: (skips: readonly SkippedGroup[]) => string;
  readonly word?: string;
  /** Whether most inputs need no such step. */
  readonly isOptional?: true;
}

const KINDS: readonly Kind[] = [
  {
    takes: ({ reason, input }) => input?.exportHosts !== undefined && ["no-host", "no-esxi-version", "host-incomplete"].includes(reason),
    apart: ({ reason, lacks = [], input }) => [reason, ...lacks, input?.exportHosts].join(),
    say: ([first]) => {
      const what = { "no-esxi-version": "the ESXi version of the hosts", "host-incomplete": `${fieldWords(first?.lacks)} of the hosts` };
      return `export ${what[first?.reason as keyof typeof what] ?? "the hosts"}, too (${first?.input?.exportHosts})${first?.reason === "no-host" ? ", or name the host of all VMs: --host 2x16x2:512@8.0" : ""}`;
    },
  },
  {
    takes: ({ reason }) => reason === "no-host",
    apart: ({ input }) => input?.hostHint ?? "",
    say: (skips) => `name the host: ${skips[0]?.input?.hostHint ?? "--host HOST"}${fitWords(skips)}`,
  },
  {
    takes: ({ reason }) => reason === "no-esxi-version",
    apart: ({ input }) => input?.host?.name ?? "",
    say: ([first]) => {
      const host = first?.input?.host;
      const short = host && parseShortForm(host.name) && shortFormOf(host, "8.0");
      return `state the ESXi version of host ${host?.name ?? ""}${short ? `: --host ${short}` : `, as in vmlint.yaml: ${hostLine(host, { esxi: "8.0" })}`}`;
    },
  },
  {
    takes: ({ reason, lacks = [], input }) => reason === "host-incomplete" && lacks.length > 0 && canComplete(input?.host, lacks),
    apart: ({ input }) => input?.host?.name ?? "",
    say: (skips) => {
      const host = skips[0]?.input?.host;
      const lacks = [...new Set(skips.flatMap((skip) => skip.lacks ?? []))];
      const isShort = host !== undefined && parseShortForm(host.name) !== undefined;
      const use = isShort ? ` and host: ${HOST_WORD}` : "";
      return `state ${fieldWords(lacks)} of host ${host?.name ?? ""}, as in vmlint.yaml: ${hostLine(host, pick(HOST_EXAMPLES, lacks))}${use}`;
    },
  },
  {
    // A plugin may leave the fields out.
    takes: ({ reason, lacks }) => reason === "host-incomplete" && lacks === undefined,
    say: () => "complete the host in vmlint.yaml: add cpu:, mhz: or memoryGiB:",
  },
  {
    takes: ({ reason, lacks }) => reason === "workload-incomplete" && lacks === undefined,
    say: () => "complete the workload in vmlint.yaml",
  },
  {
    takes: ({ reason }) => reason === "workload-incomplete",
    apart: ({ input }) => JSON.stringify([input?.workload, input?.isCommented]),
    say: (skips) => {
      const { workload, isCommented } = skips[0]?.input ?? {};
      const lacks = [...new Set(skips.flatMap((skip) => skip.lacks ?? []))] as readonly WorkloadField[];
      const what = lacks.map((field) => `${field} (${list(allowedFor(field), "or")})`);
      const full = { ...workload, ...Object.fromEntries(lacks.map((field) => [field, exampleFor(field)])) };
      return `add ${list(what, "and")} to the workload, as in ${isCommented ? comment(full) : `vmlint.yaml: workload: ${flow(full)}`}`;
    },
  },
  {
    takes: ({ reason }) => reason === "placement-unknown",
    word: "capacity check",
    say: (skips) => {
      const [{ input = {} } = {}] = skips;
      const vms = skips.flatMap((skip) => skip.input?.vms ?? []);
      return `add --together if the VMs share one machine. If some do, list them instead of --host, in vmlint.yaml: ${hostLine(input.host, { runs: vms.slice(0, MOST_NAMES) })}`;
    },
  },
  { takes: ({ unset, input }) => unset !== undefined && input?.cause === "open", say: variablesStep },
  {
    takes: ({ input }) => input?.cause === "mistyped",
    say: (skips) => `correct ${settingWords(skips)}: a finding names the place`,
  },
  {
    takes: ({ input, needs = [] }) => input?.template !== undefined && needs.every(isAssumable),
    say: (skips) => {
      const templates = new Map<string, Set<SettingName>>();
      for (const { input, needs = [] } of skips)
        for (const name of needs) getOrInsert(templates, input?.template ?? "", () => new Set()).add(name);
      const shown = [...templates]
        .slice(0, MOST_NAMES)
        .map(([template, settings]) => `${quoted(template)}: ${flow(pick(SETTING_EXAMPLES, [...settings]))}`);
      const which = templates.size === 1 ? "the template" : `${templates.size} templates`;
      return `state the unknown settings of ${which}, as in vmlint.yaml: templates: { ${shown.join(", ")} }`;
    },
  },
  {
    takes: ({ input, needs = [] }, vmCount) => input?.cause !== "export" && needs.length > 0 && vmCount === 1 && needs.every(isAssumable),
    say: (skips) => `state the unknown settings, as in vmlint.yaml: assume: ${flow(pick(SETTING_EXAMPLES, settingsOf(skips)))}`,
  },
  {
    takes: ({ reason, input, needs = [] }) =>
      reason === "unknown-value" && (input?.cause === "template" || input?.cause === "open") && needs.length > 0,
    say: (skips) => `state ${settingWords(skips)} in ${names([...new Set(skips.map(({ path }) => path))])}`,
  },
  {
    takes: ({ reason }) => reason === "no-workload",
    isOptional: true,
    say: () => "declare the workload of VMs that have one, as in vmlint.yaml: overrides: [{ vms: [sql-*], workload: { kind: mssql } }]",
  },
];

/** Returns a sentence about the VMs that fit one NUMA node of every host, with the files of wider VMs; empty if no VM fits. */
function fitWords(skips: readonly SkippedGroup[]): string {
  const others = filesOf(skips, false);
  const [fit = 0, wide = 0, open = 0] = [filesOf(skips, true), others, filesOf(skips, undefined)].map(sumOf);
  const rest = wide + open;
  if (fit === 0) return "";
  if (rest === 0) return `. ${fit === 1 ? "The VM fits" : `All ${fit} VMs fit`} ${EVERY_NODE}`;
  const theOther = (count: number): string => (count < rest ? String(count) : rest === 1 ? "the other" : `the other ${rest}`);
  const ofWide = wide > 0 ? `; the host decides the layout of ${theOther(wide)}: ${names([...others.keys()])}` : "";
  const ofOpen = open > 0 ? `; ${theOther(open)} ${open === 1 ? "has" : "have"} unknown settings` : "";
  return `. ${fit} of ${fit + rest} VMs ${fit === 1 ? "fits" : "fit"} ${EVERY_NODE}${ofWide}${ofOpen}`;
}

const sumOf = (files: ReadonlyMap<string, number>): number => [...files.values()].reduce((sum, count) => sum + count, 0);

const EVERY_NODE = "one NUMA node of every server since 2016";

/** Returns the files with VMs that fit, do not, or are open, each with their number. A rule skips a VM at most once. */
function filesOf(skips: readonly SkippedGroup[], fits: boolean | undefined): ReadonlyMap<string, number> {
  const files = new Map<string, number>();
  for (const { path, count, input } of skips) if (input?.fits === fits) files.set(path, Math.max(count, files.get(path) ?? 0));
  return files;
}

/** The most VMs, files or templates in a step. */
const MOST_NAMES = 3;

/** Example values: mostly ESXi's defaults. */
const SETTING_EXAMPLES: Readonly<Record<(typeof SPEC_SETTINGS)[number], unknown>> = {
  vcpus: 8,
  coresPerSocket: "auto",
  coresPerNumaNode: 0,
  threadsPerCore: 1,
  memoryMiB: 16_384,
  hardwareVersion: 21,
  guestOs: "ubuntu-64",
  cpuHotAdd: false,
  memoryHotAdd: false,
  latencySensitivity: "normal",
  cpuAffinity: [0, 1],
  numaNodeAffinity: [0],
  cpuReservationMHz: 0,
  cpuLimitMHz: "unlimited",
  memoryReservationMiB: 0,
  memoryReservationLocked: false,
  memoryLimitMiB: "unlimited",
};

const HOST_EXAMPLES = { memoryGiB: 512, mhz: 2400, cpu: "Intel Xeon Gold 6148" };
const HOST_FIELDS: Readonly<Record<string, string>> = { memoryGiB: "the memory", mhz: "the clock", cpu: "the processor" };

/** The end of the name of a host that was read from a dump. */
const DUMP = /\.(?:txt|json|xml|log)(?:@.*)?$/i;

/** The name of a host that only has a short form. */
const HOST_WORD = "lab";

/** Nodes with unequal memory cannot be stated. */
const canComplete = (host: HostModel | undefined, lacks: readonly string[]): boolean =>
  host !== undefined && isDescribed(host) && lacks.every((field) => field in HOST_EXAMPLES);

const fieldWords = (lacks: readonly string[] = []): string =>
  list(
    lacks.map((field) => HOST_FIELDS[field] ?? field),
    "and",
  );

const isAssumable = (name: SettingName): boolean => SPEC_SETTINGS.some((setting) => setting === name);

const settingsOf = (skips: readonly Skip[]): readonly SettingName[] => [...new Set(skips.flatMap(({ needs = [] }) => needs))];

const settingWords = (skips: readonly Skip[]): string => names(settingsOf(skips).map((name) => SETTING_WORDS[name]));

const pick = (examples: Readonly<Record<string, unknown>>, keys: readonly string[]): Readonly<Record<string, unknown>> =>
  Object.fromEntries(keys.map((key) => [key, examples[key]]));

/** Returns the line of `vmlint.yaml` that describes a host, with more fields. */
function hostLine(host: HostModel | undefined, more: Readonly<Record<string, unknown>>): string {
  if (!host) return "";
  const name = parseShortForm(host.name) ? HOST_WORD : host.name.replace(DUMP, "");
  return `hosts: { ${quoted(name)}: ${flow({ ...factsOf(host), ...more })} }`;
}

/** Returns a mapping of YAML in one line. */
const flow = (fields: object): string =>
  `{ ${Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${key}: ${scalar(value)}`)
    .join(", ")} }`;

const scalar = (value: unknown): string =>
  Array.isArray(value) ? `[${value.map(scalar).join(", ")}]` : typeof value === "string" ? quoted(value) : String(value);

/** Quotes a text that YAML would misread. */
const quoted = (text: string): string =>
  /^[A-Za-z][\w-]*$/.test(text) && !/^(?:true|false|yes|no|on|off|null|y|n)$/i.test(text) ? text : JSON.stringify(text);

const comment = (workload: Partial<Workload>): string =>
  `its comment: vmlint: ${WORKLOAD_FIELD_NAMES.flatMap((field) => {
    const value = workload[field];
    return value === undefined ? [] : [`${field === "kind" ? "workload" : field}=${value}`];
  }).join(" ")}`;

function variablesStep(skips: readonly SkippedGroup[]): string {
  const unset = skips.flatMap((skip) => skip.unset ?? []);
  const variables = [...new Set(unset.map(({ name }) => name))];
  const files = [...new Set(unset.flatMap(({ foundIn }) => foundIn))];
  const options = files.length === 1 ? `--var-file ${files[0]}` : `${names(files)} set them: --var-file FILE`;
  const how =
    files.length > 0
      ? options
      : variables
          .map((name) => `--var ${name.replace(/^var\./, "")}=VALUE`)
          .slice(0, MOST_NAMES)
          .join(" ");
  return `set ${names(variables)}: ${how}`;
}
