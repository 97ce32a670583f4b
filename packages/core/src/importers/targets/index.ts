import type { MigrationTarget } from "../importer.ts";
import { kubevirt } from "./kubevirt.ts";
import { libvirt } from "./libvirt.ts";
import { openstack } from "./openstack.ts";
import { proxmox } from "./proxmox.ts";
import type { Target } from "./target.ts";

export const TARGETS: Readonly<Record<MigrationTarget, Target>> = { proxmox, kubevirt, openstack, libvirt };
