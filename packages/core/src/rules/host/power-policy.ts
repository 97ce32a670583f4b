import type { PowerPolicy } from "../../model/host.ts";
import { POWER_POLICY_70 } from "../../model/sources.ts";
import { builtinRule, type PageOf } from "../define.ts";
import { hostWithPolicy } from "../example-host.ts";

export const rule = builtinRule({
  id: "host/power-policy",
  severity: "hint",
  presets: ["inventory"],
  over: "host-itself",
  needs: ["host"],
  messages: {
    saves: (d: { policy: PowerPolicy; host: string }) =>
      `The power policy of ${d.host} is ${d.policy}. Set High performance if its VMs are latency-sensitive.`,
  },
  *check({ host: { name, powerPolicy } }) {
    if (powerPolicy !== undefined && powerPolicy !== "High performance")
      yield { messageId: "saves", data: { policy: powerPolicy, host: name } };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "Host saves power",
  why: "With Balanced and Low power, a core sleeps deeper and changes its clock. VMware prefers Balanced for ordinary workloads, and High performance for latency-sensitive ones. Low power may slow any workload.",
  whenNot: "When no VM of the host is latency-sensitive and its policy is Balanced, or the firmware controls power.",
  evidence: {
    figure: "High Performance is preferred for latency-sensitive applications, Balanced for all others",
    source: POWER_POLICY_70,
  },
  bad: [
    { title: "Balanced", host: hostWithPolicy("Balanced"), vmx: `numvcpus = "4"` },
    { title: "Low power", host: hostWithPolicy("Low power"), vmx: `numvcpus = "4"` },
  ],
  good: [{ title: "High performance", host: hostWithPolicy("High performance"), vmx: `numvcpus = "4"` }],
});
