import * as z from "zod/mini";
import { workloadShape } from "../formats/workload-schema.ts";
import { MIGRATION_TARGETS } from "../importers/importer.ts";
import { mostOf } from "../model/ceilings.ts";
import { COLUMN_FACTS, DEMAND_FACTS } from "../model/columns.ts";
import { SEVERITIES } from "../model/diagnostic.ts";
import { CPU_MANAGER_OPTIONS } from "../model/host.ts";
import type { SettingName, SPEC_SETTINGS } from "../model/spec.ts";
import { PRESETS, type Preset } from "../rules/preset-names.ts";
import { extendedIn, isTooWide } from "./globs.ts";

/** Longer patterns can nest braces so deep that the library does not expand them. */
const glob = z.string().check(
  z.maxLength(500),
  z.refine((pattern) => !isTooWide(pattern)),
);

/** Names of VMs may have parentheses; names of files with them are mostly patterns of another program. */
const fileGlob = glob.check(z.refine((pattern) => extendedIn(pattern) === undefined));

const positive = z.number().check(z.int(), z.positive());

export const workload = z.strictObject(workloadShape);

/** Names from a list elsewhere; editors complete them. */
export const hostName = z.string();
export const cpuName = z.string();
export const ruleId = z.string();

/** A version is text, although YAML reads 8.0 as a number. */
export const versionText = z.string();

const natural = z.number().check(z.int(), z.nonnegative());

/** The kubelet's settings for CPUs (https://kubernetes.io/docs/concepts/policy/node-resource-managers/). */
export const kubernetes = z.strictObject({
  cpuManager: z.enum(["none", "static"]),
  options: z.optional(z.array(z.enum(CPU_MANAGER_OPTIONS))),
  reservedCpus: z.optional(natural),
});

/** The sizes of huge pages on x86, in MiB. */
export const hugePages = z.strictObject({ 2: z.optional(natural), 1024: z.optional(natural) });

export const kvm = z.strictObject({ kubernetes: z.optional(kubernetes), hugePagesMiB: z.optional(hugePages) });

export const host = z.strictObject({
  from: z.optional(z.string()),
  esxi: z.optional(versionText),
  sockets: z.optional(positive),
  coresPerSocket: z.optional(positive),
  threadsPerCore: z.optional(positive),
  numaNodes: z.optional(positive),
  memoryGiB: z.optional(z.number().check(z.positive())),
  nvmeTierGiB: z.optional(z.number().check(z.positive())),
  mhz: z.optional(z.number().check(z.positive())),
  cpu: z.optional(cpuName),
  snc: z.optional(positive),
  nps: z.optional(positive),
  cod: z.optional(z.boolean()),
  coresPerL3: z.optional(positive),
  preferHt: z.optional(z.boolean()),
  followCoresPerSocket: z.optional(z.boolean()),
  kvm: z.optional(kvm),
  runs: z.optional(z.array(glob)),
});

/** A number of a setting, up to the setting's ceiling. */
const counted = (name: SettingName) => positive.check(z.maximum(mostOf(name)));
const sized = (name: SettingName) => natural.check(z.maximum(mostOf(name)));

/** Settings of VMs, by the names that a VM spec has for them. */
export const assumedSettings = z.strictObject({
  vcpus: z.optional(counted("vcpus")),
  coresPerSocket: z.optional(z.union([counted("coresPerSocket"), z.literal("auto")])),
  coresPerNumaNode: z.optional(sized("coresPerNumaNode")),
  threadsPerCore: z.optional(counted("threadsPerCore")),
  memoryMiB: z.optional(counted("memoryMiB")),
  hardwareVersion: z.optional(positive),
  guestOs: z.optional(z.string()),
  cpuHotAdd: z.optional(z.boolean()),
  memoryHotAdd: z.optional(z.boolean()),
  latencySensitivity: z.optional(z.enum(["low", "normal", "medium", "high"])),
  cpuAffinity: z.optional(z.array(natural)),
  numaNodeAffinity: z.optional(z.array(natural)),
  cpuReservationMHz: z.optional(sized("cpuReservationMHz")),
  cpuLimitMHz: z.optional(z.union([sized("cpuLimitMHz"), z.literal("unlimited")])),
  memoryReservationMiB: z.optional(sized("memoryReservationMiB")),
  memoryReservationLocked: z.optional(z.boolean()),
  memoryLimitMiB: z.optional(z.union([sized("memoryLimitMiB"), z.literal("unlimited")])),
} satisfies Record<(typeof SPEC_SETTINGS)[number], z.ZodMiniType>);

export const severity = z.enum([...SEVERITIES, "off"]);

export const severities = z.record(z.string(), severity);

export const suppression = z.strictObject({
  rule: z.optional(ruleId),
  rules: z.optional(z.array(ruleId)),
  vm: z.optional(glob),
  path: z.optional(fileGlob),
  reason: z.optional(z.string()),
  until: z.optional(z.string()),
});

export const override = z.strictObject({
  files: z.optional(z.array(fileGlob)),
  vms: z.optional(z.array(glob)),
  cluster: z.optional(glob),
  host: z.optional(hostName),
  workload: z.optional(workload),
  rules: z.optional(severities),
});

/** A path of a configuration to extend; the first characters distinguish it from a preset. */
const FILE = /^\.{1,2}\//;

/** Whether an entry of `extends:` is a file. */
export const isFile = (entry: string): boolean => FILE.test(entry);

/** The nearest configuration above with `root: true`. */
export const ROOT = "root";

/** Whether an entry of `extends:` is a preset, the only kind left. */
export const isPreset = (entry: string): entry is Preset => !isFile(entry) && entry !== ROOT;

const columns = z.partialRecord(z.enum(COLUMN_FACTS), z.string());

/** Options of `vmlint size --estate`. */
export const sizeOptions = z.strictObject({
  leastChange: z.optional(positive),
  columns: z.optional(z.partialRecord(z.enum(DEMAND_FACTS), z.string())),
});

/** The next platform of the VMs. */
export const migration = z.strictObject({ to: z.enum(MIGRATION_TARGETS), by: z.optional(z.string()) });

/** The schema of a `vmlint.yaml`; descriptions.ts has the texts for its keys. */
export const configSchema = z.strictObject({
  root: z.optional(z.boolean()),
  extends: z.optional(z.array(z.union([z.enum([...PRESETS, ROOT]), z.string().check(z.regex(FILE))]))),
  /** Packages or files with plugin rules. */
  plugins: z.optional(z.array(z.string())),
  ignore: z.optional(z.array(fileGlob)),
  host: z.optional(hostName),
  workload: z.optional(workload),
  hosts: z.optional(z.record(z.string(), host)),
  clusters: z.optional(z.record(z.string(), z.array(hostName))),
  templates: z.optional(z.record(glob, z.union([z.string(), assumedSettings]))),
  assume: z.optional(assumedSettings),
  varFiles: z.optional(z.array(z.string())),
  columns: z.optional(columns),
  size: z.optional(sizeOptions),
  migrate: z.optional(migration),
  rules: z.optional(severities),
  suppress: z.optional(z.array(suppression)),
  baseline: z.optional(z.string()),
  overrides: z.optional(z.array(override)),
});

/** The values of a configuration before checks and defaults. */
export type RawConfig = z.infer<typeof configSchema>;
