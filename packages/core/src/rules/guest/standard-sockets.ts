import { fewestSockets } from "../../advice/sockets-and-cores.ts";
import { guestLimit } from "../../limits/guest-limits.ts";
import { safeCoresPerSocket } from "../../limits/hardware.ts";
import { coresPerNode } from "../../model/host.ts";
import { CONFIG_OPTION_9, DENNEMAN_2013_SOCKETS } from "../../model/sources.ts";
import { plural } from "../../model/words.ts";
import { defineRule, holds, type PageOf, shownCoresPerSocket, statesSockets } from "../define.ts";
import { setCoresPerSocket } from "../shape-advice.ts";

export const rule = defineRule({
  id: "guest/standard-sockets",
  since: "0.1.0",
  severity: "info",
  presets: ["recommended"],
  onDesktop: true,
  for: ["esxi", "kvm"],
  on: ["guestOs"],
  reads: ["vcpus", "coresPerSocket", "hardwareVersion", "guestOs"],
  messages: {
    standard: (d: { guest: string; vcpus: number; sockets: number; most: number; coresPerSocket: number }) =>
      `${d.vcpus} vCPUs are shown as ${d.sockets} sockets; the Standard edition of ${d.guest} uses only ${d.most}. Set ${plural(d.coresPerSocket, "core")} per socket.`,
  },
  applies: ({ guestOs, vcpus }) => {
    const isOpen = holds(guestOs, (guest = "") => guestLimit(guest)?.standardSockets !== undefined);
    return isOpen === false ? false : holds(vcpus, (count = 1) => count > 4) && isOpen;
  },
  *check({ vm, host, topology, ifKnown }) {
    const limit = guestLimit(vm.guestOs?.value ?? "");
    const coresPerSocket = shownCoresPerSocket(vm, topology);
    if (!vm.vcpus || !limit?.standardSockets || coresPerSocket === undefined || !statesSockets(vm)) return;
    if (typeof coresPerSocket !== "number") return void (yield coresPerSocket);
    const vcpus = vm.vcpus.value;
    const sockets = vcpus / coresPerSocket;
    // Another rule reports more sockets than any edition uses.
    if (!Number.isInteger(sockets) || sockets <= limit.standardSockets || sockets > limit.sockets) return;
    const fewest = fewestSockets(vcpus, {
      maxSockets: limit.standardSockets,
      maxCoresPerSocket: safeCoresPerSocket(vm.hardwareVersion?.value),
      host,
      nodeCapacity: topology?.nodeCapacity,
      memoryMiB: ifKnown("memoryMiB"),
    });
    // Sockets larger than a node of the host are no better.
    if (fewest === undefined || (host && vcpus / fewest > (topology?.nodeCapacity ?? coresPerNode(host)))) return;
    yield {
      messageId: "standard",
      data: { guest: limit.guest, vcpus, sockets, most: limit.standardSockets, coresPerSocket: vcpus / fewest },
      at: vm.coresPerSocket?.range ?? vm.vcpus.range,
      ...(vm.guestOs && { related: [{ message: "the guest is set here", range: vm.guestOs.range }] }),
      fixes: [setCoresPerSocket(vcpus / fewest)],
    };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "More sockets than Windows Server Standard uses",
  why: "The guest type covers every edition. Enterprise and Datacenter of Windows Server 2008 and 2008 R2 use more sockets than Standard, which leaves the processors of a fifth socket idle. From 2012 on, Standard uses as many as Datacenter.",
  whenNot: "When Enterprise or Datacenter runs in the guest, and its Task Manager shows all vCPUs.",
  evidence: { figure: "Windows Server 2008 Standard with 8 sockets: Task Manager shows 4 processors", source: DENNEMAN_2013_SOCKETS },
  sources: [DENNEMAN_2013_SOCKETS, CONFIG_OPTION_9],
  bad: [
    {
      title: "8 sockets for Windows Server 2008 R2",
      vmx: `virtualHW.version = "13"\nguestOS = "windows7srv-64"\nnumvcpus = "8"\ncpuid.coresPerSocket = "1"`,
      expect: "standard",
    },
  ],
  good: [
    { title: "2 sockets", vmx: `virtualHW.version = "13"\nguestOS = "longhorn-64"\nnumvcpus = "8"\ncpuid.coresPerSocket = "4"` },
    {
      title: "Windows Server 2016, whose Standard uses 64",
      vmx: `virtualHW.version = "13"\nguestOS = "windows9srv-64"\nnumvcpus = "8"\ncpuid.coresPerSocket = "1"`,
    },
  ],
});
