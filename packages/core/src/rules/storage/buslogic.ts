import { CONFIG_OPTION_9, SCSI_QUEUES } from "../../model/sources.ts";
import { builtinRule, holds, type PageOf } from "../define.ts";
import { bootDisk } from "../disks.ts";

/**
 * Guests whose descriptors on an ESX 9 host recommend BusLogic (`recommendedSCSIController`), Windows ME and XP Home, which have none and
 * are as old, and `redhat` and `other`, which may be.
 */
const MEANT_FOR = /^(?:win(?:31|95|98|me|nt|2000|xp(?!pro-?64))|whistler|dos|os2|ecomstation|rhel2|redhat|unixware7|other)/i;

export const rule = builtinRule({
  id: "storage/buslogic",
  severity: "info",
  on: ["scsiControllers"],
  reads: ["guestOs"],
  messages: {
    boot: (d: { controller: string; guestOs: string }) =>
      `${d.controller} is BusLogic, which VMware recommends only for old guests such as Windows NT and DOS; this guest is ${d.guestOs}. Set ${d.controller} to lsilogic once the guest has its driver.`,
  },
  applies: ({ guestOs }, { scsiControllers }) =>
    scsiControllers.some(({ type }) => type.state === "known" && type.value === "buslogic")
      ? holds(guestOs, (guest) => guest !== undefined && !MEANT_FOR.test(guest))
      : false,
  *check({ vm }) {
    if (!vm.guestOs) return;
    const { disks, missing } = vm.devices();
    if (missing !== undefined) return yield { skip: "unknown-value" };
    const boot = bootDisk(disks);
    for (const { id: controller, type, shared } of vm.scsiControllers) {
      if (type.state !== "known" || type.value !== "buslogic" || shared) continue;
      // Another rule reports data disks on it.
      if (disks.some((disk) => disk.controller === controller && disk !== boot)) continue;
      if (boot?.controller === controller) yield { messageId: "boot", data: { controller, guestOs: vm.guestOs.value }, at: type.range };
    }
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "VM boots from a BusLogic controller",
  why: "BusLogic emulates a card of the nineties for old guests. VMware recommends it for 14 of them, and advises to move all other guests off it.",
  whenNot:
    "When the guest has only this driver. A guest may not start after a change of its boot controller: install the new driver first.",
  evidence: {
    figure:
      "On an ESX 9 host, BusLogic is the recommended SCSI controller of 14 guests: Windows 3.1, 95, 98, NT, 2000 (3) and XP (32-bit), DOS, OS/2, eComStation (2), RHEL 2.1 and UnixWare 7",
    source: CONFIG_OPTION_9,
  },
  sources: [SCSI_QUEUES],
  bad: [
    {
      title: "Windows Server 2012 on BusLogic",
      vmx: `guestOS = "windows8srv-64"\nscsi0.present = "TRUE"\nscsi0.virtualDev = "buslogic"\nscsi0:0.present = "TRUE"`,
    },
  ],
  good: [
    {
      title: "Windows 2000",
      vmx: `guestOS = "win2000serv"\nscsi0.present = "TRUE"\nscsi0.virtualDev = "buslogic"\nscsi0:0.present = "TRUE"`,
    },
    {
      title: "Windows XP of 32 bits",
      vmx: `guestOS = "winxppro"\nscsi0.present = "TRUE"\nscsi0.virtualDev = "buslogic"\nscsi0:0.present = "TRUE"`,
    },
    { title: "The guest is not stated", vmx: `scsi0.present = "TRUE"\nscsi0.virtualDev = "buslogic"\nscsi0:0.present = "TRUE"` },
    {
      title: "LSI Logic",
      vmx: `guestOS = "windows8srv-64"\nscsi0.present = "TRUE"\nscsi0.virtualDev = "lsilogic"\nscsi0:0.present = "TRUE"`,
    },
  ],
});
