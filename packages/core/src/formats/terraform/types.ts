import { esxiGuest } from "./esxi-guest.ts";
import { libvirtDomain } from "./libvirt.ts";
import { harvesterVirtualMachine, kubernetesManifest } from "./manifest-type.ts";
import { openstackFlavor, openstackImage, openstackInstance } from "./openstack.ts";
import { proxmoxVirtualEnvironmentVm, proxmoxVmQemu } from "./proxmox.ts";
import { rancherMachineConfig } from "./rancher.ts";
import type { ResourceType } from "./resource-type.ts";
import { vcdVms } from "./vcd.ts";
import { vsphereVirtualMachine, vsphereVirtualMachineClass } from "./vsphere.ts";

/** By the names of resources that are VMs. */
export const TYPES: Readonly<Record<string, ResourceType>> = {
  vsphere_virtual_machine: vsphereVirtualMachine,
  vsphere_virtual_machine_class: vsphereVirtualMachineClass,
  esxi_guest: esxiGuest,
  kubernetes_manifest: kubernetesManifest,
  harvester_virtualmachine: harvesterVirtualMachine,
  rancher2_machine_config_v2: rancherMachineConfig,
  openstack_compute_flavor_v2: openstackFlavor,
  openstack_compute_instance_v2: openstackInstance,
  openstack_images_image_v2: openstackImage,
  libvirt_domain: libvirtDomain,
  proxmox_virtual_environment_vm: proxmoxVirtualEnvironmentVm,
  proxmox_vm_qemu: proxmoxVmQemu,
  ...vcdVms,
};

/** The resources that are VMs, by their type. */
export const typeOfResource = (type: string): ResourceType | undefined => (Object.hasOwn(TYPES, type) ? TYPES[type] : undefined);
