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

/** Devices of a VM (govmomi, vim25/types: what extends VirtualDevice), by which alone `govc device.info -json` is told. */
const DEVICES =
  "ParaVirtualSCSIController|Virtual(?:\\w*Controller|\\w*EthernetCard|\\w*Passthrough|Vmxnet\\w*|E1000e?|PCNet32|Device|Disk|Cdrom|Floppy|" +
  "Keyboard|PointingDevice|SerialPort|ParallelPort|USB|TPM|WDT|NVDIMM|PrecisionClock|VMIROM|SoundCard|SoundBlaster16|Ensoniq1371|" +
  "HdAudioCard|MachineVideoCard|MachineVMCIDevice)";

/** What every JSON says that lists hosts as govc or the vSphere API does, in either case. */
export const HOST_WORDS = /"(?:[cC]puInfo|[nN]umCpuPkgs)"/;

/**
 * In every JSON by which govc or the vSphere API describes a VM, whichever case its keys begin with. Others name a VirtualRouter
 * (CloudStack), a VirtualNetwork or a VirtualMachineName (Azure), VirtualBox, or a file config.ts.
 */
export const GOVC_WORDS = new RegExp(
  [
    '"_typeName"\\s*:\\s*"Virtual(?:Machine(?:Config(?:Spec|Info))?|Hardware)"',
    `"[tT]ype"\\s*:\\s*"(?:${DEVICES})"`,
    '"[vV]irtualMachines"\\s*:\\s*\\[',
    '"[nN]umCPU"',
    '"ExtensionData"',
    HOST_WORDS.source,
    `"config\\.(?:${VM_MEMBERS.join("|")})\\b`,
  ].join("|"),
);
