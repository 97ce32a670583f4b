/** Whether a file of Terraform can write a VM: itself, or by a module; `path.module` calls none. */
export const mayHoldTerraform = (text: string): boolean =>
  /(?<!\bpath\.)\bmodule\b|vsphere_virtual_machine|esxi_guest|kubernetes_manifest|harvester_virtualmachine|rancher2_machine_config_v2|vcd_(?:vapp_)?vm|openstack_compute_(?:flavor|instance)_v2|libvirt_domain|proxmox_v(?:irtual_environment_vm|m_qemu)/.test(
    text,
  );
