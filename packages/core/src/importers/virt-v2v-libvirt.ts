import { V2V_LIBVIRT, V2V_VMX } from "../model/sources.ts";
import type { Importer, ReadVm } from "./importer.ts";
import { libvirtText } from "./libvirt-text.ts";
import { ofVmx, V2V_DEVICES, V2V_VERSION } from "./virt-v2v.ts";

/** No topology leaves the choice to libvirt, which makes a socket of each vCPU. */
export const domainOf = ({ name, vcpus = 1, memoryMiB }: ReadVm, topology: { sockets: number; cores: number } | undefined): string =>
  libvirtText(name, { vcpus, memoryMiB, topology });

export const virtV2vLibvirt: Importer = {
  name: "virt-v2v",
  title: "virt-v2v -i vmx -o libvirt",
  target: "libvirt",
  version: V2V_VERSION,
  sources: [V2V_LIBVIRT, V2V_VMX],
  reads: ".vmx",
  devices: V2V_DEVICES,
  addsDrivers: true,
  make: ofVmx(domainOf),
};
