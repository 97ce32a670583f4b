import { PROXMOX_IMPORT } from "../model/sources.ts";
import { DIVIDES_BY_ZERO, type Importer } from "./importer.ts";
import { proxmoxCounts, proxmoxText } from "./proxmox-text.ts";

/** A missing number of cores per socket is 1, and a missing number of vCPUs is that of a socket. The wizard never sets `numa`. */
export const proxmox: Importer = {
  name: "wizard",
  title: "the import wizard of Proxmox VE",
  target: "proxmox",
  version: "pve-storage 9.1.7",
  sources: [PROXMOX_IMPORT],
  reads: ".vmx",
  devices:
    "It keeps the models of network cards and PVSCSI. Other SCSI controllers become LSI 53C895A; with EFI PVSCSI for Windows, and VirtIO SCSI for other guests. NVMe disks become SCSI disks.",
  // OVMF has no driver for LSI controllers (lines 1153-1164). A disk of NVMe gets the controller of the other disks (1078-1150).
  controllerFor: (type, firmware, all) =>
    /^(?:lsi|bus|nvme)/.test(type) && !(type === "nvme" && all.includes("pvscsi"))
      ? firmware === "efi"
        ? "PVSCSI"
        : "LSI 53C895A"
      : undefined,
  addsDrivers: false,
  make: ({ name, coresPerSocket = 1, vcpus = coresPerSocket, memoryMiB }) =>
    coresPerSocket === 0
      ? DIVIDES_BY_ZERO
      : Number.isInteger(vcpus / coresPerSocket)
        ? { text: proxmoxText(name, proxmoxCounts(vcpus / coresPerSocket, coresPerSocket), memoryMiB) }
        : { fails: `it asks Proxmox VE for ${vcpus / coresPerSocket} sockets, which is no whole number` },
};
