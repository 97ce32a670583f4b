import { threadsOf } from "../../model/host.ts";
import { PROXMOX_CPUS } from "../../model/sources.ts";
import { plural } from "../../model/words.ts";
import { builtinRule, type PageOf } from "../define.ts";

export const rule = builtinRule({
  id: "proxmox/more-than-host",
  severity: "error",
  for: ["kvm"],
  on: ["kvm"],
  needs: ["host"],
  reads: ["vcpus"],
  unless: ["cpu/exceeds-host-threads"],
  messages: {
    more: (d: { possible: number; cpus: number }) =>
      `Proxmox does not start a VM of ${plural(d.possible, "possible vCPU")} on a node of ${plural(d.cpus, "CPU")}. Set sockets x cores to at most ${d.cpus}.`,
  },
  *check({ vm: { kvm, vcpus, range }, host }) {
    if (kvm?.stack !== "proxmox" || !kvm.machine || kvm.refused || kvm.machine.possible <= threadsOf(host)) return;
    yield { messageId: "more", data: { possible: kvm.machine.possible, cpus: threadsOf(host) }, at: vcpus?.range ?? range };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "More possible vCPUs than the host has CPUs",
  why: "Proxmox compares sockets x cores, vCPUs for hot plug included, with the CPUs of the node, and does not start a larger VM.",
  whenNot: "When the VM runs on another node: declare that host.",
  evidence: { figure: "MAX n vcpus allowed per VM on this node", source: PROXMOX_CPUS },
  bad: [{ title: "12 on 8", host: "1x4x2", conf: "cores: 12\nmemory: 4096\n" }],
  good: [{ title: "8 on 8", host: "1x4x2", conf: "cores: 8\nmemory: 4096\n" }],
});
