import { FIRST_HARDWARE, MAX_CONTROLLERS } from "../../limits/hardware.ts";
import { sequence } from "../../model/sequence.ts";
import type { Range } from "../../model/source.ts";
import { CONFIG_OPTION_9, HARDWARE_DOC_67 } from "../../model/sources.ts";
import { builtinRule, type PageOf } from "../define.ts";

/** IDE is missing because the number of its controllers is fixed. */
const NAMES = { scsi: "SCSI", sata: "SATA", nvme: "NVMe" } as const;
type Kind = keyof typeof NAMES;

const numbered = (kind: Kind, count: number): string => sequence(count, (bus) => `${kind}${bus}.present = "TRUE"`).join("\n");

export const rule = builtinRule({
  id: "scsi/max-controllers",
  severity: "error",
  refused: ["fifth"],
  messages: {
    fifth: (d: { controller: string; kind: Kind; most: number }) =>
      `${d.controller} is beyond the ${d.most} ${NAMES[d.kind]} controllers of a VM (${d.kind}0 to ${d.kind}${d.most - 1}). Put its disks on those.`,
  },
  *check({ vm, ifKnown }) {
    const fifth = (kind: Kind, bus: number, at: Range) =>
      ({ messageId: "fifth", data: { controller: `${kind}${bus}`, kind, most: MAX_CONTROLLERS }, at }) as const;
    for (const { bus, range } of vm.scsiControllers) if (bus >= MAX_CONTROLLERS) yield fifth("scsi", bus, range);
    const version = ifKnown("hardwareVersion") ?? Infinity;
    for (const { kind, bus, range } of vm.devices().otherControllers) {
      // Other rules report controllers that the hardware version does not support.
      if (kind !== "ide" && bus >= MAX_CONTROLLERS && version >= FIRST_HARDWARE[kind]) yield fifth(kind, bus, range);
    }
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "More than four controllers of one kind",
  why: "A VM has room for four SCSI controllers, scsi0 to scsi3, in every hardware version, and for four SATA and four NVMe controllers if the version has them. Disks on a fifth controller cannot be attached.",
  whenNot: "Never: put its disks on the other four.",
  evidence: { figure: "At most 4 SCSI, 4 SATA and 4 NVMe controllers, in every hardware version", source: HARDWARE_DOC_67 },
  sources: [CONFIG_OPTION_9],
  bad: [
    { title: "scsi4", vmx: `scsi0.present = "TRUE"\nscsi4.present = "TRUE"` },
    { title: "nvme4", vmx: `virtualHW.version = "20"\n${numbered("nvme", 5)}` },
  ],
  good: [
    { title: "scsi0 to scsi3", vmx: numbered("scsi", 4) },
    { title: "No such controller in this hardware version", vmx: `virtualHW.version = "9"\nsata4.present = "TRUE"` },
    { title: "Four of each kind", vmx: `virtualHW.version = "20"\n${numbered("scsi", 4)}\n${numbered("sata", 4)}\n${numbered("nvme", 4)}` },
  ],
});
