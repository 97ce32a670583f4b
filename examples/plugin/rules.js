import { defineRule } from "@vmlint/core";

/** What the servers of the house have for each of their threads. */
const MOST_GIB_PER_VCPU = 16;

export const rules = [
  defineRule({
    id: "acme/memory-heavy",
    since: "1.0.0",
    severity: "warning",
    docsUrl: "https://wiki.acme.example/vm-shapes",
    summary: "more memory for each vCPU than the servers of the house have",
    why: "A host runs out of memory while most of its cores are idle.",
    whenNot: "For in-memory databases, which have hosts of their own.",
    sources: [],
    reads: ["vcpus", "memoryMiB"],
    messages: {
      /** @param {{ vcpus: number, gib: number, most: number, fits: number }} d */
      heavy: (d) => `${d.gib} GiB for ${d.vcpus} vCPUs is ${d.gib / d.vcpus} for each, and the hosts have ${d.most}: ${d.fits} vCPUs fit.`,
    },
    bad: [{ title: "2 vCPUs with 64 GiB", vmx: 'numvcpus = "2"\nmemSize = "65536"', expect: "heavy" }],
    good: [{ title: "4 vCPUs with 64 GiB", vmx: 'numvcpus = "4"\nmemSize = "65536"' }],
    *check({ vm }) {
      if (!vm.vcpus || !vm.memoryMiB) return;
      const vcpus = vm.vcpus.value;
      const gib = vm.memoryMiB.value / 1024;
      if (gib <= vcpus * MOST_GIB_PER_VCPU) return;
      const fits = Math.ceil(gib / MOST_GIB_PER_VCPU);
      yield {
        messageId: "heavy",
        data: { vcpus, gib, most: MOST_GIB_PER_VCPU, fits },
        at: vm.memoryMiB.range,
        fixes: [{ title: `Give it ${fits} vCPUs`, safety: "unsafe", changes: [{ setting: "vcpus", value: fits }] }],
      };
    },
  }),
];
