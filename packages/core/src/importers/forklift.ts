import { FORKLIFT_VSPHERE } from "../model/sources.ts";
import { socketsAndCores } from "./forklift-text.ts";
import { DIVIDES_BY_ZERO, type Importer } from "./importer.ts";

/** The API always has a number of cores per socket. A part of a socket is lost. */
export const forklift: Importer = {
  name: "forklift",
  title: "Forklift, the Migration Toolkit for Virtualization",
  target: "kubevirt",
  version: "after 2.9.2",
  sources: [FORKLIFT_VSPHERE],
  reads: "API",
  devices: "It makes VirtIO disks and network cards of all, and puts their drivers into the guest.",
  addsDrivers: true,
  make: (vm) => (vm.coresPerSocket === 0 ? DIVIDES_BY_ZERO : { text: socketsAndCores(vm) }),
};
