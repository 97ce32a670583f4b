import { V2V_LIBVIRT, V2V_OVA } from "../model/sources.ts";
import type { Importer } from "./importer.ts";
import { ofOva, V2V_DEVICES, V2V_VERSION } from "./virt-v2v.ts";
import { domainOf } from "./virt-v2v-libvirt.ts";

export const virtV2vOva: Importer = {
  name: "virt-v2v-ova",
  title: "virt-v2v -i ova -o libvirt",
  target: "libvirt",
  version: V2V_VERSION,
  sources: [V2V_LIBVIRT, V2V_OVA],
  reads: "OVF",
  devices: V2V_DEVICES,
  addsDrivers: true,
  make: ofOva(domainOf),
};
