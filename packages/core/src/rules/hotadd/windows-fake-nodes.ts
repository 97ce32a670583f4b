import { groupsMakeNodes, WINDOWS_GROUP } from "../../limits/guest-limits.ts";
import { atLeast, esxi } from "../../model/esxi.ts";
import { coresPerNode } from "../../model/host.ts";
import { KB_340275 } from "../../model/sources.ts";
import { builtinRule, holds, type PageOf, unsafeFix, vcpusOf } from "../define.ts";
import { GROWTH_SETTINGS, growthOf, stepWords } from "../growth.ts";

/** The vCPUs that most guests can grow to by hot add, with hardware that allows as many (KB 340275). */
const HOT_ADD_ROOM = 128;
const HOT_ADD_ROOM_HARDWARE = 11;

export const rule = builtinRule({
  id: "hotadd/windows-fake-nodes",
  severity: "warning",
  severities: { empty: "info" },
  on: ["cpuHotAdd"],
  needs: ["host"],
  reads: ["vcpus", "cpuHotAdd", "guestOs", "maxVcpusByHotAdd", ...GROWTH_SETTINGS],
  messages: {
    empty: (d: { vcpus: number; most: number; group: number; instead: number | null; perSocket: number; sizes: readonly number[] }) =>
      `CPU hot add may take the VM from ${d.vcpus} to ${d.most} vCPUs${stepWords(d)}, and this Windows makes an empty NUMA node for each further group of ${d.group}. ${d.instead === null ? "Turn hot add off, or use smaller sockets." : `Set cpuid.maxVCPUs to ${d.instead}, or turn hot add off.`}`,
    memoryless: (d: { vcpus: number; group: number }) =>
      `This Windows puts the ${d.vcpus} vCPUs into groups of ${d.group} and, with CPU hot add on, makes a NUMA node of each group, but only the first has memory. Turn hot add off.`,
  },
  applies: ({ cpuHotAdd, guestOs }) => {
    const windows = holds(guestOs, (guest = "") => groupsMakeNodes(guest));
    return windows === false ? false : holds(cpuHotAdd, (on) => on === true) === false ? false : windows;
  },
  *check({ vm, host }) {
    if (!host.esxi) return yield { skip: "no-esxi-version" };
    if (!vm.cpuHotAdd || !atLeast(host.esxi, esxi(6, 5)) || atLeast(host.esxi, esxi(8, 0))) return;
    const vcpus = vcpusOf(vm);
    const growth = growthOf(vm, vcpus);
    const maxVcpus = growth.upTo(vm.maxVcpusByHotAdd?.value ?? HOT_ADD_ROOM);
    const off = unsafeFix("Turn CPU hot add off", { cpuHotAdd: false });
    const at = vm.cpuHotAdd.range;
    if (vcpus > WINDOWS_GROUP) yield { messageId: "memoryless", data: { vcpus, group: WINDOWS_GROUP }, at, fixes: [off] };
    else if (maxVcpus > WINDOWS_GROUP && (vm.hardwareVersion?.value ?? 0) >= HOT_ADD_ROOM_HARDWARE) {
      // At most one NUMA node if the VM fits one: beyond that, hot add hides nodes.
      const cores = coresPerNode(host);
      const { perSocket } = growth;
      const reachable = growth.upTo(vcpus <= cores ? Math.min(cores, WINDOWS_GROUP) : WINDOWS_GROUP);
      const instead = reachable > vcpus || perSocket === 1 || vcpus === Math.min(cores, WINDOWS_GROUP) ? reachable : null;
      const limit = unsafeFix(`Set cpuid.maxVCPUs to ${instead}`, { maxVcpusByHotAdd: reachable });
      const sizes = growth.next(maxVcpus, 2);
      const data = { vcpus, most: maxVcpus, group: WINDOWS_GROUP, instead, perSocket, sizes };
      yield { messageId: "empty", data, at, fixes: instead === null ? [off] : [limit, off] };
    }
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "CPU hot add shows Windows NUMA nodes without memory",
  why: "With CPU hot add on, a VM has room for up to 128 vCPUs. Windows Server up to 2019 puts processors into groups of 64, including processors that can be added later, and makes a NUMA node for each group. Without virtual NUMA, all memory belongs to the first node: software on another node treats all memory as remote.",
  whenNot: "When nothing in the guest asks for NUMA nodes, or more than 64 vCPUs are really added while the VM runs.",
  sources: [KB_340275],
  bad: [
    {
      title: "8 vCPUs, Windows Server 2019",
      host: "2x20x2@6.7",
      vmx: `virtualHW.version = "14"\nguestOS = "windows2019srv-64"\nnumvcpus = "8"\nvcpu.hotadd = "TRUE"`,
      expect: "empty",
    },
    {
      title: "72 vCPUs, Windows Server 2016",
      host: "4x20x2@7.0",
      vmx: `virtualHW.version = "17"\nguestOS = "windows9srv-64"\nnumvcpus = "72"\nvcpu.hotadd = "TRUE"`,
      expect: "memoryless",
    },
  ],
  good: [
    {
      title: "No room for a second group",
      host: "2x20x2@6.7",
      vmx: `virtualHW.version = "14"\nguestOS = "windows2019srv-64"\nnumvcpus = "8"\nvcpu.hotadd = "TRUE"\ncpuid.maxVCPUs = "64"`,
    },
    {
      title: "Windows Server 2022 makes none",
      host: "2x20x2@7.0",
      vmx: `virtualHW.version = "17"\nguestOS = "windows2019srvnext-64"\nnumvcpus = "8"\nvcpu.hotadd = "TRUE"`,
    },
    {
      title: "The article covers 6.5 to 7.0",
      host: "2x20x2@8.0",
      vmx: `virtualHW.version = "17"\nguestOS = "windows2019srv-64"\nnumvcpus = "8"\nvcpu.hotadd = "TRUE"`,
    },
  ],
});
