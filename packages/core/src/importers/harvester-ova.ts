import { HARVESTER_OVA, HARVESTER_VMWARE } from "../model/sources.ts";
import { harvesterText } from "./harvester-text.ts";
import type { Importer } from "./importer.ts";

/** An OVA gets one socket. */
export const harvesterOva: Importer = {
  name: "harvester-ova",
  title: "vm-import-controller of Harvester, from an OVA",
  target: "kubevirt",
  version: "after 1.8.1",
  sources: [HARVESTER_OVA, HARVESTER_VMWARE],
  reads: "OVF",
  devices: "It keeps the buses of disks that it recognises; other disks get VirtIO.",
  addsDrivers: false,
  make: ({ name, vcpus = 1, memoryMiB }) => ({ text: harvesterText(name, { sockets: 1, cores: vcpus, limit: vcpus, memoryMiB }) }),
};
