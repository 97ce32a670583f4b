import { HARVESTER_11410, HARVESTER_VMWARE } from "../model/sources.ts";
import { harvesterText } from "./harvester-text.ts";
import type { Importer } from "./importer.ts";

/** Cores are all vCPUs, and sockets the cores per socket. The result is right only for one core per socket. */
export const harvester: Importer = {
  name: "harvester",
  title: "vm-import-controller of Harvester",
  target: "kubevirt",
  version: "after 1.8.1",
  sources: [HARVESTER_VMWARE, HARVESTER_11410],
  reads: "API",
  devices: "It puts disks of PVSCSI on SATA, disks of other SCSI controllers on VirtIO SCSI, and disks of NVMe on VirtIO.",
  controllerFor: (type) =>
    ({ lsilogic: "VirtIO SCSI", lsisas1068: "VirtIO SCSI", buslogic: "VirtIO SCSI", nvme: "VirtIO" })[type as string],
  addsDrivers: false,
  make: ({ name, vcpus = 1, coresPerSocket = 1, memoryMiB }) => ({
    text: harvesterText(name, { sockets: coresPerSocket, cores: vcpus, limit: vcpus, memoryMiB }),
  }),
};
