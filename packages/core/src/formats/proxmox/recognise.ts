/** Keys that a VM of Proxmox has, and hardly another file of this form. */
const KEYS =
  /^(?:(?:cores|sockets|memory):[ \t]*(?:current=)?\d|(?:vmgenid|smbios1|scsihw|ostype|bios|machine|efidisk0|(?:scsi|virtio|ide|sata)\d+):)/m;

/** Whether a text may be the configuration of a VM of Proxmox. Containers have a root file system and a host name. */
export const mayHoldProxmox = (text: string): boolean => KEYS.test(text) && !/^(?:rootfs|hostname):/m.test(text);
