import { FIRST_HARDWARE } from "../../limits/hardware.ts";
import { prefersParavirtual } from "../../limits/recommended-devices.ts";
import { CONFIG_OPTION_9, DAKIC19 } from "../../model/sources.ts";
import { builtinRule, holds, type PageOf } from "../define.ts";
import { SCSI_NAMES } from "./lsi-for-db.ts";

export const rule = builtinRule({
  id: "storage/emulated-controller",
  severity: "hint",
  presets: ["inventory"],
  unless: ["storage/lsi-for-db", "storage/buslogic", "storage/single-controller"],
  on: ["scsiControllers"],
  reads: ["hardwareVersion", "guestOs"],
  messages: {
    emulated: (d: { controller: string; type: string }) =>
      `${d.controller} is ${d.type}, but ESXi recommends PVSCSI for this guest. Use PVSCSI for new disks, and change this controller only with a tested boot image.`,
  },
  applies: ({ guestOs, hardwareVersion }, { scsiControllers }) =>
    holds(guestOs, (guest = "") => prefersParavirtual(guest)) === true &&
    holds(hardwareVersion, (version = FIRST_HARDWARE.pvscsi) => version >= FIRST_HARDWARE.pvscsi) === true &&
    scsiControllers.some(({ type, shared }) => type.state === "known" && type.value !== "pvscsi" && !shared),
  *check({ vm }) {
    for (const { id: controller, type, shared } of vm.scsiControllers) {
      if (type.state !== "known" || type.value === "pvscsi" || shared) continue;
      return yield { messageId: "emulated", data: { controller, type: SCSI_NAMES[type.value] }, at: type.range };
    }
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "Emulated SCSI controller under a guest that has PVSCSI",
  why: "ESXi recommends PVSCSI to new VMs with this guest, because its installation has the driver. PVSCSI takes less host CPU for each I/O than LSI Logic and BusLogic. Changing the controller a guest boots from needs its driver in the boot image first.",
  whenNot: "When the VM has little I/O, or is an appliance whose vendor supports only this controller.",
  evidence: {
    figure: "PVSCSI took less than half the host CPU of LSI Logic SAS (SQL Server 2019, ESXi 6.0)",
    source: DAKIC19,
    against: "The load was a database. The author advises against converting every VM.",
  },
  sources: [CONFIG_OPTION_9, DAKIC19],
  bad: [
    {
      title: "LSI Logic under Ubuntu",
      vmx: `guestOS = "ubuntu-64"\nscsi0.present = "TRUE"\nscsi0.virtualDev = "lsilogic"\nscsi0:0.present = "TRUE"`,
    },
  ],
  good: [
    { title: "PVSCSI", vmx: `guestOS = "ubuntu-64"\nscsi0.present = "TRUE"\nscsi0.virtualDev = "pvscsi"\nscsi0:0.present = "TRUE"` },
    {
      title: "ESXi recommends LSI Logic SAS for Windows Server 2019",
      vmx: `guestOS = "windows2019srv-64"\nscsi0.present = "TRUE"\nscsi0.virtualDev = "lsisas1068"\nscsi0:0.present = "TRUE"`,
    },
    { title: "The guest is not stated", vmx: `scsi0.present = "TRUE"\nscsi0.virtualDev = "lsilogic"\nscsi0:0.present = "TRUE"` },
  ],
});
