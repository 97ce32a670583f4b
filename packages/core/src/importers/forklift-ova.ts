import { FORKLIFT_OVA } from "../model/sources.ts";
import { socketsAndCores } from "./forklift-text.ts";
import type { Importer } from "./importer.ts";

/** No cores per socket, or 0, is 1. */
export const forkliftOva: Importer = {
  name: "forklift-ova",
  title: "Forklift, from an OVA",
  target: "kubevirt",
  version: "after 2.9.2",
  sources: [FORKLIFT_OVA],
  reads: "OVF",
  devices: "It makes VirtIO disks and network cards of all, and puts their drivers into the guest.",
  addsDrivers: true,
  make: (vm) => ({ text: socketsAndCores({ ...vm, coresPerSocket: vm.coresPerSocket || 1 }) }),
};
