import { FIRST_HARDWARE, MOST_THREADS, mayRun } from "../../limits/hardware.ts";
import { CONFIG_OPTION_9, VHT_DOC, VMX_MESSAGES } from "../../model/sources.ts";
import { plural } from "../../model/words.ts";
import { dividesIntoCores } from "../../platforms/esxi/divide.ts";
import { builtinRule, holds, type PageOf, unsafeFix } from "../define.ts";

const isOlder = (hardwareVersion: number): boolean => hardwareVersion < FIRST_HARDWARE.hyperthreading;

export const rule = builtinRule({
  id: "smt/num-smt-host",
  severity: "error",
  refused: ["most", "hardware", "host"],
  on: ["threadsPerCore"],
  reads: ["threadsPerCore", "hardwareVersion"],
  messages: {
    /** `odd`: the vCPUs if they are known not to fill whole cores, which smt/num-smt-multiple would report. */
    most: (d: { threadsPerCore: number; most: number; odd: number | null; fits: number }) =>
      `cpuid.numSMT asks for ${d.threadsPerCore} threads per core; a virtual core has at most ${d.most}${d.odd === null ? "" : `, which ${plural(d.odd, "vCPU")} would not fill`}. Set it to ${d.fits}.`,
    hardware: (d: { threadsPerCore: number; hardwareVersion: number; needs: number; upgrade: boolean }) =>
      `cpuid.numSMT asks for ${d.threadsPerCore} threads per core, which takes hardware version ${d.needs}; this VM has ${d.hardwareVersion}. Set it to 1${d.upgrade ? ", or upgrade the virtual hardware" : ""}.`,
    host: (d: { threadsPerCore: number; hostThreads: number }) =>
      `cpuid.numSMT asks for ${d.threadsPerCore} threads per core, and this host's cores have ${plural(d.hostThreads, "thread")}. Set it to ${d.hostThreads}${d.threadsPerCore > MOST_THREADS ? "" : ", or turn hyper-threading on"}.`,
  },
  applies: ({ threadsPerCore, hardwareVersion }) => {
    // An unknown value probably suits the old hardware, which cannot use the option.
    if (threadsPerCore.state === "unknown" && holds(hardwareVersion, (version = FIRST_HARDWARE.hyperthreading) => isOlder(version)))
      return false;
    return holds(threadsPerCore, (threads = 1) => threads > 1);
  },
  *check({ vm, host, ifKnown }) {
    if (!vm.threadsPerCore) return;
    const threadsPerCore = vm.threadsPerCore.value;
    const at = vm.threadsPerCore.range;
    const use = (value: number) => [unsafeFix(`Set cpuid.numSMT to ${value}`, { threadsPerCore: value })];
    const needs = FIRST_HARDWARE.hyperthreading;
    const hardwareVersion = vm.hardwareVersion?.value;
    if (hardwareVersion !== undefined && isOlder(hardwareVersion)) {
      yield {
        messageId: "hardware",
        data: { threadsPerCore, hardwareVersion, needs, upgrade: mayRun(host?.esxi, needs) },
        at,
        fixes: use(1),
      };
    } else if (host && host.threadsPerCore < Math.min(threadsPerCore, MOST_THREADS)) {
      yield { messageId: "host", data: { threadsPerCore, hostThreads: host.threadsPerCore }, at, fixes: use(host.threadsPerCore) };
    } else if (threadsPerCore > MOST_THREADS) {
      // An unknown count is assumed to fill whole cores.
      const vcpus = ifKnown("vcpus") ?? MOST_THREADS;
      const odd = dividesIntoCores(vcpus, MOST_THREADS) ? null : vcpus;
      const fits = odd === null ? MOST_THREADS : 1;
      yield { messageId: "most", data: { threadsPerCore, most: MOST_THREADS, odd, fits }, at, fixes: use(fits) };
    }
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "Hardware version or host has no virtual hyper-threading",
  why: "The virtual threads of a core run on the physical threads of one core. It takes hardware version 20, a host with hyper-threading on, and at most two threads.",
  whenNot: "When the VM runs on another host than the one it is checked against: name that host.",
  evidence: {
    figure: 'At most two threads; not for older hardware versions (vmware-vmx: cpuid.numSMT "does not match the host")',
    source: VHT_DOC,
  },
  sources: [CONFIG_OPTION_9, VMX_MESSAGES],
  shared: { vmx: `virtualHW.version = "20"` },
  bad: [
    { title: "4 threads per core", host: "2x24x2@8.0", vmx: `numvcpus = "8"\ncpuid.numSMT = "4"`, expect: "most" },
    { title: "Hardware version 19", vmx: `virtualHW.version = "19"\nnumvcpus = "8"\ncpuid.numSMT = "2"`, expect: "hardware" },
    { title: "Hyper-threading is off", host: "2x24x1@8.0", vmx: `numvcpus = "8"\ncpuid.numSMT = "2"`, expect: "host" },
  ],
  good: [
    { title: "2 threads per core", host: "2x24x2@8.0", vmx: `numvcpus = "8"\ncpuid.numSMT = "2"` },
    { title: "1 thread per core", host: "2x24x1@8.0", vmx: `virtualHW.version = "19"\nnumvcpus = "8"\ncpuid.numSMT = "1"` },
  ],
});
