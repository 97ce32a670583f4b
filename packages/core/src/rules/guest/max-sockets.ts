import { guestLimit, usableByGuest } from "../../limits/guest-limits.ts";
import { CONFIG_OPTION_9, DENNEMAN_2013_SOCKETS, RIGHTSIZING_2017 } from "../../model/sources.ts";
import { plural } from "../../model/words.ts";
import { builtinRule, holds, type PageOf, shownCoresPerSocket, statesSockets } from "../define.ts";
import { socketsWithin } from "../idle-sockets.ts";
import { chooseForSockets, setCoresPerSocket } from "../shape-advice.ts";

/** From this limit on, the guest is a server, and its licence may cover the vCPUs beyond. */
const SERVER_SOCKETS = 64;

export const rule = builtinRule({
  id: "guest/max-sockets",
  severity: "error",
  severities: { server: "warning" },
  presets: ["vdi"],
  onDesktop: true,
  for: ["esxi", "kvm"],
  on: ["guestOs"],
  reads: ["vcpus", "coresPerSocket", "hardwareVersion", "guestOs"],
  messages: { idle: message, server: message },
  applies: ({ guestOs, vcpus }) => {
    const limited = holds(guestOs, (guest = "") => guestLimit(guest) !== undefined);
    return limited === false ? false : holds(vcpus, (count = 1) => count > 2) && limited;
  },
  *check({ vm, host, topology, ifKnown }) {
    const limit = guestLimit(vm.guestOs?.value ?? "");
    const vcpus = vm.vcpus?.value ?? 1;
    if (!vm.vcpus || !limit || vcpus <= limit.sockets || !statesSockets(vm)) return;
    const coresPerSocket = shownCoresPerSocket(vm, topology);
    if (coresPerSocket === undefined) return void (yield { skip: !host ? "no-host" : host.esxi ? "no-power-on" : "no-esxi-version" });
    if (typeof coresPerSocket !== "number") return void (yield coresPerSocket);
    const usable = usableByGuest(limit, vcpus, coresPerSocket);
    const sockets = vcpus / coresPerSocket;
    if (usable === vcpus || !Number.isInteger(sockets)) return;
    const count = socketsWithin(limit.sockets, vcpus, { host, topology, ifKnown });
    const cores = count === undefined ? null : vcpus / count;
    yield {
      messageId: limit.sockets < SERVER_SOCKETS ? "idle" : "server",
      data: { guest: limit.guest, most: limit.sockets, vcpus, usable, sockets, coresPerSocket: cores },
      at: vm.coresPerSocket?.range ?? vm.vcpus.range,
      ...(vm.guestOs && { related: [{ message: "the guest is set here", range: vm.guestOs.range }] }),
      fixes: cores === null ? [] : [setCoresPerSocket(cores)],
    };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "More sockets than the guest can use",
  why: "Windows counts sockets, not cores: a client edition uses 2 or 4 of them and leaves all further processors idle. With one core per socket every vCPU is a socket.",
  whenNot: "When the VM runs another operating system than `guestOS` says.",
  evidence: {
    figure: "Supported sockets by guest: Windows XP to 8 have 2, Windows 10 and 11 have 4, Windows Server from 2008 R2 on has 64",
    source: CONFIG_OPTION_9,
    against: "This is the maximum of all editions. According to Microsoft's forum, Windows 10 and 11 Pro use only 2, and Home 1.",
  },
  sources: [DENNEMAN_2013_SOCKETS, RIGHTSIZING_2017],
  shared: { vmx: `virtualHW.version = "19"` },
  bad: [
    {
      title: "8 sockets of 1 core for Windows 10",
      vmx: `guestOS = "windows9-64"\nnumvcpus = "8"\ncpuid.coresPerSocket = "1"`,
      expect: "idle",
    },
    {
      title: "Sockets left at the default of hardware version 10",
      vmx: `virtualHW.version = "10"\nguestOS = "windows7-64"\nnumvcpus = "4"`,
      expect: "idle",
    },
    {
      title: "80 sockets for Windows Server",
      vmx: `guestOS = "windows2019srv-64"\nnumvcpus = "80"\ncpuid.coresPerSocket = "1"`,
      expect: "server",
    },
    {
      title: "A VM of Workstation",
      vmx: `virtualHW.version = "16"\nguestOS = "windows9-64"\nnumvcpus = "8"\ncpuid.coresPerSocket = "1"`,
      expect: "idle",
    },
  ],
  good: [
    { title: "4 sockets for Windows 10", vmx: `guestOS = "windows9-64"\nnumvcpus = "8"\ncpuid.coresPerSocket = "2"` },
    { title: "Chosen at power-on by ESXi 8.0", host: "r640", vmx: `virtualHW.version = "20"\nguestOS = "windows11-64"\nnumvcpus = "8"` },
    { title: "Linux", vmx: `guestOS = "ubuntu-64"\nnumvcpus = "8"\ncpuid.coresPerSocket = "1"` },
  ],
});

function message(d: {
  guest: string;
  most: number;
  vcpus: number;
  usable: number;
  sockets: number;
  coresPerSocket: number | null;
}): string {
  const todo = d.coresPerSocket === null ? `${chooseForSockets(d.most)}.` : `Set ${plural(d.coresPerSocket, "core")} per socket.`;
  return `The guest (${d.guest}) can use ${d.usable} of these ${d.vcpus} vCPUs: it uses at most ${d.most} sockets, and sees ${d.sockets}. ${todo}`;
}
