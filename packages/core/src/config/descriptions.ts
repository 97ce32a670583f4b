import type { RawConfig } from "./schema.ts";

type Of<T> = Readonly<Record<keyof Required<T>, string>>;

/** What each key of a `vmlint.yaml` means, for schemas and hovers. */
export const CONFIG_DOCS: Of<RawConfig> = {
  root: "`extends: [root]` of the configurations below means this one.",
  extends:
    "Presets of rules, in place of recommended; configurations to build on (./base.yaml), or root: the nearest above that says root: true.",
  plugins: "Packages or files with rules of others: code, which counts only where the command line names this configuration.",
  ignore: "Globs of files and folders that are not checked, from the folder of this file.",
  host: "The host VMs are checked against: one of hosts, a built-in one, or a short form such as 4x10x2:1024@5.5.",
  workload: "What runs in the VMs, where nothing nearer says it.",
  hosts: "Hosts by name: by their figures, their processors (cpu), or a dump (from).",
  clusters: "Hosts that the same VMs may run on, by the name of the cluster.",
  rules: "Severities by rule; off switches a rule off. They go before the presets.",
  suppress: "Findings that are accepted, each with its reason.",
  baseline: "The file of known findings, relative to this one. Default: vmlint-baseline.json.",
  overrides: "What differs for some files or VMs. Of two that match, the later counts.",
};

/** What each key of a host means. */
export const HOST_DOCS: Of<NonNullable<RawConfig["hosts"]>[string]> = {
  from: "A dump of the host, relative to this file. What stands beside it wins.",
  esxi: "The ESXi release: 6.7, 7.0 or 8.0 U2.",
  sockets: "Physical processors.",
  coresPerSocket: "Cores of each processor that are switched on.",
  threadsPerCore: "2 with hyper-threading, 1 without.",
  numaNodes: "NUMA nodes of the whole host. Default: one a socket, or what the processors' setting makes.",
  memoryGiB: "Memory of the host in GiB.",
  mhz: "Nominal clock of a core in MHz.",
  cpu: "The processors, such as 2x Xeon Gold 6148: the catalogue knows their cores, threads, clock and L3 groups.",
  snc: "Sub-NUMA clusters of each socket (Intel).",
  nps: "NUMA nodes per socket (EPYC).",
  cod: "Whether Cluster on Die is on (Xeon E5 v3 and v4).",
  coresPerL3: "Cores that share one L3 cache.",
  preferHt: "Whether the host's advanced setting Numa.PreferHT is on.",
  followCoresPerSocket: "Whether the host's advanced setting Numa.FollowCoresPerSocket is on.",
  runs: "Globs of the names of VMs that run together on this one machine.",
};

/** What each key of an accepted finding means. */
export const SUPPRESSION_DOCS: Of<NonNullable<RawConfig["suppress"]>[number]> = {
  rule: "The rule whose findings are accepted.",
  rules: "The rules whose findings are accepted.",
  vm: "Glob of the VMs' names.",
  path: "Glob of the files, from the folder of this file.",
  reason: "Why they are accepted.",
  until: "The last day on which this counts: 2026-12-31.",
};

/** What each key of an override means. */
export const OVERRIDE_DOCS: Of<NonNullable<RawConfig["overrides"]>[number]> = {
  files: "Globs of the files it speaks of, from the folder of this file.",
  vms: "Globs of the names of the VMs it speaks of.",
  host: "The host these VMs are checked against.",
  workload: "What runs in these VMs; it replaces the workload below it as a whole.",
  rules: "Severities by rule for these VMs.",
};
