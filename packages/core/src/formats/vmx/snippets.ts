/** Lines that set good defaults, to be filled in by the editor. */
export const SNIPPETS: readonly { readonly name: string; readonly description: string; readonly lines: readonly string[] }[] = [
  {
    name: "vm",
    description: "The least a VM has",
    lines: [
      '.encoding = "UTF-8"',
      'config.version = "8"',
      'virtualHW.version = "${1:21}"',
      'displayName = "${2:name}"',
      'guestOS = "${3:other-64}"',
      'numvcpus = "${4:4}"',
      'memSize = "${5:8192}"',
      "$0",
    ],
  },
  {
    name: "pvscsi",
    description: "A paravirtual SCSI controller with a disk",
    lines: [
      'scsi${1:1}.present = "TRUE"',
      'scsi$1.virtualDev = "pvscsi"',
      'scsi$1:0.present = "TRUE"',
      'scsi$1:0.deviceType = "scsi-hardDisk"',
      'scsi$1:0.fileName = "${2:data.vmdk}"',
      "$0",
    ],
  },
  {
    name: "vmxnet3",
    description: "A paravirtual network card",
    lines: ['ethernet${1:0}.present = "TRUE"', 'ethernet$1.virtualDev = "vmxnet3"', 'ethernet$1.networkName = "${2:VM Network}"', "$0"],
  },
  {
    name: "reserve-memory",
    description: "All memory of the guest reserved",
    lines: ['sched.mem.pin = "TRUE"', 'sched.mem.min = "${1:8192}"', "$0"],
  },
];
