import { maxDisks } from "../../limits/hardware.ts";
import { sequence } from "../../model/sequence.ts";
import { valueIfKnown } from "../../model/source.ts";
import { CONFIG_OPTION_9 } from "../../model/sources.ts";
import { builtinRule, type PageOf } from "../define.ts";

export const rule = builtinRule({
  id: "scsi/max-disks",
  severity: "error",
  refused: ["full"],
  reads: ["hardwareVersion"],
  messages: {
    full: (d: { controller: string; disks: number; most: number }) =>
      `${d.controller} has ${d.disks} disks and holds ${d.most}. Put ${d.disks - d.most} on another controller.`,
  },
  *check({ vm }) {
    const { disks } = vm.devices();
    const counts = new Map<string, number>();
    for (const { controller } of disks) counts.set(controller, (counts.get(controller) ?? 0) + 1);
    for (const [controller, count] of counts) {
      const kind = /^(scsi|nvme|sata)/.exec(controller)?.[1] as "scsi" | "nvme" | "sata" | undefined;
      const scsi = vm.scsiControllers.find(({ id }) => id === controller);
      const maximum = kind && maxDisks(kind, scsi && valueIfKnown(scsi.type), vm.hardwareVersion?.value);
      const first = disks.filter((disk) => disk.controller === controller)[maximum ?? 0];
      if (maximum === undefined || count <= maximum || !first) continue;
      yield { messageId: "full", data: { controller, disks: count, most: maximum }, at: first.range };
    }
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "More disks than a controller can hold",
  why: "Each kind of controller holds a maximum number of disks. For PVSCSI and NVMe it depends on the hardware version.",
  whenNot: "Never: move the surplus disks to another controller.",
  evidence: {
    figure: "15 disks on LSI Logic and BusLogic; on PVSCSI 15, and 64 from hardware version 14; on NVMe 15, and 64 from 21; on SATA 30",
    source: CONFIG_OPTION_9,
  },
  bad: [
    { title: "16 disks on LSI Logic SAS", vmx: withDisks("lsisas1068", 16) },
    {
      title: "16 disks on NVMe, without a SCSI controller",
      vmx: `virtualHW.version = "14"\nnvme0.present = "TRUE"\n${Array.from({ length: 16 }, (_, unit) => `nvme0:${unit}.present = "TRUE"`).join("\n")}`,
    },
  ],
  good: [
    { title: "15 disks on LSI Logic SAS", vmx: withDisks("lsisas1068", 15) },
    { title: "16 disks on PVSCSI", vmx: withDisks("pvscsi", 16) },
  ],
});

/** A controller with `count` disks, on the units the controller leaves free. */
function withDisks(type: string, count: number): string {
  const units = sequence(count + 1, (unit) => unit).filter((unit) => unit !== 7);
  return `virtualHW.version = "14"\nscsi0.present = "TRUE"\nscsi0.virtualDev = "${type}"\n${units.map((unit) => `scsi0:${unit}.present = "TRUE"`).join("\n")}`;
}
