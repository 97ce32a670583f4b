import { NOVA_HARDWARE, V2V_OPENSTACK, V2V_OVA, V2V_VMX } from "../model/sources.ts";
import type { Importer, ReadVm } from "./importer.ts";
import { flavorText } from "./openstack-text.ts";
import { ofOva, ofVmx, V2V_DEVICES, V2V_VERSION } from "./virt-v2v.ts";

/** No topology is one socket. Nova treats these properties of an image like the extra specs of a flavor that has none. */
function flavorLike({ name, vcpus = 1, memoryMiB }: ReadVm, topology: { sockets: number; cores: number } | undefined): string {
  const counts = topology ? { sockets: topology.sockets, cores: topology.cores, threads: 1 } : { sockets: 1, cores: vcpus };
  const own = Object.entries(counts);
  return [
    `# virt-v2v sets ${own.map(([key, count]) => `hw_cpu_${key}=${count}`).join(" ")} on the image. This flavor has the same effect.`,
    flavorText(name, { vcpus, memoryMiB, specs: own.map(([key, count]) => [`hw:cpu_${key}`, count]) }),
  ].join("\n");
}

const common = {
  target: "openstack",
  version: V2V_VERSION,
  devices: `${V2V_DEVICES} You choose the flavor: vmlint takes one with the vCPUs and the memory of the VM, and no other properties.`,
  addsDrivers: true,
} as const;

export const virtV2vOpenstack: Importer = {
  ...common,
  name: "virt-v2v",
  title: "virt-v2v -i vmx -o openstack",
  sources: [V2V_OPENSTACK, V2V_VMX, NOVA_HARDWARE],
  reads: ".vmx",
  make: ofVmx(flavorLike),
};

export const virtV2vOvaOpenstack: Importer = {
  ...common,
  name: "virt-v2v-ova",
  title: "virt-v2v -i ova -o openstack",
  sources: [V2V_OPENSTACK, V2V_OVA, NOVA_HARDWARE],
  reads: "OVF",
  make: ofOva(flavorLike),
};
