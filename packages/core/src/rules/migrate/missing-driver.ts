import { importWords } from "../../importers/importer.ts";
import { valueIfKnown } from "../../model/source.ts";
import { HARVESTER_VMWARE, PROXMOX_SCSI } from "../../model/sources.ts";
import { list } from "../../model/words.ts";
import { builtinRule, type PageOf } from "../define.ts";

const FIRMWARES = ["bios", "efi"] as const;

export const rule = builtinRule({
  id: "migrate/missing-driver",
  severity: "warning",
  over: "import",
  reads: ["guestOs"],
  messages: {
    moves: (d: { to: string; by: string; from: string; controllers: string }) =>
      `${importWords(d)} moves the disks from ${d.from} to ${d.controllers}, and Windows starts only with a driver for it. Install the driver before the import, or choose SATA for the disks.`,
  },
  *check({ vm, importer: { name, addsDrivers, controllerFor }, to }) {
    const { guestOs, scsiControllers } = vm;
    if (addsDrivers || !controllerFor || !guestOs || !/^win|windows/i.test(guestOs.value)) return;
    const { firmware } = vm.board();
    const firmwares = !firmware || firmware.state === "unknown" ? FIRMWARES : [valueIfKnown(firmware) ?? "bios"];
    const { disks, otherControllers } = vm.devices();
    const used = new Set(disks.map(({ controller }) => controller));
    const types = [
      ...scsiControllers.flatMap(({ id, type }) => (used.has(id) && type.state === "known" ? type.value : [])),
      ...otherControllers.flatMap(({ kind, bus }) => (used.has(`${kind}${bus}`) ? kind : [])),
    ];
    for (const type of new Set(types)) {
      const controllers = new Set(firmwares.flatMap((one) => controllerFor(type, one, types) ?? []));
      if (controllers.size === 0) continue;
      const data = { to: to.title, by: name, from: type, controllers: list([...controllers], "or") };
      yield { messageId: "moves", data, at: guestOs.range };
    }
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "Import moves disks to a controller without a driver",
  why: "Windows loads only drivers that it installed for boot. If the importer puts the disks on another controller, and no driver for it into the guest, Windows stops at INACCESSIBLE_BOOT_DEVICE.",
  whenNot: "When the driver is installed already.",
  evidence: {
    figure: "OVMF has no driver for LSI controllers, so the wizard chooses PVSCSI for Windows",
    source: PROXMOX_SCSI,
    against: "virt-v2v and Forklift put drivers into the guest",
  },
  sources: [HARVESTER_VMWARE],
  shared: {
    host: "2x12x2:512@8.0",
    migrate: { to: "proxmox", by: "wizard" },
    vmx: `virtualHW.version = "20"\nnumvcpus = "8"\ncpuid.coresPerSocket = "8"\nmemSize = "8192"\nguestOS = "windows2019srv-64"\nfirmware = "efi"`,
  },
  bad: [
    {
      title: "Windows on LSI Logic SAS",
      vmx: 'scsi0.present = "TRUE"\nscsi0.virtualDev = "lsisas1068"\nscsi0:0.present = "TRUE"\nscsi0:0.fileName = "disk.vmdk"',
    },
  ],
  good: [
    {
      title: "Windows on PVSCSI",
      vmx: 'scsi0.present = "TRUE"\nscsi0.virtualDev = "pvscsi"\nscsi0:0.present = "TRUE"\nscsi0:0.fileName = "disk.vmdk"',
    },
  ],
});
