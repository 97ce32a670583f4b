import { known } from "../../model/source.ts";
import { ESXI_PROVIDER } from "../../model/sources.ts";
import type { Disk } from "../../model/spec.ts";
import * as read from "../../syntax/values.ts";
import type { GeneratorRecord } from "../generator.ts";
import { lowerCased, textOf, vmOf } from "../hcl/vm-instance.ts";
import { DISKS_OF_TEMPLATE, INHERITED, OF_TEMPLATE } from "../inherited.ts";
import type { ResourceType } from "./resource-type.ts";

/** josenk/terraform-provider-esxi v1.10.3, guest.go: every argument is a string, and there are no cores per socket. */
const ARGUMENTS = {
  vcpus: ["numvcpus", read.count],
  memoryMiB: ["memsize", read.count],
  hardwareVersion: ["virthwver", read.count],
  guestOs: ["guestos", read.text],
} as const;

/** Code and README differ in the hardware version (13 and 8), so vmlint assumes neither. */
const PROVIDER: GeneratorRecord = {
  name: "The esxi provider",
  source: ESXI_PROVIDER,
  refuses: [],
  defaults: { vcpus: 1, memoryMiB: 512 },
};

/** The .vmx it writes has one LSI Logic controller; a clone keeps its template's. */
export const esxiGuest: ResourceType = {
  providers: ["josenk/esxi"],
  arguments: ARGUMENTS,
  vm(instance) {
    const { resourceInstance: resource } = instance;
    const { range } = resource;
    const isNew = resource.get("clone_from_vm").kind === "null" && resource.get("ovf_source").kind === "null";
    return vmOf(instance, ARGUMENTS, {
      ...(isNew ? { generator: PROVIDER } : { inherits: { names: INHERITED, reason: OF_TEMPLATE } }),
      scsi: () => (isNew ? [{ id: "scsi0", bus: 0, type: known("lsilogic", range), range }] : []),
      devices(reader) {
        const { items, missing } = resource.blocks("virtual_disks");
        const slots = items.map((disk) => ({ slot: textOf(disk.get("slot"), ""), range: disk.range }));
        const disks = slots.flatMap(({ slot, range: at }): Disk[] => {
          const [, bus, unit] = /^([0-3]):(\d{1,2})$/.exec(slot ?? "") ?? [];
          return bus === undefined ? [] : [{ id: `scsi${bus}:${unit}`, controller: `scsi${bus}`, range: at }];
        });
        const nics = resource.blocks("network_interfaces").items.map((nic, index) => ({
          index,
          type: reader.read(nic.get("nic_type"), lowerCased, nic.range),
        }));
        const unplaced = disks.length < slots.length ? "the controller or unit of a disk is unknown" : undefined;
        const reason = missing ?? unplaced ?? (isNew ? undefined : DISKS_OF_TEMPLATE);
        const boot: Disk[] = isNew ? [{ id: "scsi0:0", controller: "scsi0", range }] : [];
        return { otherControllers: [], disks: [...boot, ...disks], nics, ...(reason !== undefined && { missing: reason }) };
      },
      from: resource.get("clone_from_vm"),
      alias: resource.get("guest_name"),
      power: resource.get("power"),
    });
  },
};
