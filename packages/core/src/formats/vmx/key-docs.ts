/**
 * The meaning of a .vmx key, for hovers, completion and the search for misspelt keys. Facts come from the vSphere Resource Management
 * guides (Virtual NUMA Controls, Advanced Virtual NUMA Attributes), the pages of FIRST_HARDWARE, libvirt's vmx.c, govmomi and vm-operator's
 * `vmx` tags. Keys that only occur in published files have no default here.
 */
export interface KeyDoc {
  /** As VMware spells it. `<N>` and `<M>` stand for numbers: `scsi<N>:<M>.mode`. */
  readonly key: string;
  readonly type: "boolean" | "number" | "list" | "text";
  /** Its effect, in one sentence. */
  readonly meaning: string;
  /** The possible values, if there are few: the one to prefer first. */
  readonly values?: readonly string[];
  /** Why the first value is best for most VMs. */
  readonly best?: string;
  /** The effect of a missing key. */
  readonly absent?: string;
  readonly unit?: string;
  /** First hardware version that knows it. */
  readonly since?: number;
  /** ESXi writes it as internal state: it is not a setting. */
  readonly isWritten?: true;
  /** No page of VMware describes it, so it has a hover but no completion. */
  readonly undocumented?: true;
}

type DocOptions = Omit<KeyDoc, "key" | "type" | "meaning">;

const doc =
  (type: KeyDoc["type"], fixed: DocOptions = {}) =>
  (key: string, meaning: string, options: DocOptions = {}): KeyDoc => ({ key, type, meaning, ...fixed, ...options });

const yesNo = doc("boolean", { values: ["TRUE", "FALSE"] });
const number = doc("number");
const list = doc("list");
const text = doc("text");
const OFF = { absent: "FALSE" };
const ON = { absent: "TRUE" };

export const KEY_DOCS: readonly KeyDoc[] = [
  text("config.version", "Version of the file's own format.", { values: ["8"] }),
  number("virtualHW.version", "Virtual hardware version: which devices, limits and topology features the VM has."),
  text("displayName", "Name of the VM."),
  text("guestOS", "The guest operating system; ESXi takes defaults from it.", { absent: "other" }),
  text("firmware", "How the guest boots; efi comes with hardware version 8.", { values: ["efi", "bios"], absent: "bios" }),
  yesNo("uefi.secureBoot.enabled", "Boots only signed code.", { absent: "FALSE", since: 13 }),

  number("numvcpus", "All vCPUs of the VM, not its sockets.", { absent: "1", unit: "vCPUs" }),
  number("cpuid.coresPerSocket", "Virtual cores of one virtual socket. It must divide the vCPUs, or the VM does not start.", {
    absent: "1; from hardware version 20 on ESXi 8, ESXi chooses at power-on",
    unit: "cores",
  }),
  number("cpuid.coresPerSocket.cookie", "The cores per socket that ESXi 8 chose at power-on.", { unit: "cores", isWritten: true }),
  // Found in no page and no published file.
  yesNo("cpuid.coresPerSocket.auto", "An internal name of VMware, used together with cpuid.coresPerSocket.", { undocumented: true }),
  yesNo("cpuid.coresPerSocket.mixedSize", "An internal name of VMware, used together with cpuid.coresPerSocket.", { undocumented: true }),
  number("cpuid.maxVCPUs", "The most vCPUs that hot add can give the VM. If they are more than 64, Windows Server before 2022 makes extra NUMA nodes."),
  number("cpuid.numSMT", "Threads of one virtual core. It must divide the vCPUs, and be 1 or as many as a core of the host has.", { values: ["1", "2"], absent: "1", since: 20 }),
  yesNo("vcpu.hotadd", "vCPUs can be added while the VM runs. The guest then sees no virtual NUMA, unless numa.allowHotadd is set on ESXi 8.", OFF),
  yesNo("vcpu.hotremove", "vCPUs can be removed while the VM runs.", OFF),
  yesNo("mem.hotadd", "Memory can be added while the VM runs.", OFF),
  yesNo("vhv.enable", "Nested virtualization: the guest can run VMs of its own.", OFF),
  yesNo("vvtd.enable", "A virtual IOMMU.", OFF),
  yesNo("vpmc.enable", "Performance counters of the CPU inside the guest.", OFF),
  yesNo("hypervisor.cpuid.v0", "FALSE hides from the guest that it is a VM.", ON),
  text("chipset.motherboardLayout", "Layout of the virtual mainboard.", { since: 20 }),

  number("numa.vcpu.min", "ESXi shows virtual NUMA nodes only to guests with at least this many vCPUs.", { absent: "9", unit: "vCPUs" }),
  number("numa.vcpu.maxPerVirtualNode", "The most vCPUs of one virtual NUMA node.", { absent: "8 according to the documentation; ESXi sizes nodes by the host", unit: "vCPUs" }),
  number("numa.vcpu.maxPerMachineNode", "The most vCPUs of the VM that ESXi puts on one NUMA node of the host.", { absent: "the cores of a node", unit: "vCPUs" }),
  number("numa.vcpu.maxPerClient", "The most vCPUs of one NUMA client, the unit that ESXi places and moves.", { absent: "numa.vcpu.maxPerMachineNode", unit: "vCPUs" }),
  yesNo("numa.vcpu.preferHT", "Sizes nodes by the threads of a host's node, not its cores: fewer nodes, cores shared.", OFF),
  number("numa.vcpu.coresPerNode", "vCPUs of one virtual NUMA node, as set in the vSphere 8 client; 0 lets ESXi choose.", { absent: "ESXi chooses", unit: "vCPUs", since: 20 }),
  number("numa.vcpu.followcorespersocket", "1 ties virtual NUMA nodes to cores per socket, as before ESXi 6.5.", { values: ["0", "1"], absent: "0" }),
  yesNo("numa.allowHotadd", "Shows virtual NUMA although vCPUs can be hot-added (ESXi 8).", OFF),
  yesNo("numa.autosize", "Makes virtual NUMA nodes as large as the host's, anew at every power-on.", OFF),
  yesNo("numa.autosize.once", "Sizes virtual NUMA at the first power-on and keeps it, in clones too, until the vCPU count changes.", ON),
  number("numa.autosize.vcpu.maxPerVirtualNode", "The node size that ESXi chose at a power-on.", { unit: "vCPUs", isWritten: true }),
  number("numa.autosize.cookie", "What ESXi chose that node size for: the vCPUs and cores per socket of that power-on.", { isWritten: true }),
  list("numa.nodeAffinity", "The NUMA nodes of the host that the VM may run on.", { absent: "all nodes" }),
  yesNo("numa.mem.interleave", "Spreads the memory over the nodes that the VM is tied to.", ON),
  // OVHcloud, "SAP HANA on VMware on OVHcloud": 32768 in the template of its HANA VMs, for SAP note 1606643.
  number("numa.memory.gransize", "Set to 32768 in published templates of SAP HANA VMs.", { undocumented: true }),
  yesNo("numa.consolidate", "FALSE spreads the VM over nodes although it would fit on fewer.", ON),

  list("sched.cpu.affinity", "The logical CPUs of the host that the VM may run on. Pinned, ESXi no longer manages its NUMA placement.", { absent: "all" }),
  list("sched.vcpu<N>.affinity", "The logical CPUs of the host that this vCPU may run on.", { absent: "all" }),
  yesNo("sched.cpu.affinity.exclusive", "No other VM runs on the CPUs this one is pinned to.", OFF),
  yesNo("sched.cpu.affinity.exclusiveNoStats", "Exclusive pinning without the scheduler's statistics.", OFF),
  text("sched.cpu.htsharing", "Who may run on the other thread of a core this VM uses.", { values: ["any", "none", "internal"], absent: "any" }),
  yesNo("sched.cpu.vsmpConsolidate", "Keeps the vCPUs on as few last-level caches as possible.", OFF),
  text("sched.cpu.latencySensitivity", "high gives each vCPU a core of its own; it needs all CPU and memory reserved.", { values: ["normal", "high", "low", "medium"], absent: "normal" }),
  number("sched.cpu.latencySensitivity.sysContexts", "System contexts that get exclusive cores in addition to the vCPUs."),
  yesNo("latency.enforceCpuMin", "Latency sensitivity high insists on a full CPU reservation.", ON),
  yesNo("timeTracker.lowLatency", "Timekeeping for latency-critical guests.", OFF),
  text("sched.cpu.units", "Unit of sched.cpu.min and sched.cpu.max.", { values: ["mhz"] }),
  number("sched.cpu.min", "CPU reservation.", { absent: "0", unit: "MHz" }),
  text("sched.cpu.max", "CPU limit.", { values: ["unlimited"], absent: "unlimited", unit: "MHz" }),
  text("sched.cpu.shares", "Weight of the VM when CPUs are short.", { values: ["low", "normal", "high"], absent: "normal" }),
  number("sched.mem.min", "Memory reservation.", { absent: "0", unit: "MB" }),
  number("sched.mem.minsize", "Memory reservation; ESXi writes it together with sched.mem.min.", { absent: "0", unit: "MB" }),
  text("sched.mem.max", "Memory limit.", { values: ["unlimited"], absent: "unlimited", unit: "MB" }),
  text("sched.mem.shares", "Weight of the VM when memory is short.", { values: ["low", "normal", "high"], absent: "normal" }),
  yesNo("sched.mem.pin", "Reserves all memory of the guest.", OFF),
  yesNo("sched.mem.prealloc", "Takes all memory at power-on.", OFF),
  yesNo("sched.mem.prealloc.pinnedMainMem", "Takes and pins all memory at power-on.", OFF),
  number("sched.mem.maxmemctl", "The most memory that ballooning takes from the guest; 0 turns it off.", { unit: "MB" }),
  yesNo("sched.mem.pshare.enable", "Shares equal pages with other VMs.", ON),
  yesNo("sched.mem.lpage.enable1GPage", "Backs the guest with 1 GB pages; needs all memory reserved.", OFF),
  yesNo("sched.mem.enableTiering", "FALSE keeps the VM off the NVMe tier of its host; needs all memory reserved.", ON),
  list("sched.mem.affinity", "The NUMA nodes of the host that memory comes from; deprecated since 6.0.", { absent: "all" }),
  yesNo("sched.swap.vmxSwapEnabled", "Swaps the memory of the VM's own process.", ON),
  text("sched.swap.derivedName", "Where the swap file is.", { isWritten: true }),
  text("monitor.virtual_mmu", "Who translates the guest's memory.", { values: ["automatic", "hardware", "software"], absent: "automatic" }),
  text("monitor.virtual_exec", "Who runs the guest's privileged code.", { values: ["automatic", "hardware", "software"], absent: "automatic" }),
  yesNo("monitor_control.disable_mmu_largepages", "Backs the guest with small pages alone.", OFF),

  number("memSize", "Memory of the guest, a multiple of 4.", { absent: "32", unit: "MB" }),
  yesNo("smbios.reflectHost", "The guest sees the maker and model of the host.", OFF),
  yesNo("tools.syncTime", "VMware Tools sets the guest's clock by the host's.", OFF),
  text("tools.upgrade.policy", "When VMware Tools are upgraded.", { values: ["manual", "upgradeAtPowerCycle", "useGlobal"], absent: "manual" }),
  yesNo("disk.EnableUUID", "The guest sees the UUIDs of its disks.", OFF),
  yesNo("ctkEnabled", "Changed-block tracking, for backups.", OFF),

  yesNo("scsi<N>.present", "There is a SCSI controller <N>, 0 to 3.", OFF),
  text("scsi<N>.virtualDev", "Type of the SCSI controller.", {
    values: ["pvscsi", "lsisas1068", "lsilogic", "buslogic"],
    // DAKIC19 in storage/lsi-for-db.
    best: "faster than LSI Logic; the guest needs its driver",
    absent: "the guest's default",
  }),
  text("scsi<N>.sharedBus", "Whether VMs may share the disks of the controller.", { values: ["none", "virtual", "physical"], absent: "none" }),
  number("scsi<N>.pciSlotNumber", "PCI slot of the controller, which orders controllers in the guest; -1 lets ESXi choose."),
  yesNo("scsi<N>:<M>.present", "There is a device at unit <M> of controller <N>.", OFF),
  text("scsi<N>:<M>.fileName", "The disk's descriptor, or another file such as an ISO image."),
  text("scsi<N>:<M>.deviceType", "The kind of device.", { values: ["scsi-hardDisk", "disk", "cdrom-image", "cdrom-raw", "atapi-cdrom", "scsi-passthru", "rawDisk"], absent: "scsi-hardDisk" }),
  text("scsi<N>:<M>.mode", "Whether snapshots cover the disk, and whether changes survive.", {
    values: ["persistent", "independent-persistent", "independent-nonpersistent", "undoable", "append"],
    absent: "persistent",
  }),
  yesNo("scsi<N>:<M>.writeThrough", "Writes reach the disk before they are acknowledged.", OFF),
  text("scsi<N>:<M>.sharing", "multi-writer lets several VMs write to the disk.", { values: ["multi-writer"], absent: "not shared" }),
  yesNo("scsi<N>:<M>.ctkEnabled", "Changed-block tracking of this disk.", OFF),
  text("scsi<N>:<M>.redo", "Redo log in use; empty without a redo log.", { isWritten: true }),
  text("sched.scsi<N>:<M>.shares", "Weight of the disk when storage is short.", { values: ["low", "normal", "high"], absent: "normal" }),
  text("sched.scsi<N>:<M>.throughputCap", "Limit of the disk in I/Os a second.", { values: ["off"], absent: "off" }),
  text("sched.sata<N>:<M>.shares", "Weight of the disk when storage is short.", { values: ["low", "normal", "high"], absent: "normal" }),
  text("sched.sata<N>:<M>.throughputCap", "Limit of the disk in I/Os a second.", { values: ["off"], absent: "off" }),
  yesNo("nvme<N>.present", "There is an NVMe controller <N>.", { absent: "FALSE", since: 13 }),
  yesNo("sata<N>.present", "There is a SATA controller <N>.", { absent: "FALSE", since: 10 }),

  yesNo("ethernet<N>.present", "There is a network card <N>.", OFF),
  text("ethernet<N>.virtualDev", "Type of the network card.", {
    values: ["vmxnet3", "e1000e", "e1000", "vmxnet", "vlance", "flexible"],
    // NETWORK_DOC in net/e1000.
    best: "faster than emulated cards; the guest needs its driver",
    absent: "the guest's default",
  }),
  text("ethernet<N>.networkName", "Port group that the card is connected to."),
  text("ethernet<N>.addressType", "Where the MAC address comes from.", { values: ["generated", "static", "vpx"], absent: "generated" }),
  yesNo("pciPassthru<N>.present", "A PCI device of the host belongs to the guest.", OFF),
  yesNo("pciPassthru.use64bitMMIO", "Maps the memory of large PCI devices above 4 GB."),
  number("pciPassthru.64bitMMIOSizeGB", "Room for the memory of PCI devices above 4 GB.", { unit: "GB" }),
];

/** Returns the lookup key: `scsi0:1.mode` -> `scsi<n>:<m>.mode`. */
const generalized = (key: string): string =>
  key
    .toLowerCase()
    .replace(/^(sched\.)?(scsi|sata|nvme|ide|ethernet|pcipassthru|sched\.vcpu)(\d+)(:\d+)?(?=\.)/, (_, sched = "", device: string, _n, unit) => `${sched}${device}<n>${unit ? ":<m>" : ""}`);

let byKey: ReadonlyMap<string, KeyDoc> | undefined;

/** Returns the description of a key, in any case and with any device number; `undefined` for an unknown key. */
export function keyDoc(key: string): KeyDoc | undefined {
  byKey ??= new Map(KEY_DOCS.map((entry) => [entry.key.toLowerCase(), entry]));
  return byKey.get(generalized(key));
}
