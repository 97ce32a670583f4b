import { known, type Range } from "../../model/source.ts";
import { VCD_PROVIDER } from "../../model/sources.ts";
import type { Disk, ScsiController, ScsiType } from "../../model/spec.ts";
import { objectValue, unknownValue, type Value } from "../../syntax/hcl/value.ts";
import type { Read } from "../../syntax/values.ts";
import * as read from "../../syntax/values.ts";
import type { GeneratorRecord } from "../generator.ts";
import type { ResourceInstance } from "../hcl/resource-instance.ts";
import type { SettingReader } from "../hcl/setting-reader.ts";
import { lowerCased, textOf, vmOf, wholeNumber } from "../hcl/vm-instance.ts";
import { DISKS_OF_TEMPLATE, INHERITED } from "../inherited.ts";
import type { ResourceType } from "./resource-type.ts";

/** `vmx-19`. */
const vmxVersion: Read<number> = (text, range) => read.count(text.replace(/^vmx-0*/i, ""), range);

/** terraform-provider-vcd v3.14.0, resource_vcd_vapp_vm.go. Missing arguments come from the template or the sizing policy. */
const ARGUMENTS = {
  vcpus: ["cpus", read.count],
  coresPerSocket: ["cpu_cores", read.count],
  memoryMiB: ["memory", read.count],
  hardwareVersion: ["hardware_version", vmxVersion],
  guestOs: ["os_type", read.text],
  cpuHotAdd: ["cpu_hot_add_enabled", read.bool],
  memoryHotAdd: ["memory_hot_add_enabled", read.bool],
  cpuReservationMHz: ["cpu_reservation", read.natural],
  cpuLimitMHz: ["cpu_limit", read.limit],
  memoryReservationMiB: ["memory_reservation", read.natural],
  memoryLimitMiB: ["memory_limit", read.limit],
} as const;

/**
 * The provider checks the memory, and Cloud Director the sockets, of a single vCPU too (VCD_634). The defaults are sent (the same file;
 * UpdateVmCpuAndMemoryHotAdd).
 */
const PROVIDER: GeneratorRecord = {
  name: "Cloud Director",
  source: VCD_PROVIDER,
  refuses: ["mem/step-4mb", "cpu/cps-divides"],
  defaults: { cpuHotAdd: false, memoryHotAdd: false },
};

const BUSES: Readonly<Record<string, ScsiType>> = { parallel: "lsilogic", sas: "lsisas1068", paravirtual: "pvscsi" };
const OTHERS: Readonly<Record<string, "ide" | "sata" | "nvme">> = { ide: "ide", sata: "sata", nvme: "nvme" };

interface PlacedDisk {
  readonly disk: Disk;
  readonly scsi: { readonly bus: number; readonly type: ScsiType; readonly range: Range } | undefined;
}

/** Returns the listed disks; a template may have others. */
function disksOf(resource: ResourceInstance): { readonly disks: readonly PlacedDisk[]; readonly missing: string } {
  const disks: PlacedDisk[] = [];
  for (const block of ["override_template_disk", "internal_disk"]) {
    for (const item of resource.blocks(block).items) {
      const type = textOf(item.get("bus_type"), "") ?? "";
      const [bus, unit] = [wholeNumber(item.get("bus_number"), 0), wholeNumber(item.get("unit_number"), 0)];
      if (bus === undefined || unit === undefined) continue;
      const kind = Object.hasOwn(BUSES, type) ? "scsi" : Object.hasOwn(OTHERS, type) ? OTHERS[type] : undefined;
      if (kind === undefined) continue;
      const scsi = BUSES[type];
      disks.push({
        disk: { id: `${kind}${bus}:${unit}`, controller: `${kind}${bus}`, range: item.range },
        scsi: kind === "scsi" && scsi ? { bus, type: scsi, range: item.range } : undefined,
      });
    }
  }
  return { disks, missing: DISKS_OF_TEMPLATE };
}

function scsiControllers(resource: ResourceInstance): readonly ScsiController[] {
  const controllers = new Map<number, ScsiController>();
  for (const { scsi } of disksOf(resource).disks) {
    if (scsi && !controllers.has(scsi.bus)) {
      controllers.set(scsi.bus, { id: `scsi${scsi.bus}`, bus: scsi.bus, type: known(scsi.type, scsi.range), range: scsi.range });
    }
  }
  return [...controllers.values()].sort((a, b) => a.bus - b.bus);
}

/** Returns `set_extra_config { key = ..., value = ... }` blocks as a map. */
function extraConfig(resource: ResourceInstance): Value {
  const { items, missing } = resource.blocks("set_extra_config");
  if (missing !== undefined) return unknownValue(missing);
  const entries: [string, Value][] = [];
  for (const block of items) {
    const key = block.get("key");
    if (key.kind === "unknown") return key;
    if (key.kind === "string") entries.push([key.value, block.get("value")]);
  }
  return objectValue(entries);
}

const vcdVm: ResourceType = {
  providers: ["vmware/vcd"],
  arguments: ARGUMENTS,
  vm(instance) {
    const { resourceInstance: resource } = instance;
    return vmOf(instance, ARGUMENTS, {
      generator: PROVIDER,
      inherits: { names: INHERITED, reason: "the template or the policy of the virtual data centre sets it" },
      list: "set_extra_config",
      extraConfig: extraConfig(resource),
      scsi: () => scsiControllers(resource),
      devices: (reader: SettingReader) => {
        const { disks, missing } = disksOf(resource);
        const nics = resource.blocks("network").items.map((nic, index) => ({
          index,
          type: reader.read(nic.get("adapter_type"), lowerCased, nic.range),
        }));
        return { otherControllers: [], disks: disks.map(({ disk }) => disk), nics, missing };
      },
      alias: resource.get("name"),
      power: resource.get("power_on"),
    });
  },
};

/** A VM of a virtual data centre, alone or in a vApp: the same arguments. */
export const vcdVms = { vcd_vm: vcdVm, vcd_vapp_vm: vcdVm } as const;
