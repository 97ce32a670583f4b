import type { HostReference } from "./inventory.ts";
import type { Problem } from "./problem.ts";
import { ABSENT, type Located, type Range, type Setting, type TextEdit } from "./source.ts";

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
  /** State that ESXi wrote at an earlier power-on: the node size it chose, and what it chose it for. */
  readonly storedNodeSize: number;
  readonly storedCookie: number;
  readonly exposeVnumaOnHotAdd: boolean;
  /** Most vCPUs that hot add may make of the VM. */
  readonly maxVcpusByHotAdd: number;
  /** `low`, `normal`, `high` or a number, as text. */
  readonly cpuShares: string;
  readonly memoryShares: string;
  /** The most that ballooning takes; 0: nothing. */
  readonly balloonLimitMiB: number;
  readonly hugePages: boolean;
  /** Who may run on the other thread of a core: `any`, `none`, `internal`. */
  readonly hyperthreadSharing: string;
  readonly consolidateCaches: boolean;
  /** What translates the guest's memory, and what runs its code: `automatic`, `hardware`, `software`. */
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

/** Values of some settings: defaults, those of a shape, or those to derive a topology from in place of the VM's own ("what if"). */
export type SettingValues = Partial<SettingTypes>;

export type Settings = { readonly [K in SettingName]: Setting<SettingTypes[K]> };

/** Where every parser starts. Written out, because an object filled key by key is slow to copy and to read. */
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
  maxVcpusByHotAdd: ABSENT,
  cpuShares: ABSENT,
  memoryShares: ABSENT,
  balloonLimitMiB: ABSENT,
  hugePages: ABSENT,
  hyperthreadSharing: ABSENT,
  consolidateCaches: ABSENT,
  mmuVirtualization: ABSENT,
  cpuVirtualization: ABSENT,
};

/** What a fix wants a VM to say, in no format's words: each format writes it in its own. */
export type Change =
  | { readonly [K in SettingName]: { readonly setting: K; readonly value: SettingTypes[K] } }[SettingName]
  | { readonly setting: "scsiType"; readonly controller: string; readonly value: ScsiType };

export interface ScsiController {
  /** The format's own address: `scsi0`. */
  readonly id: string;
  readonly bus: number;
  /** Absent: the file does not say, and the guest's default applies. */
  readonly type: Setting<ScsiType>;
  /** Set where VMs share its bus, as those of a cluster, or may: that it is not shared is not known. */
  readonly shared?: true;
  /** Where to point when the type is not stated. */
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
  /** How its space is given out; missing where the format has no place for it, as a .vmx. */
  readonly provisioning?: Setting<Provisioning>;
  /** I/O filters on it (vSphere APIs for I/O Filtering), where the format names them. */
  readonly ioFilters?: readonly string[];
}

/** `lazy` and `eager`: thick, zeroed at the first write or when the disk is made. */
export type Provisioning = "thin" | "lazy" | "eager";

export interface Nic {
  readonly index: number;
  readonly type: Setting<string>;
}

/** A device of the host that the guest drives itself, SR-IOV functions among them. */
export interface PassthroughDevice {
  /** `pciPassthru0`. */
  readonly id: string;
  readonly range: Range;
}

export interface Devices {
  /** Controllers that are not SCSI. */
  readonly otherControllers: readonly OtherController[];
  /** Hard disks only. */
  readonly disks: readonly Disk[];
  readonly nics: readonly Nic[];
  /** Why there may be more of them than are listed. */
  readonly missing?: string;
  /** Missing where the format's reader does not look for them. */
  readonly passthrough?: readonly PassthroughDevice[];
}

/**
 * What the VM is written for. `desktop` is Workstation, Fusion or Player, which size virtual NUMA by rules of their own; `other` is a
 * hypervisor whose layout vmlint does not know; `unknown`: the file has no sign, and is read as one for ESXi.
 */
export type Platform = "esxi" | "desktop" | "other" | "unknown";

/** A `# vmlint:` comment: `key=value` pairs as written. */
export type Directive = ReadonlyMap<string, Located<string>>;

/** A place that a value came through on its way into a VM. */
export interface Waypoint {
  readonly message: string;
  readonly range: Range;
  /** The file it is in, where that is not the VM's own. */
  readonly path?: string;
}

/** An option of ESXi that a configuration sets by its key, beside the arguments it has of its own. */
export interface WrittenOption {
  /** As it is written. */
  readonly key: string;
  /** Of the key, or of the value where the key is computed. */
  readonly range: Range;
  /** The argument that sets the same, where both values are known. */
  readonly rival?: Rival;
}

/** An argument that sets what an option sets too. */
export interface Rival {
  readonly argument: string;
  readonly value: string;
  readonly option: string;
  readonly agrees: boolean;
  /** Where it stands; `undefined`: it is left out, and its default is sent. */
  readonly range: Range | undefined;
}

/**
 * An argument that the tool which reads the configuration leaves out of what it sends, or refuses, and why: for what the VM has, for the
 * release that brings the argument, or for a hardware version that is missing.
 */
export interface DroppedArgument {
  readonly argument: string;
  readonly value: string;
  readonly range: Range;
  readonly because:
    | { readonly release: string }
    | { readonly hardwareVersion: number | undefined }
    | { readonly memoryMiB: number; readonly reservationMiB: number };
}

/** What a configuration says about a VM besides its settings. */
export interface Configured {
  readonly options: readonly WrittenOption[];
  readonly dropped: readonly DroppedArgument[];
  /** The names that the vCPU count comes through unchanged: `var.cpus`. */
  readonly vcpusFrom?: readonly string[];
}

/** A name or a note that may say what runs in a VM, by what it names: "disk", "folder", "note", "package", "port" ... */
export interface Hint {
  readonly what: string;
  readonly text: string;
}

/** What tells a VM from others, each as 32 digits in lower case where a description states it. */
export interface Uuids {
  /** "used by VirtualCenter to uniquely identify all virtual machine instances, including those that may share the same SMBIOS UUID" (vSphere API). */
  readonly instance?: string | undefined;
  /** What the guest sees; a copy of a VM may keep it. */
  readonly bios?: string | undefined;
}

/** What is reported of a VM that runs, which is no setting. */
export interface Observed {
  /** vCPUs of the NUMA nodes that the guest sees; the last may have fewer. */
  readonly nodeSize: number;
  /** Who reports it: "vCenter". */
  readonly source: string;
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
  /** Where to point when the setting a rule wants is absent. */
  readonly range: Range;
  readonly settings: Settings;
  /** What is wrong with its numbers; missing where nothing is. */
  readonly problems?: readonly Problem[];
  /** What the format itself says of a setting that is absent (a .vmx without `numvcpus` has 1 vCPU). */
  readonly defaults: SettingValues;
  readonly scsiControllers: readonly ScsiController[];
  /** Read when asked for, as few callers do: it and `advanced` are the larger part of a file. */
  readonly devices: () => Devices;
  /** Every `numa.*`, `sched.*` and `cpuid.*` key, lower-cased. */
  readonly advanced: () => ReadonlyMap<string, Setting<string>>;
  readonly directive: Directive;
  /** What the VM is called where that is not its address: configurations may name it so too. */
  readonly alias?: string;
  /** Read when asked for: only what several formats say of one VM is told by them. */
  readonly uuids?: () => Uuids;
  /** The edits that make its files state some changes; `undefined` if they have no way to state one. Missing: it is never edited. */
  readonly edit?: (changes: readonly Change[]) => readonly TextEdit[] | undefined;
  /** Names and notes around it, which may say what runs in it; missing where the format's reader does not look for them. */
  readonly hints?: () => readonly Hint[];
  /** How the value that stands at a range got there; nothing where it was written there. */
  readonly way?: (range: Range) => readonly Waypoint[];
  /** Missing where the file is the VM's own and no configuration of it. */
  readonly configured?: () => Configured;
  /** It is a template, which runs nowhere. */
  readonly template?: boolean;
  /** It changes a VM that is there: another text, or an earlier part of this one, describes the rest. */
  readonly changes?: boolean;
  /** How many of it run only a run knows, and it may be none: a loop, a condition or a template decides. */
  readonly uncounted?: boolean;
  /** It is off or suspended, by its own text. */
  readonly off?: boolean;
  /** How it runs, where its text says so. */
  readonly observed?: Located<Observed>;
  /** The host it is on. */
  readonly runsOn?: HostReference;
  /** What makes it, where a configuration and what is planned of it both say so: the folder and the address. */
  readonly resource?: string;
  /** The same machine as its file describes it first: this is another shape that whoever deploys it may choose. */
  readonly choiceOf?: VmSpec;
}
