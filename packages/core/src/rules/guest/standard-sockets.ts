import { guestLimit } from "../../limits/guest-limits.ts";
import { CONFIG_OPTION_9, DENNEMAN_2013_SOCKETS } from "../../model/sources.ts";
import { plural } from "../../model/words.ts";
import { builtinRule, holds, type PageOf, statesSockets } from "../define.ts";
import { idleSockets } from "../idle-sockets.ts";

export const rule = builtinRule({
  id: "guest/standard-sockets",
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
  *check(facts) {
    const idle = statesSockets(facts.vm) ? idleSockets("standardSockets", facts) : undefined;
    if (idle) yield "skip" in idle ? idle : { messageId: "standard", ...idle };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "More sockets than Windows Server Standard uses",
  why: "The guest type covers every edition. Enterprise and Datacenter of Windows Server 2008 and 2008 R2 use more sockets than Standard, which leaves the processors of a fifth socket idle. From 2012 on, Standard uses as many as Datacenter.",
  whenNot: "When Enterprise or Datacenter runs in the guest, and its Task Manager shows all vCPUs.",
  evidence: { figure: "Windows Server 2008 Standard with 8 sockets: Task Manager shows 4 processors", source: DENNEMAN_2013_SOCKETS },
  sources: [CONFIG_OPTION_9],
  shared: { vmx: `virtualHW.version = "13"` },
  bad: [{ title: "8 sockets for Windows Server 2008 R2", vmx: `guestOS = "windows7srv-64"\nnumvcpus = "8"\ncpuid.coresPerSocket = "1"` }],
  good: [
    { title: "2 sockets", vmx: `guestOS = "longhorn-64"\nnumvcpus = "8"\ncpuid.coresPerSocket = "4"` },
    { title: "Windows Server 2016, whose Standard uses 64", vmx: `guestOS = "windows9srv-64"\nnumvcpus = "8"\ncpuid.coresPerSocket = "1"` },
  ],
});
