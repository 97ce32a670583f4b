import { coresOf } from "../../model/host.ts";
import { L1TF_KB } from "../../model/sources.ts";
import { plural } from "../../model/words.ts";
import { builtinRule, type PageOf } from "../define.ts";
import { EXAMPLE_HOST } from "../example-host.ts";

export const rule = builtinRule({
  id: "host/hyperthreading-off",
  severity: "info",
  presets: ["recommended"],
  over: "host-itself",
  needs: ["host"],
  messages: {
    off: (d: { host: string; cores: number; vms: number }) =>
      `Hyper-threading is off on ${d.host}, so its ${plural(d.cores, "core")} run ${d.cores} threads. Turn it on in the firmware and in ESXi, unless L1TF or a licence is the reason.`,
  },
  *check({ host, vmCount }) {
    if (host.hyperthreadingOff) yield { messageId: "off", data: { host: host.name, cores: coresOf(host), vms: vmCount() } };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "Hyper-threading of the host is off",
  why: "The processors have two threads a core, and the host uses one. With hyper-threading, two vCPUs that share a core do more work together than one vCPU alone. Some hosts have it off since the L1TF flaw of 2018: the side-channel aware scheduler is an alternative.",
  whenNot: "When a security policy or a licence of the guest asks for it.",
  sources: [L1TF_KB],
  bad: [
    {
      title: "Two VMs on such a host",
      host: { ...EXAMPLE_HOST, threadsPerCore: 1, hyperthreadingOff: true },
      vmx: [`numvcpus = "4"`, `numvcpus = "8"`],
    },
  ],
  good: [{ title: "Hyper-threading is on", host: EXAMPLE_HOST, vmx: [`numvcpus = "4"`, `numvcpus = "8"`] }],
});
