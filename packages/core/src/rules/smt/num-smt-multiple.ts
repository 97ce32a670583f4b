import { hasVirtualThreads, MOST_THREADS } from "../../limits/hardware.ts";
import { LATENCY_DOC, VMX_MESSAGES } from "../../model/sources.ts";
import { dividesIntoCores } from "../../platforms/esxi/divide.ts";
import { builtinRule, holds, type PageOf, unsafeFix, vcpusOf } from "../define.ts";
import { useVcpus } from "../shape-advice.ts";

export const rule = builtinRule({
  id: "smt/num-smt-multiple",
  severity: "error",
  refused: ["half"],
  on: ["threadsPerCore"],
  reads: ["vcpus", "threadsPerCore", "hardwareVersion"],
  messages: {
    half: (d: { vcpus: number; threadsPerCore: number; nextVcpus: number }) =>
      `${d.vcpus} vCPU${d.vcpus === 1 ? " does" : "s do"} not fill cores of ${d.threadsPerCore} threads (cpuid.numSMT), so ESXi will not power on the VM. Use ${d.nextVcpus} vCPUs, or set cpuid.numSMT to 1.`,
  },
  applies: ({ threadsPerCore }) => holds(threadsPerCore, (threads = 1) => threads > 1),
  *check({ vm, host }) {
    const vcpus = vcpusOf(vm);
    const threadsPerCore = vm.threadsPerCore?.value ?? 1;
    if (!vm.threadsPerCore || dividesIntoCores(vcpus, threadsPerCore)) return;
    // num-smt-host reports too many threads and older virtual hardware. No source shows that older hosts read the option.
    const maxThreads = Math.min(host?.threadsPerCore ?? MOST_THREADS, MOST_THREADS);
    if (threadsPerCore > maxThreads || !hasVirtualThreads(host?.esxi, vm.hardwareVersion?.value)) return;
    const nextVcpus = Math.ceil(vcpus / threadsPerCore) * threadsPerCore;
    yield {
      messageId: "half",
      data: { vcpus, threadsPerCore, nextVcpus },
      at: vm.threadsPerCore.range,
      ...(vm.vcpus && { related: [{ message: `${vcpus} vCPUs are set here`, range: vm.vcpus.range }] }),
      fixes: [useVcpus(nextVcpus), unsafeFix("Use one thread per core", { threadsPerCore: 1 })],
    };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "vCPUs do not fill whole virtual cores",
  why: "With virtual hyper-threading each pair of vCPUs is one core with two threads. The program that runs the VM refuses a count that leaves half a core.",
  whenNot: "Never: use an even number of vCPUs, or one thread per core.",
  evidence: {
    figure: "Not powered on because the vCPUs are not a multiple of cpuid.numSMT: a message of vmware-vmx",
    source: VMX_MESSAGES,
  },
  sources: [LATENCY_DOC],
  bad: [{ title: "5 vCPUs, 2 threads per core", vmx: `virtualHW.version = "20"\nnumvcpus = "5"\ncpuid.numSMT = "2"` }],
  good: [
    { title: "6 vCPUs, 2 threads per core", vmx: `virtualHW.version = "20"\nnumvcpus = "6"\ncpuid.numSMT = "2"` },
    { title: "1 thread per core", vmx: `virtualHW.version = "20"\nnumvcpus = "5"\ncpuid.numSMT = "1"` },
  ],
});
