import { fewestSockets } from "../../advice/sockets-and-cores.ts";
import { guestLimit } from "../../limits/guest-limits.ts";
import { safeCoresPerSocket } from "../../limits/hardware.ts";
import { coresPerNode } from "../../model/host.ts";
import { CONFIG_OPTION_9, TERRAFORM_42, WINDOWS_SOCKETS } from "../../model/sources.ts";
import { plural } from "../../model/words.ts";
import { defineRule, holds, type PageOf, shownCoresPerSocket } from "../define.ts";
import { setCoresPerSocket } from "../shape-advice.ts";

export const rule = defineRule({
  id: "topo/windows-client-sockets",
  since: "0.1.0",
  severity: "info",
  for: ["esxi", "kvm"],
  on: ["guestOs"],
  reads: ["vcpus", "coresPerSocket", "hardwareVersion", "guestOs"],
  messages: {
    editions: (d: { guest: string; vcpus: number; sockets: number; common: number; coresPerSocket: number }) =>
      `${d.vcpus} vCPUs are shown as ${d.sockets} sockets; most editions of ${d.guest} use only ${d.common}. Set ${plural(d.coresPerSocket, "core")} per socket.`,
  },
  applies: ({ guestOs, vcpus }) => {
    const client = holds(guestOs, (guest = "") => guestLimit(guest)?.commonSockets !== undefined);
    return client === false ? false : holds(vcpus, (count = 1) => count > 2) && client;
  },
  *check({ vm, host, topology, ifKnown }) {
    const limit = guestLimit(vm.guestOs?.value ?? "");
    const coresPerSocket = shownCoresPerSocket(vm, topology);
    if (!vm.vcpus || !limit?.commonSockets || coresPerSocket === undefined) return;
    if (typeof coresPerSocket !== "number") return void (yield coresPerSocket);
    const vcpus = vm.vcpus.value;
    const sockets = vcpus / coresPerSocket;
    // Another rule reports more sockets than any edition uses.
    if (!Number.isInteger(sockets) || sockets <= limit.commonSockets || sockets > limit.sockets) return;
    const fewest = fewestSockets(vcpus, {
      maxSockets: limit.commonSockets,
      maxCoresPerSocket: safeCoresPerSocket(vm.hardwareVersion?.value),
      host,
      nodeCapacity: topology?.nodeCapacity,
      memoryMiB: ifKnown("memoryMiB"),
    });
    // Sockets larger than a node of the host are no better.
    if (fewest === undefined || (host && vcpus / fewest > (topology?.nodeCapacity ?? coresPerNode(host)))) return;
    const value = vcpus / fewest;
    yield {
      messageId: "editions",
      data: { guest: limit.guest, vcpus, sockets, common: limit.commonSockets, coresPerSocket: value },
      at: vm.coresPerSocket?.range ?? vm.vcpus.range,
      ...(vm.guestOs && { related: [{ message: "the guest is set here", range: vm.guestOs.range }] }),
      fixes: [setCoresPerSocket(value)],
    };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "More sockets than most Windows 10 or 11 editions use",
  why: "Windows leaves the processors of further sockets idle. The guest type covers every edition, but only Pro for Workstations uses all 4 sockets; Pro and Education use 2, Home 1.",
  whenNot: "When Pro for Workstations runs in the guest, and its Task Manager shows all vCPUs.",
  evidence: {
    figure: "A build agent of 16 sockets used 2 of them: the build took 14 hours instead of 2",
    source: TERRAFORM_42,
    against: "A user's report of Windows 7; no page of Microsoft's states the limits of the editions.",
  },
  sources: [WINDOWS_SOCKETS, TERRAFORM_42, CONFIG_OPTION_9],
  bad: [
    {
      title: "4 sockets for Windows 10",
      vmx: `virtualHW.version = "19"\nguestOS = "windows9-64"\nnumvcpus = "4"\ncpuid.coresPerSocket = "1"`,
      expect: "editions",
    },
  ],
  good: [
    { title: "2 sockets", vmx: `virtualHW.version = "19"\nguestOS = "windows9-64"\nnumvcpus = "4"\ncpuid.coresPerSocket = "2"` },
    {
      title: "Windows Server uses 64",
      vmx: `virtualHW.version = "19"\nguestOS = "windows2019srv-64"\nnumvcpus = "4"\ncpuid.coresPerSocket = "1"`,
    },
  ],
});
