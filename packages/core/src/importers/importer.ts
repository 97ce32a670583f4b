import type { Source } from "../model/sources.ts";
import type { ScsiType } from "../model/spec.ts";

export const MIGRATION_TARGETS = ["proxmox", "kubevirt", "openstack", "libvirt"] as const;
export type MigrationTarget = (typeof MIGRATION_TARGETS)[number];

/** A VM of ESXi as an importer reads it. */
export interface ReadVm {
  readonly name: string;
  /** `undefined` if the file has no number. */
  readonly vcpus: number | undefined;
  /** `undefined` if the file has no number. The API always has one: it includes the choice of ESXi. */
  readonly coresPerSocket: number | undefined;
  /** `undefined` if the size is unknown. */
  readonly memoryMiB: number | undefined;
}

export type DiskController = ScsiType | "nvme" | "sata" | "ide";

/** The definition that an importer writes, or how it fails. */
export type Made = { readonly text: string } | { readonly fails: string };

/** A program that makes a definition of a VM of ESXi. */
export interface Importer {
  /** The name for `--by`; another target may have an importer of the same name. */
  readonly name: string;
  readonly title: string;
  readonly target: MigrationTarget;
  readonly version: string;
  /** The lines of its source that `make` repeats, last read on 2026-11-28. */
  readonly sources: readonly [Source, ...Source[]];
  readonly reads: ".vmx" | "API" | "OVF";
  readonly make: (vm: ReadVm) => Made;
  /** Its disks and network cards after the import, in a sentence. */
  readonly devices: string;
  /** Returns the new controller of disks that need another driver in the guest, by the type on ESXi. `all`: the types of all its disks. */
  readonly controllerFor?: (type: DiskController, firmware: "bios" | "efi", all: readonly DiskController[]) => string | undefined;
  /** Whether it puts drivers for its devices into the guest. */
  readonly addsDrivers: boolean;
}

/** Go, OCaml and Perl stop a program that divides by zero. */
export const DIVIDES_BY_ZERO: Made = { fails: "it divides by zero cores per socket" };

/** The start of a sentence about an import, for people who know the words of `--to` and `--by`. */
export const importWords = ({ to, by }: { readonly to: string; readonly by: string }): string => `The import to ${to} (${by})`;
