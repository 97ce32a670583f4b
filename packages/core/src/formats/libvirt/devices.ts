import { ABSENT, known } from "../../model/source.ts";
import type { Devices } from "../../model/spec.ts";
import type { Element } from "../../syntax/xml/xml.ts";
import { attribute, child } from "./domain.ts";

/** Reads the network cards, the disks and the devices of the host. */
export function devicesIn(domain: Element): Devices {
  const devices = child(domain, "devices")?.children ?? [];
  const named = (name: string): readonly Element[] => devices.filter((one) => one.name === name);
  return {
    otherControllers: [],
    disks: named("disk").flatMap((disk) => {
      const device = attribute(disk, "device")?.value ?? "disk";
      const target = attribute(child(disk, "target"), "dev");
      const bus = attribute(child(disk, "target"), "bus")?.value ?? "";
      return device === "disk" && target ? [{ id: target.value, controller: bus, range: target.range }] : [];
    }),
    nics: named("interface").map((nic, index) => {
      const type = attribute(child(nic, "model"), "type");
      return { index, type: type ? known(type.value, type.range) : ABSENT };
    }),
    passthrough: named("hostdev").flatMap((device, i) =>
      attribute(device, "type")?.value === "pci" ? [{ id: `hostdev${i}`, range: device.tag, kind: "fixed" as const }] : [],
    ),
  };
}
