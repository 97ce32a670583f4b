import { KB_326328 } from "../../model/sources.ts";
import { builtinRule, holds, type PageOf, unsafeFix, vcpusOf } from "../define.ts";

export const rule = builtinRule({
  id: "cpu/consolidate-caches",
  severity: "hint",
  on: ["consolidateCaches"],
  reads: ["vcpus", "consolidateCaches"],
  messages: {
    fewest: (d: { vcpus: number }) =>
      `vsmpConsolidate keeps ${d.vcpus} vCPUs on as few last-level caches as possible. Set it to FALSE unless a measurement of this VM shows a gain.`,
  },
  applies: ({ consolidateCaches }) => holds(consolidateCaches, (on) => on === true),
  *check({ vm }) {
    const vcpus = vcpusOf(vm);
    if (!vm.consolidateCaches || vcpus < 2) return;
    yield {
      messageId: "fewest",
      data: { vcpus },
      at: vm.consolidateCaches.range,
      fixes: [unsafeFix("Spread the vCPUs", { consolidateCaches: false })],
    };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "The vCPUs are kept on the fewest caches",
  why: "ESXi spreads the vCPUs of a VM over as many last-level caches as it can, which gives the VM more cache and more memory bandwidth. The option keeps them on as few as possible.",
  whenNot: "When the threads of the guest share much data, and a measurement shows a gain.",
  evidence: {
    figure: "The default gives the VM as much last-level cache and memory bandwidth as possible (documented, not measured)",
    source: KB_326328,
    against: "The option puts vCPUs that share data on one cache.",
  },
  bad: [{ title: "On for 8 vCPUs", vmx: `numvcpus = "8"\nsched.cpu.vsmpConsolidate = "TRUE"` }],
  good: [
    { title: "Off", vmx: `numvcpus = "8"\nsched.cpu.vsmpConsolidate = "FALSE"` },
    { title: "One vCPU", vmx: `numvcpus = "1"\nsched.cpu.vsmpConsolidate = "TRUE"` },
  ],
});
