import type { Cell } from "./cell.ts";
import type { HostModel } from "./host.ts";
import type { HostReference } from "./inventory-host.ts";
import type { Problem } from "./problem.ts";
import { ABSENT, type Located, type Range, type Setting, type TextEdit } from "./source.ts";
import type { Source } from "./sources.ts";
import type { Step } from "./topology.ts";

export type LatencySensitivity = "low" | "normal" | "medium" | "high";

export type ScsiType = "pvscsi" | "lsilogic" | "lsisas1068" | "buslogic";

/**
 * Every setting a topology or a rule may depend on, and the type of its value. Formats without one leave it absent.
 *
 * @example
 * const wanted: Partial<SettingTypes> = { vcpus: 8, memoryMiB: 65_536 };
 */
export interface SettingTypes {
  readonly vcpus: number;
  /** `auto`: ESXi chooses at power-on. */
  readonly coresPerSocket: number | "auto";
  /** vCPUs of one virtual NUMA node, set by hand; 0 = automatic. */
  readonly coresPerNumaNode: number;
  /** Virtual hyper-threads per virtual core. */
  readonly threadsPerCore: number;
  readonly memoryMiB: number;
  readonly hardwareVersion: number;
  readonly guestOs: string;
  readonly cpuHotAdd: boolean;
  readonly memoryHotAdd: boolean;
  readonly latencySensitivity: LatencySensitivity;
  /** Physical CPU numbers in ESXi's order: packages, inside them cores, inside them threads. */
  readonly cpuAffinity: readonly number[] | "all";
  readonly numaNodeAffinity: readonly number[];
  readonly memoryAffinity: readonly number[] | "all";
  readonly cpuReservationMHz: number;
  /** Whether all MHz of its cores are reserved, on any host. */
  readonly cpuReservationLocked: boolean;
  readonly cpuLimitMHz: number | "unlimited";
  readonly memoryReservationMiB: number;
  readonly memoryReservationLocked: boolean;
  readonly memoryLimitMiB: number | "unlimited";
  readonly preferHt: boolean;
  readonly vnumaMinVcpus: number;
  readonly maxVcpusPerVnumaNode: number;
  readonly maxVcpusPerPhysicalNode: number;
  readonly maxVcpusPerClient: number;
  readonly followCoresPerSocket: boolean;
  readonly numaConsolidate: boolean;
  readonly numaAutosize: boolean;
  readonly numaAutosizeOnce: boolean;
  /** State from an earlier power-on: the node size that ESXi chose, and the vCPUs that it was for. */
  readonly storedNodeSize: number;
  readonly storedCookie: number;
  readonly exposeVnumaOnHotAdd: boolean;
  /** Each virtual socket is a NUMA node that stays on one physical node until the next power-on or migration. */
  readonly numaFixedAutoAffinity: boolean;
  /** The most vCPUs after hot add. */
  readonly maxVcpusByHotAdd: number;
  /** `low`, `normal`, `high` or a number, as text. */
  readonly cpuShares: string;
  readonly memoryShares: string;
  /** The most memory that ballooning takes; 0 disables it. */
  readonly balloonLimitMiB: number;
  readonly hugePages: boolean;
  /** False keeps the memory of the VM in DRAM on a host with memory tiering. */
  readonly memoryTiering: boolean;
  /** Which VMs may use the other thread of a core: `any`, `none`, `internal`. */
  readonly hyperthreadSharing: string;
  readonly consolidateCaches: boolean;
  /** The technique for memory translation and for code execution: `automatic`, `hardware`, `software`. */
  readonly mmuVirtualization: string;
  readonly cpuVirtualization: string;
}

/**
 * The name of a setting of a VM.
 *
 * @example
 * const name: SettingName = "coresPerSocket";
 */
export type SettingName = keyof SettingTypes;

/** Values of some settings: defaults, a candidate, or replacements for another topology ("what if"). */
export type SettingValues = Partial<SettingTypes>;

export type Settings = { readonly [K in SettingName]: Setting<SettingTypes[K]> };

/** The start of every parser. A literal, because an object filled key by key is slow to copy and to read. */
export const NO_SETTINGS: Settings = {
  vcpus: ABSENT,
  coresPerSocket: ABSENT,
  coresPerNumaNode: ABSENT,
  threadsPerCore: ABSENT,
  memoryMiB: ABSENT,
  hardwareVersion: ABSENT,
  guestOs: ABSENT,
  cpuHotAdd: ABSENT,
  memoryHotAdd: ABSENT,
  latencySensitivity: ABSENT,
  cpuAffinity: ABSENT,
  numaNodeAffinity: ABSENT,
  memoryAffinity: ABSENT,
  cpuReservationMHz: ABSENT,
  cpuReservationLocked: ABSENT,
  cpuLimitMHz: ABSENT,
  memoryReservationMiB: ABSENT,
  memoryReservationLocked: ABSENT,
  memoryLimitMiB: ABSENT,
  preferHt: ABSENT,
  vnumaMinVcpus: ABSENT,
  maxVcpusPerVnumaNode: ABSENT,
  maxVcpusPerPhysicalNode: ABSENT,
  maxVcpusPerClient: ABSENT,
  followCoresPerSocket: ABSENT,
  numaConsolidate: ABSENT,
  numaAutosize: ABSENT,
  numaAutosizeOnce: ABSENT,
  storedNodeSize: ABSENT,
  storedCookie: ABSENT,
  exposeVnumaOnHotAdd: ABSENT,
  numaFixedAutoAffinity: ABSENT,
  maxVcpusByHotAdd: ABSENT,
  cpuShares: ABSENT,
  memoryShares: ABSENT,
  balloonLimitMiB: ABSENT,
  hugePages: ABSENT,
  memoryTiering: ABSENT,
  hyperthreadSharing: ABSENT,
  consolidateCaches: ABSENT,
  mmuVirtualization: ABSENT,
  cpuVirtualization: ABSENT,
};

/** A change to a VM, independent of the format that writes it. */
export type Change =
  | { readonly [K in SettingName]: { readonly setting: K; readonly value: SettingTypes[K] } }[SettingName]
  | { readonly setting: "scsiType"; readonly controller: string; readonly value: ScsiType };

export interface ScsiController {
  /** The address in the format: `scsi0`. */
  readonly id: string;
  readonly bus: number;
  /** Absent if the file does not set it; the default of the guest applies. */
  readonly type: Setting<ScsiType>;
  /** Set if VMs share its bus, such as in a cluster, or may share it. */
  readonly shared?: true;
  /** The range for findings without a stated type. */
  readonly range: Range;
}

export interface OtherController {
  readonly kind: "nvme" | "sata" | "ide";
  readonly bus: number;
  readonly range: Range;
}

export interface Disk {
  /** `scsi0:1`. */
  readonly id: string;
  /** `scsi0`. */
  readonly controller: string;
  readonly range: Range;
  /** The provisioning of its space; missing if the format cannot express it, such as .vmx. */
  readonly provisioning?: Setting<Provisioning>;
  /** I/O filters on it (vSphere APIs for I/O Filtering), if the format lists them. */
  readonly ioFilters?: readonly string[];
}

/** `lazy` and `eager`: thick, zeroed at the first write or when the disk is made. */
export type Provisioning = "thin" | "lazy" | "eager";

export interface Nic {
  readonly index: number;
  readonly type: Setting<string>;
}

/** A host device that the guest drives directly, including SR-IOV functions. */
export interface PassthroughDevice {
  /** `pciPassthru0`. */
  readonly id: string;
  readonly range: Range;
  /** `fixed`: one device of one host; `dynamic`: any of a model. Missing if the file does not show it. */
  readonly kind?: "fixed" | "dynamic" | "vgpu" | "sriov";
  /** The profile of a vGPU, `grid_a100-40c`, or vendor and device, `10de:20f1`. */
  readonly model?: string;
}

/** Parts and switches of the virtual mainboard that power-on depends on. */
export interface BoardTypes {
  readonly firmware: "bios" | "efi";
  readonly secureBoot: boolean;
  readonly iommu: boolean;
  readonly nestedVirtualization: boolean;
  readonly performanceCounters: boolean;
  /** Windows' virtualization-based security. */
  readonly vbs: boolean;
  readonly tpm: boolean;
  readonly precisionClock: boolean;
  readonly watchdog: boolean;
  readonly persistentMemory: boolean;
  readonly sgx: boolean;
  readonly sev: boolean;
  readonly tdx: boolean;
  readonly chipset: "acpi" | "i440bx";
  /** Whether the VM maps memory of PCI devices above 4 GiB, and the size of that region. */
  readonly mmio64: boolean;
  readonly mmioGiB: number;
  /** Whether passthrough devices can be added to the running VM. */
  readonly hotPlugPassthrough: boolean;
  /** The version that it asks for at least, if its template may have a newer one. */
  readonly leastHardwareVersion: number;
}

/** The parts that a description decides. A missing part may be there or not; an absent one has the default of ESXi. */
export type Board = { readonly [K in keyof BoardTypes]?: Setting<BoardTypes[K]> };

export interface Devices {
  /** Controllers that are not SCSI. */
  readonly otherControllers: readonly OtherController[];
  /** Hard disks only. */
  readonly disks: readonly Disk[];
  readonly nics: readonly Nic[];
  /** Why there may be more devices than listed. */
  readonly missing?: string;
  /** Missing if the reader of the format does not find them. */
  readonly passthrough?: readonly PassthroughDevice[];
}

export const PLATFORMS = ["esxi", "desktop", "kvm", "other", "unknown"] as const;
/**
 * The hypervisor of a VM. `desktop` is Workstation, Fusion or Player, which size virtual NUMA differently; `other` is a hypervisor with an
 * unknown layout; `unknown`: a file without evidence, which is read as an ESXi VM; `kvm`: a VM of a stack on KVM,
 * such as KubeVirt.
 */
export type Platform = (typeof PLATFORMS)[number];

/** The facts of a definition for KVM besides its settings, with the defaults of its stack. */
export interface KvmFacts {
  readonly stack: string;
  /** The most sockets after hot plug; absent without hot plug. */
  readonly maxSockets: Setting<number>;
  /** Whether its file states that maximum. */
  readonly statesMaxSockets: boolean;
  /** Whether each vCPU has a host CPU of its own. */
  readonly dedicated: boolean;
  /** Further host CPUs, which run no vCPU. */
  readonly moreCpus: number;
  /** Whether the guest gets the NUMA nodes of its host CPUs. */
  readonly hostNodes: boolean;
  /** The size of its huge pages, if it has any. */
  readonly pageMiB?: number | undefined;
  /** The host CPUs that its pod may use. */
  readonly cpuLimit: Setting<number>;
  /** Set if the stack refuses the definition. */
  readonly refused?: KvmRefusal | undefined;
  /** Whether its counts alone decide the machine of the guest. */
  readonly byCounts: boolean;
  /** The machine that its definition decides; missing if counts decide it, or if a part is unknown. */
  readonly machine?: KvmMachine | undefined;
  readonly pins?: KvmPins | undefined;
  /** Set if its notation cannot state a topology: each vCPU is a socket. */
  readonly hasNoTopology?: true;
  /** Why the view of its guest is unknown, if no setting is. */
  readonly unknown?: string;
}

/** The machine that a stack makes of a definition, as QEMU gets it. */
export interface KvmMachine {
  /** Cores of a socket, over all dies and clusters. */
  readonly cores: number;
  readonly threads: number;
  /** The numbers of the vCPUs that are present at start. */
  readonly present: readonly number[];
  readonly possible: number;
  /** The NUMA cells; without cells the guest has one node. */
  readonly cells: readonly KvmCell[];
  /** Whether the vCPUs of a socket share an L3 cache; null if unknown. */
  readonly sharesL3: boolean | null;
  readonly steps: readonly Step[];
}

/** A NUMA cell: the vCPUs that its definition lists. */
export interface KvmCell {
  readonly vcpus: readonly number[];
  readonly memoryMiB: number | null;
  /** The NUMA nodes of the host that its memory is bound to. */
  readonly hostNodes?: readonly number[] | undefined;
  readonly range: Range;
}

/** The host CPUs that the threads of a VM may use. */
export interface KvmPins {
  readonly vcpus: ReadonlyMap<number, Located<readonly number[]>>;
  /** The CPUs of vCPUs without a pin of their own. */
  readonly others?: Located<readonly number[]> | undefined;
  readonly emulator?: Located<readonly number[]> | undefined;
  /** The CPUs of I/O threads, by their ids. */
  readonly ioThreads?: ReadonlyMap<number, Located<readonly number[]>> | undefined;
  /** The NUMA nodes of the host that the memory outside of cells is bound to. */
  readonly memory?: Located<readonly number[]> | undefined;
}

/** Why a stack refuses a definition: the message of vmlint with its data, and the sentence of the stack. */
export interface KvmRefusal {
  readonly messageId: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly message: string;
  readonly at: Range;
  readonly source?: Source;
}

/** A `# vmlint:` comment: `key=value` pairs as written. */
export type Directive = ReadonlyMap<string, Located<string>>;

/** A step in the trace of a value. */
export interface Waypoint {
  readonly message: string;
  readonly range: Range;
  /** The path of another file. */
  readonly path?: string;
}

/** An ESXi option that a configuration sets by key, in addition to its arguments. */
export interface WrittenOption {
  /** The text of the value. */
  readonly key: string;
  /** The range of the key, or of the value if the key is computed. */
  readonly range: Range;
  /** Set if the API documents the key as ignored. */
  readonly ignored?: IgnoredOption;
}

/** An option whose key a field of the API sets. */
export interface IgnoredOption {
  /** The list with the option: `extra_config`. */
  readonly list: string;
  /** The field: `cpuAffinity.affinitySet`. */
  readonly field: string;
  /** Whether it is a part of a device or of the VM that is no setting. */
  readonly isDevice?: true;
  /** The argument for the field; missing if the format has none. */
  readonly argument?: string;
  /** Both values, if the field has one. */
  readonly sent?: {
    readonly value: string;
    readonly option: string;
    readonly agrees: boolean;
    /** The range of the argument; `undefined` if it is missing, so that its default is sent. */
    readonly range: Range | undefined;
  };
}

/** An argument that the tool refuses, changes or does not send, with the reason. */
export interface DroppedArgument {
  readonly argument: string;
  readonly value: string;
  readonly range: Range;
  readonly because:
    | { readonly release: string }
    | { readonly hardwareVersion: number | undefined }
    | { readonly memoryMiB: number; readonly reservationMiB: number }
    | { readonly planned: string }
    | TreatedArgument;
}

/** The treatment of an argument by a generator; `message` names the sentence. */
export interface TreatedArgument {
  readonly by: string;
  readonly message:
    | "missing"
    | "low"
    | "raised"
    | "warned"
    | "together"
    | "alone"
    | "incomplete"
    | "uneven"
    | "ofTemplate"
    | "ofExisting"
    | "noVersion";
  /** The least value. */
  readonly least?: number;
  /** A value that the tool takes. */
  readonly fits?: number;
  /** The other argument of the reason. */
  readonly other?: string;
}

/** The program that sends a VM to vSphere. */
export interface Generator {
  /** As a sentence begins with it: "The OpenShift installer". */
  readonly name: string;
  /** The rules whose condition it checks itself, so that it refuses the file. */
  readonly refuses: readonly string[];
}

/** The policies of the kubelet of a Kubernetes node, as its configuration states them. */
export interface Kubelet {
  /** The place of the policy. */
  readonly range: Range;
  readonly cpuManager: string;
  readonly topologyManager: string;
  /** The options of the CPU manager that are on. */
  readonly options: readonly string[];
  /** Whether CPUs are, or may be, reserved for the system. */
  readonly reserves: boolean;
}

/** Facts of a configuration about a VM besides its settings. */
export interface Configured {
  readonly options: readonly WrittenOption[];
  readonly dropped: readonly DroppedArgument[];
  /** The names that the vCPU count passes through unchanged: `var.cpus`. */
  readonly vcpusFrom?: readonly string[];
  /** MiB before an update that adds memory while the VM runs. */
  readonly memoryBefore?: number;
  readonly kubelet?: Kubelet;
}

/** A name or note that may indicate the workload, with its kind: "disk", "folder", "note", "package", "port" ... */
export interface Hint {
  readonly kind: string;
  readonly text: string;
}

/** A VM as its vCenter refers to it. */
export interface ManagedVm {
  readonly id?: string | undefined;
  readonly server?: string | undefined;
}

/** The UUIDs of a VM, as 32 lower-case digits each, if a description has them. */
export interface Uuids {
  /** "used by VirtualCenter to uniquely identify all virtual machine instances, including those that may share the same SMBIOS UUID" (vSphere API). */
  readonly instance?: string | undefined;
  /** The UUID that the guest sees; a copy of a VM may keep it. */
  readonly bios?: string | undefined;
}

/** Reported state of a running VM, which is not a setting. */
export interface Observed {
  /** vCPUs of each NUMA node that the guest sees; missing if the reporter does not list them. */
  readonly vnumaNodes?: readonly number[];
  /** vCPUs of each NUMA client; missing if the reporter does not list them. */
  readonly numaClients?: readonly number[];
  /** The cores per socket that the guest sees, if the description does not state who chose them. */
  readonly coresPerSocket?: number;
  /** The reporter: "vCenter". */
  readonly source: string;
}

/** Measurements of a running VM at the time of the export. */
export interface Measured {
  /** Per cent of the time that vCPUs waited for a core, added up over all vCPUs. */
  readonly readyPercent?: Located<number>;
  readonly balloonedMiB?: Located<number>;
  readonly swappedMiB?: Located<number>;
}

/** Measurements of a running VM in a file of its host. */
export interface RunningVm {
  /** Per cent of the time that vCPUs waited for a core, added up over all vCPUs. */
  readonly readyPercent?: number;
  readonly observed?: Observed;
}

/** The settings that a VM spec and `assume:` have keys for, with the names of `vmlint topology --format json`. */
export const SPEC_SETTINGS = [
  "vcpus",
  "coresPerSocket",
  "coresPerNumaNode",
  "threadsPerCore",
  "memoryMiB",
  "hardwareVersion",
  "guestOs",
  "cpuHotAdd",
  "memoryHotAdd",
  "latencySensitivity",
  "cpuAffinity",
  "numaNodeAffinity",
  "cpuReservationMHz",
  "cpuLimitMHz",
  "memoryReservationMiB",
  "memoryReservationLocked",
  "memoryLimitMiB",
] as const satisfies readonly SettingName[];

/** Values of a VM that a person names: `env/prod.tfvars`. */
export interface VariantOfVm {
  readonly name: string;
  /** How many variants its files have. */
  readonly of: number;
}

/** A value with its origin: "assumed in vmlint.yaml:3". `undefined` means that the template lacks the setting. */
export interface AssumedValue {
  readonly value: unknown;
  readonly origin: string;
}

export type AssumedSettings = ReadonlyMap<SettingName, AssumedValue>;

/** A template that the configuration describes. */
export interface NamedTemplate {
  readonly matches: (template: string) => boolean;
  readonly settings: AssumedSettings;
  /** The template itself, if the configuration names its file, and "set by the template (rhcos.ovf)". */
  readonly file?: { readonly vm: VmSpec; readonly origin: string };
}

/** The origin of each assumed setting: "assumed in vmlint.yaml:3". */
export interface Assumed {
  readonly origins: ReadonlyMap<SettingName, string>;
  /** The VM without them. */
  readonly without: VmSpec;
}

/**
 * One VM as its file states it: no defaults applied, every value with its place.
 *
 * @example
 * const vcpus = ({ settings }: VmSpec) => settings.vcpus;
 */
export interface VmSpec {
  readonly name: string;
  readonly format: string;
  readonly platform: Platform;
  /** Set for the platform `kvm`. */
  readonly kvm?: KvmFacts;
  /** Returns the parts that depend on other settings, which the configuration states. */
  readonly remade?: (settings: Settings) => Partial<VmSpec>;
  /** The range for findings about an absent setting. */
  readonly range: Range;
  readonly settings: Settings;
  /** Problems with its numbers; missing if there are none. */
  readonly problems?: readonly Problem[];
  /** The format's own defaults for absent settings (a .vmx without `numvcpus` has 1 vCPU). */
  readonly defaults: SettingValues;
  readonly scsiControllers: readonly ScsiController[];
  /** Read on demand, because few callers need it: with `advanced`, it is the larger part of a file. */
  readonly devices: () => Devices;
  /** Read on demand as well; missing if the reader of the format finds no part. */
  readonly board?: () => Board;
  /** Every `numa.*`, `sched.*` and `cpuid.*` key, lower-cased. */
  readonly advanced: () => ReadonlyMap<string, Setting<string>>;
  readonly directive: Directive;
  /** The host that its text describes, such as processors, or what is wrong with the description; missing for a name. */
  readonly host?: HostModel | string;
  /** The name of the VM if it differs from the address; configurations may use it. */
  readonly alias?: string;
  /** Read on demand, because only VMs with several descriptions need it. */
  readonly uuids?: () => Uuids;
  /** As its vCenter refers to it: `vm-1044`, and the UUID of the vCenter. Read on demand; missing if its text does not say. */
  readonly managed?: () => ManagedVm;
  /** Returns edits that make its files state some changes; `undefined` if the files cannot express one. Missing if it is never edited. */
  readonly edit?: (changes: readonly Change[]) => readonly TextEdit[] | undefined;
  /** Returns the cell at one of its ranges; missing if it is not described by a table. */
  readonly cellAt?: (range: Range) => Cell | undefined;
  /** Returns the cells of the row of a cell. */
  readonly rowOf?: (cell: Cell) => readonly Cell[];
  /** Names and notes that may indicate its workload; missing if the reader of the format does not find them. */
  readonly hints?: () => readonly Hint[];
  /** Returns the trace of the value at a range; empty if the value was set there. */
  readonly traceTo?: (range: Range) => readonly Waypoint[];
  /** Returns the module calls that create the VM, the outermost first; empty for a range inside of one. Missing without module calls. */
  readonly calledAt?: (range: Range) => readonly Waypoint[];
  /** Missing if the file is the VM's own, not a configuration of it. */
  readonly configured?: () => Configured;
  /** Values that its configuration states already, and that the VM does not get. */
  readonly unmet?: SettingValues;
  /** Missing if no program checks the file. */
  readonly generator?: Generator;
  /** The name of its template, if known. */
  readonly clonedFrom?: string;
  /** Set if the configuration states some of its settings. */
  readonly assumed?: Assumed;
  /** The VM as its own text states it, if the configuration or a host's statistics add to it. */
  readonly written?: VmSpec;
  /** Whether it is a template, which never runs. */
  readonly template?: boolean;
  /** Whether it changes an existing VM, whose other settings are unknown, and whose other options of ESXi are assumed to be absent. */
  readonly changes?: boolean;
  /** Whether a loop, a condition or a template decides how many of it run, possibly none. */
  readonly hasUnknownCount?: boolean;
  /** Whether its text shows it as powered on. */
  readonly running?: boolean;
  /** Whether its text shows it as powered off or suspended. */
  readonly off?: boolean;
  /** Its observed state, if its text or its host's statistics report it. */
  readonly observed?: Located<Observed>;
  /** Its measurements, if its text or its host's statistics have any. */
  readonly measured?: Measured;
  /** Set if an export lists it: how to export the hosts, too. */
  readonly exportHosts?: string;
  /** The host or cluster of the VM. */
  readonly runsOn?: HostReference;
  /** The resource that creates it, as folder and address, if both a configuration and its plan have it. */
  readonly resource?: string;
  /** The values that it has: one of several that its files can have. */
  readonly variant?: VariantOfVm;
  /** The default variant of the same machine; this one is another deployment option, or has other values. */
  readonly choiceOf?: VmSpec;
}
