import type { RawConfig } from "./schema.ts";

type Of<T> = Readonly<Record<keyof Required<T>, string>>;

/** Describes the keys of a `vmlint.yaml`, for schemas and hovers. */
export const CONFIG_DOCS: Of<RawConfig> = {
  root: "`extends: [root]` in a folder below refers to this file.",
  extends:
    "Presets (default: recommended), and configurations to build on: ./base.yaml, or root for the nearest file above with root: true.",
  plugins: "Packages or files with custom rules. This is code, so it works only if the command line names this configuration.",
  ignore: "Globs of files and folders to skip, relative to this file.",
  host: "The host of the VMs: one of hosts, a built-in host, a short form such as 4x10x2:1024@5.5, processors such as 2x Xeon Gold 6148:768@8.0, or a dump such as esx01.txt@8.0.",
  workload: "The workload of the VMs, unless an override or a comment sets it.",
  hosts: "Hosts by name: with figures, processors (cpu), or a dump (from).",
  clusters: "Hosts that VMs can move between, by the name of the cluster. VMs of a cluster with this name need no host.",
  templates:
    "Settings of templates, by name or glob: written here, or a file with the template (.vmx, OVF, or JSON of govc). Clones that name the template have them.",
  assume: "Settings for VMs that do not state them. Findings name the assumptions they depend on.",
  varFiles:
    "Files with values for Terraform, Packer and Helm, relative to this file, like --var-file. A later file overrides an earlier one.",
  columns: "The columns of tables of VMs (.csv, .jsonl), by fact: { name: Server, vcpus: CPUs, memoryGiB: RAM }.",
  size: "Options of vmlint size --estate.",
  migrate: "The platform that the VMs will be imported to; each import is checked.",
  rules: "Severity by rule; off turns a rule off. It overrides the presets.",
  suppress: "Accepted findings, with reasons.",
  baseline: "The baseline file, relative to this file. Default: vmlint-baseline.json.",
  overrides: "Settings for some files or VMs. If two match, the later counts.",
};

/** Describes the keys of a host. */
export const HOST_DOCS: Of<NonNullable<RawConfig["hosts"]>[string]> = {
  from: "A dump of the host, relative to this file. Values next to it override the dump.",
  esxi: "The ESXi release: 6.7, 7.0 or 8.0 U2.",
  sockets: "Physical processors.",
  coresPerSocket: "Enabled cores of each processor.",
  threadsPerCore: "2 with hyper-threading, 1 without.",
  numaNodes: "NUMA nodes of the whole host. Default: one for each socket, or as snc, nps and cod set it.",
  memoryGiB: "Memory of the host in GiB: its DRAM.",
  nvmeTierGiB: "NVMe in GiB that memory tiering adds to the DRAM.",
  mhz: "Nominal clock of a core in MHz.",
  cpu: "The processors, such as 2x Xeon Gold 6148: the catalogue knows their cores, threads, clock and L3 groups.",
  snc: "Sub-NUMA clusters of each socket (Intel).",
  nps: "NUMA nodes per socket (EPYC).",
  cod: "Whether Cluster on Die is on (Xeon E5 v3 and v4).",
  coresPerL3: "Cores that share one L3 cache.",
  preferHt: "Whether the host's advanced setting Numa.PreferHT is on.",
  followCoresPerSocket: "Whether the host's advanced setting Numa.FollowCoresPerSocket is on.",
  kvm: "The host runs KVM, not ESXi. VMs of KubeVirt depend on these facts. Without facts: {}.",
  runs: "Globs of names of VMs that share this machine.",
};

/** Describes the keys of `kvm:` of a host. */
export const KVM_DOCS: Of<NonNullable<NonNullable<RawConfig["hosts"]>[string]["kvm"]>> = {
  kubernetes: "How the kubelet gives CPUs to pods.",
  hugePagesMiB: "Memory of the host in huge pages, in MiB, by the size of a page in MiB: { 2: 65536, 1024: 131072 }.",
};

/** Describes the keys of `hugePagesMiB:`. */
export const HUGE_PAGES_DOCS = { 2: "MiB in pages of 2 MiB.", 1024: "MiB in pages of 1 GiB." };

/** Describes the keys of `kubernetes:`. */
export const KUBERNETES_DOCS: Of<NonNullable<NonNullable<NonNullable<RawConfig["hosts"]>[string]["kvm"]>["kubernetes"]>> = {
  cpuManager: "cpuManagerPolicy of the kubelet: only static gives a VM dedicated CPUs.",
  options: "The options in cpuManagerPolicyOptions that are true.",
  reservedCpus: "CPUs that pods do not get: the number in reservedSystemCPUs, or the sum of kubeReserved and systemReserved.",
};

/** Describes the keys of an entry of `suppress:`. */
export const SIZE_DOCS: Of<NonNullable<RawConfig["size"]>> = {
  leastChange: "The smallest change of vCPUs to propose. Default: 2.",
  columns: "The columns of tables of demand, by fact: { name: Server, peakGHz: Peak, recommendedVcpus: New vCPUs }.",
};

export const MIGRATE_DOCS: Of<NonNullable<RawConfig["migrate"]>> = {
  to: "The target.",
  by: "The importer, as for vmlint migrate --by. Default: the first of the target.",
};

export const SUPPRESSION_DOCS: Of<NonNullable<RawConfig["suppress"]>[number]> = {
  rule: "The rule.",
  rules: "The rules.",
  vm: "Glob of VM names.",
  path: "Glob of files, relative to this file.",
  reason: "The reason.",
  until: "The last valid day: 2026-12-31.",
};

/** Describes the keys of an override. */
export const OVERRIDE_DOCS: Of<NonNullable<RawConfig["overrides"]>[number]> = {
  files: "Globs of files, relative to this file.",
  vms: "Globs of VM names.",
  cluster: "Glob of the names of clusters that the VMs are in.",
  host: "The host of these VMs.",
  workload: "The workload of these VMs; it replaces the whole workload above.",
  rules: "Severity by rule for these VMs.",
};
