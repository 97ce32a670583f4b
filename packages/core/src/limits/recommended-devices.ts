/**
 * The guests whose new VMs get PVSCSI and VMXNET3 by the recommendation of ESXi (CONFIG_OPTION_9: `recommendedDiskController`, `recommendedEthernetCard` at
 * hardware version 22), so their installation has both drivers. Windows 2022 and 2025 have ids of their predecessors with `Next`. In a .vmx
 * the ids have hyphens, and no `Guest`.
 */
const PARAVIRTUAL =
  /^(?:almalinux|rockylinux|windows20(?:19|22)srvnext|windows12|vmwarephoton|rhel(?:[6-9]|10)|sles1[1-6]|centos[6-9]|debian(?:[7-9]|1[0-3])|opensuse|amazonlinux[23]|fedora|oraclelinux(?:[6-9]|10)|ubuntu|coreos|other[3-7]xlinux|freebsd1[345])(?:64)?(?:guest)?$/;

/** Whether ESXi recommends PVSCSI and VMXNET3 for a guest. */
export const prefersParavirtual = (guestOs: string): boolean => PARAVIRTUAL.test(guestOs.toLowerCase().replaceAll(/[-_]/g, ""));
