import type { PowerPolicy } from "../../model/host.ts";
import { POWER_POLICY_70 } from "../../model/sources.ts";
import { isLatencyCritical } from "../../model/workload.ts";
import { builtinRule, type PageOf } from "../define.ts";
import { hostWithPolicy } from "../example-host.ts";

export const rule = builtinRule({
  id: "latency/power-policy",
  severity: "info",
  presets: ["latency", "recommended"],
  needs: ["host"],
  about: "latency",
  messages: {
    saves: (d: { policy: PowerPolicy; host: string }) =>
      `The power policy of ${d.host} is ${d.policy}, which adds latency to this VM. Set the host to High performance.`,
  },
  applies: (_settings, _vm, workload) => isLatencyCritical(workload),
  *check({ vm, host: { name, powerPolicy } }) {
    if (powerPolicy === undefined || powerPolicy === "High performance") return;
    yield { messageId: "saves", data: { policy: powerPolicy, host: name }, at: vm.range };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "Power policy of the host adds latency",
  why: "With Balanced and Low power, a core sleeps deeper and changes its clock. Waking it takes microseconds, which ordinary workloads do not notice. High performance keeps cores awake for latency-sensitive applications, and uses more power.",
  whenNot: "When the firmware controls power and ESXi's policy has no effect.",
  evidence: {
    figure: "High Performance is preferred for latency-sensitive applications, Balanced for all others",
    source: POWER_POLICY_70,
  },
  bad: [
    { title: "Balanced", host: hostWithPolicy("Balanced"), workload: "latency", vmx: `numvcpus = "4"` },
    { title: "Low power", host: hostWithPolicy("Low power"), workload: "latency", vmx: `numvcpus = "4"` },
  ],
  good: [
    { title: "High performance", host: hostWithPolicy("High performance"), workload: "latency", vmx: `numvcpus = "4"` },
    { title: "An ordinary VM", host: hostWithPolicy("Balanced"), vmx: `numvcpus = "4"` },
  ],
});
