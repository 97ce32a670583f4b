import { PROXMOX_OVF } from "../model/sources.ts";
import type { Importer } from "./importer.ts";
import { proxmoxCounts, proxmoxText } from "./proxmox-text.ts";

/** The number of vCPUs becomes cores; the cores per socket of an OVF are not read. */
export const proxmoxOvf: Importer = {
  name: "ovf",
  title: "Proxmox VE, from an OVF package",
  target: "proxmox",
  version: "pve-storage 9.1.7",
  sources: [PROXMOX_OVF],
  reads: "OVF",
  devices: "It keeps the models of network cards that Proxmox VE has, and replaces other models by e1000.",
  addsDrivers: false,
  make: ({ name, vcpus = 1, memoryMiB }) => ({ text: proxmoxText(name, proxmoxCounts(1, vcpus), memoryMiB) }),
};
