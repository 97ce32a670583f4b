import { VROOM_DOCKER } from "../../model/sources.ts";
import { builtinRule, holds, type PageOf } from "../define.ts";

export const rule = builtinRule({
  id: "net/sriov-suggest",
  severity: "hint",
  on: ["latencySensitivity"],
  needs: ["workload"],
  about: "latency",
  reads: ["latencySensitivity"],
  messages: {
    stack: (d: { nics: readonly string[] }) =>
      `${d.nics.join(", ")} go${d.nics.length === 1 ? "es" : ""} through the virtual switch, which cost 15 µs a round trip. Use SR-IOV or a passthrough card if that matters.`,
  },
  applies: ({ latencySensitivity }, _, workload) =>
    workload?.kind === "latency" ? holds(latencySensitivity, (level) => level === "high") : false,
  *check({ vm }) {
    const { nics, passthrough } = vm.devices();
    const [first] = nics;
    // Some formats do not list such devices.
    if (!first || passthrough === undefined || passthrough.length > 0) return;
    const types = nics.map(({ type }) => (type.state === "known" ? type.value : undefined));
    if (types.some((type) => type !== "vmxnet3") || first.type.state !== "known") return;
    yield { messageId: "stack", data: { nics: nics.map(({ index }) => `ethernet${index}`) }, at: first.type.range };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "Latency-critical VM uses the virtual switch instead of SR-IOV",
  why: "Latency sensitivity High removes most of the hypervisor's share of the response time. The network stack remains; SR-IOV or a passthrough card bypasses it.",
  whenNot: "When 15 µs do not matter, or the VM must move with vMotion, be suspended or have snapshots, which such a device can prevent.",
  evidence: {
    figure:
      "VMXNET3 with High: 15 µs slower than without virtualization; passthrough: about as fast as without (netperf TCP_RR, VM of 2 vCPUs, 10 Gbit/s)",
    source: VROOM_DOCKER,
  },
  shared: { workload: "latency" },
  bad: [
    {
      title: "High with VMXNET3 alone",
      vmx: `sched.cpu.latencySensitivity = "high"\nethernet0.present = "TRUE"\nethernet0.virtualDev = "vmxnet3"`,
    },
  ],
  good: [
    {
      title: "With a passthrough device",
      vmx: `sched.cpu.latencySensitivity = "high"\nethernet0.present = "TRUE"\nethernet0.virtualDev = "vmxnet3"\npciPassthru0.present = "TRUE"`,
    },
    { title: "Normal", vmx: `ethernet0.present = "TRUE"\nethernet0.virtualDev = "vmxnet3"` },
    {
      title: "SR-IOV",
      yaml: `apiVersion: vmlint.dev/v1\nkind: VirtualMachine\nspec:\n  latencySensitivity: high\n  nics:\n    - { type: sriov }\n`,
    },
  ],
});
