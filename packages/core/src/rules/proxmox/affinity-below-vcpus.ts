import { PROXMOX_CPUS } from "../../model/sources.ts";
import { plural } from "../../model/words.ts";
import { builtinRule, type PageOf } from "../define.ts";

export const rule = builtinRule({
  id: "proxmox/affinity-below-vcpus",
  severity: "warning",
  for: ["kvm"],
  on: ["kvm"],
  messages: {
    few: (d: { cpus: number; vcpus: number }) =>
      `affinity has ${plural(d.cpus, "CPU")} for ${plural(d.vcpus, "vCPU")}. Add CPUs to it, or set ${plural(d.cpus, "vCPU")}.`,
  },
  *check({ vm: { kvm } }) {
    const set = kvm?.pins?.others;
    if (kvm?.stack !== "proxmox" || !kvm.machine || kvm.refused || !set || set.value.length >= kvm.machine.present.length) return;
    yield { messageId: "few", data: { cpus: set.value.length, vcpus: kvm.machine.present.length }, at: set.range };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "Affinity has fewer CPUs than the VM vCPUs",
  why: "affinity is one set of CPUs for all threads of the VM. With fewer CPUs than vCPUs, some vCPUs and the threads for devices always wait.",
  whenNot: "When the set is a limit on purpose, such as for a licence by core.",
  sources: [PROXMOX_CPUS],
  bad: [{ title: "4 CPUs for 8 vCPUs", conf: "affinity: 0-3\ncores: 8\nmemory: 4096\n" }],
  good: [{ title: "A CPU for each", conf: "affinity: 0-7\ncores: 8\nmemory: 4096\n" }],
});
