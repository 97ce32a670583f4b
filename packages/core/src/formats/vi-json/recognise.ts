/** Members of a VirtualMachineConfigInfo that no other object of the API has under the same name. */
export const VM_MEMBERS = [
  "hardware",
  "cpuAllocation",
  "memoryAllocation",
  "latencySensitivity",
  "cpuAffinity",
  "extraConfig",
  "guestId",
  "numaInfo",
];

/** Devices of a VM (govmomi, vim25/types: types that extend VirtualDevice), the only evidence in `govc device.info -json`. */
const DEVICES =
  "ParaVirtualSCSIController|Virtual(?:\\w*Controller|\\w*EthernetCard|\\w*Passthrough|Vmxnet\\w*|E1000e?|PCNet32|Device|Disk|Cdrom|Floppy|" +
  "Keyboard|PointingDevice|SerialPort|ParallelPort|USB|TPM|WDT|NVDIMM|PrecisionClock|VMIROM|SoundCard|SoundBlaster16|Ensoniq1371|" +
  "HdAudioCard|MachineVideoCard|MachineVMCIDevice)";

/** Every JSON with hosts from govc or the vSphere API contains one of these, in either case. */
export const HOST_WORDS = /"(?:[cC]puInfo|[nN]umCpuPkgs)"/;

/** The same for clusters: the object itself, not a reference to it. */
export const CLUSTER_WORDS = /"(?:obj|[sS]elf|MoRef)"\s*:\s*\{\s*"[tT]ype"\s*:\s*"ClusterComputeResource"/;

/**
 * Every JSON with a VM from govc or the vSphere API contains one of these, in either case. Other products use VirtualRouter (CloudStack),
 * VirtualNetwork or VirtualMachineName (Azure), VirtualBox, or a file config.ts.
 */
export const GOVC_WORDS = new RegExp(
  [
    '"_typeName"\\s*:\\s*"Virtual(?:Machine(?:Config(?:Spec|Info))?|Hardware)"',
    `"[tT]ype"\\s*:\\s*"(?:${DEVICES})"`,
    '"[vV]irtualMachines"\\s*:\\s*\\[',
    '"[nN]umCPU"',
    '"ExtensionData"',
    HOST_WORDS.source,
    CLUSTER_WORDS.source,
    `"config\\.(?:${VM_MEMBERS.join("|")})\\b`,
  ].join("|"),
);
