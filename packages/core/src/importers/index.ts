import { forklift } from "./forklift.ts";
import { forkliftOva } from "./forklift-ova.ts";
import { harvester } from "./harvester.ts";
import { harvesterOva } from "./harvester-ova.ts";
import type { Importer } from "./importer.ts";
import { proxmox } from "./proxmox.ts";
import { proxmoxOvf } from "./proxmox-ovf.ts";
import { virtV2vKubevirt } from "./virt-v2v-kubevirt.ts";
import { virtV2vLibvirt } from "./virt-v2v-libvirt.ts";
import { virtV2vOpenstack, virtV2vOvaOpenstack } from "./virt-v2v-openstack.ts";
import { virtV2vOva } from "./virt-v2v-ova.ts";

/** Without `--by`, reports show the first importer of a target. */
export const IMPORTERS: readonly Importer[] = [
  proxmox,
  proxmoxOvf,
  forklift,
  forkliftOva,
  harvester,
  harvesterOva,
  virtV2vKubevirt,
  virtV2vOpenstack,
  virtV2vOvaOpenstack,
  virtV2vLibvirt,
  virtV2vOva,
];
