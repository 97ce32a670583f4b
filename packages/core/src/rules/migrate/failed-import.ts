import { importWords } from "../../importers/importer.ts";
import { PROXMOX_IMPORT, V2V_LIBVIRT, V2V_VMX } from "../../model/sources.ts";
import { builtinRule, type PageOf } from "../define.ts";

export const rule = builtinRule({
  id: "migrate/failed-import",
  severity: "error",
  over: "import",
  reads: ["vcpus"],
  messages: {
    fails: (d: { to: string; by: string; why: string }) =>
      `${importWords(d)} fails: ${d.why}. Set cores per socket that divide its vCPUs before the import, or choose another importer.`,
  },
  *check({ vm, importer, to, made }) {
    if (made.fails === undefined) return;
    yield { messageId: "fails", data: { to: to.title, by: importer.name, why: made.fails }, at: vm.vcpus?.range ?? vm.range };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "Import stops at the VM, or its definition is refused",
  why: "An importer that divides by cores per socket, or a platform that multiplies sockets and cores again, ends at numbers that do not divide. The VM stays on ESXi, or is there and does not start.",
  whenNot: "When another importer moves the VM.",
  evidence: {
    figure: "libvirt refuses 6 vCPUs in 1 socket of 4 cores, which virt-v2v writes for 6 vCPUs of 4",
    source: V2V_LIBVIRT,
    against: "ESXi has VMs of uneven sockets only if their file was edited by hand",
  },
  sources: [V2V_VMX, PROXMOX_IMPORT],
  shared: { host: "2x12x2:512@8.0", migrate: { to: "proxmox", by: "wizard" }, vmx: `virtualHW.version = "20"` },
  bad: [{ title: "Six vCPUs in sockets of four cores", vmx: 'numvcpus = "6"\ncpuid.coresPerSocket = "4"' }],
  good: [{ title: "Eight vCPUs in sockets of four cores", vmx: 'numvcpus = "8"\ncpuid.coresPerSocket = "4"\nmemSize = "8192"' }],
});
