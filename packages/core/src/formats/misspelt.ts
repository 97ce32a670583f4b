import { closestMatch } from "leven";
import { onceEach } from "../model/memoize.ts";

/**
 * The keys of three families in VMware's spelling: from the vSphere Resource Management guides (Virtual NUMA Controls, Advanced Virtual
 * NUMA Attributes), from vm-operator's `vmx` tags, and from published files. `vmx/key-docs.ts` describes each key, in a larger table that
 * only editors load.
 */
export const TUNING_KEYS = [
  ..."cpuid.coresPerSocket cpuid.coresPerSocket.cookie cpuid.coresPerSocket.auto cpuid.coresPerSocket.mixedSize cpuid.numSMT cpuid.maxVCPUs".split(
    " ",
  ),
  ..."numa.vcpu.min numa.vcpu.maxPerVirtualNode numa.vcpu.maxPerMachineNode numa.vcpu.maxPerClient numa.vcpu.preferHT".split(" "),
  ..."numa.vcpu.coresPerNode numa.vcpu.followcorespersocket numa.allowHotadd numa.autosize numa.autosize.once".split(" "),
  ..."numa.autosize.vcpu.maxPerVirtualNode numa.autosize.cookie numa.nodeAffinity numa.mem.interleave numa.consolidate".split(" "),
  ..."numa.memory.gransize sched.cpu.affinity sched.cpu.affinity.exclusive sched.cpu.affinity.exclusiveNoStats".split(" "),
  ..."sched.cpu.htsharing sched.cpu.latencySensitivity sched.cpu.latencySensitivity.sysContexts sched.cpu.units sched.cpu.vsmpConsolidate".split(
    " ",
  ),
  ..."sched.cpu.min sched.cpu.max sched.cpu.shares sched.mem.min sched.mem.minsize sched.mem.max sched.mem.shares".split(" "),
  ..."sched.mem.pin sched.mem.prealloc sched.mem.prealloc.pinnedMainMem sched.mem.maxmemctl sched.mem.pshare.enable".split(" "),
  ..."sched.mem.lpage.enable1GPage sched.mem.enableTiering sched.mem.affinity sched.swap.vmxSwapEnabled sched.swap.derivedName".split(" "),
] as const;

/** The prefixes of these families, in lower case. */
export const TUNING_FAMILIES = ["numa.", "sched.", "cpuid."] as const;

/** Names with a number: of a vCPU, a disk, or a leaf of a CPUID mask. */
const NUMBERED = /^(?:sched\.(?:vcpu|scsi|sata|nvme|ide)\d|cpuid\.[\da-f]+[.:])/;

const SLIP = { maxDistance: 2 };

let keysByLowerCase: ReadonlyMap<string, string> | undefined;

/**
 * Returns the key that a lower-case key of these families probably means, because VMware silently ignores unknown keys. `undefined` for a
 * known key, and for a key unlike any in the list, because the list is incomplete.
 */
export const misspelt = onceEach((key): string | undefined => {
  keysByLowerCase ??= new Map(TUNING_KEYS.map((name) => [name.toLowerCase(), name]));
  if (keysByLowerCase.has(key) || NUMBERED.test(key)) return undefined;
  const nearest = closestMatch(key, [...keysByLowerCase.keys()], SLIP);
  return nearest && keysByLowerCase.get(nearest);
});
