import { isWindowsServer, LEAST_WINDOWS_LICENCES as LEAST } from "../../limits/guest-limits.ts";
import { WINDOWS_SERVER_LICENSING } from "../../model/sources.ts";
import { plural } from "../../model/words.ts";
import { builtinRule, holds, type PageOf } from "../define.ts";

export const rule = builtinRule({
  id: "guest/core-licences",
  severity: "hint",
  optIn: true,
  for: "any",
  on: ["guestOs"],
  reads: ["vcpus", "guestOs"],
  messages: {
    fewer: (d: { vcpus: number; least: number }) =>
      `Windows Server licensed by VM needs at least ${d.least} core licences, and this VM has ${plural(d.vcpus, "vCPU")}. Up to ${d.least} need no further licence.`,
  },
  applies: ({ guestOs, vcpus }) => {
    const isServer = holds(guestOs, (guest = "") => isWindowsServer(guest));
    return isServer === false ? false : holds(vcpus, (count = 1) => count < LEAST) && isServer;
  },
  *check({ vm }) {
    if (vm.vcpus) yield { messageId: "fewer", data: { vcpus: vm.vcpus.value, least: LEAST }, at: vm.vcpus.range };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "Windows Server licensed by VM counts at least 8 vCPUs",
  why: "Since October 2022, Windows Server may be licensed by virtual machine, with subscriptions or Software Assurance. Such a VM needs a core licence for each vCPU, and at least 8. Licences of a host cover its physical cores instead: at least 8 for each processor and 16 for each server.",
  whenNot:
    "When the licences cover all cores of the hosts, as usual. Then leave this rule off. Your contract decides, and this note is no legal advice.",
  evidence: { figure: "A VM with 4 vCPUs needs licences for 8 cores", source: WINDOWS_SERVER_LICENSING },
  bad: [{ title: "4 vCPUs", vmx: `guestOS = "windows2019srv-64"\nnumvcpus = "4"` }],
  good: [
    { title: "8 vCPUs", vmx: `guestOS = "windows2019srv-64"\nnumvcpus = "8"` },
    { title: "A client", vmx: `guestOS = "windows11-64"\nnumvcpus = "4"` },
    { title: "Windows Server 2012: licensed by processor", vmx: `guestOS = "windows8srv-64"\nnumvcpus = "4"` },
  ],
});
