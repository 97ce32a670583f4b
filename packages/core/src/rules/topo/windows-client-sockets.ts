import { guestLimit } from "../../limits/guest-limits.ts";
import { CONFIG_OPTION_9, TERRAFORM_42, WINDOWS_SOCKETS } from "../../model/sources.ts";
import { plural } from "../../model/words.ts";
import { builtinRule, holds, type PageOf } from "../define.ts";
import { idleSockets } from "../idle-sockets.ts";

export const rule = builtinRule({
  id: "topo/windows-client-sockets",
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
  *check(facts) {
    const idle = idleSockets("commonSockets", facts);
    if (!idle) return;
    if ("skip" in idle) return void (yield idle);
    const { guest, vcpus, sockets, most, coresPerSocket } = idle.data;
    yield { ...idle, messageId: "editions", data: { guest, vcpus, sockets, common: most, coresPerSocket } };
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
  shared: { vmx: `virtualHW.version = "19"` },
  bad: [{ title: "4 sockets for Windows 10", vmx: `guestOS = "windows9-64"\nnumvcpus = "4"\ncpuid.coresPerSocket = "1"` }],
  good: [
    { title: "2 sockets", vmx: `guestOS = "windows9-64"\nnumvcpus = "4"\ncpuid.coresPerSocket = "2"` },
    { title: "Windows Server uses 64", vmx: `guestOS = "windows2019srv-64"\nnumvcpus = "4"\ncpuid.coresPerSocket = "1"` },
  ],
});
