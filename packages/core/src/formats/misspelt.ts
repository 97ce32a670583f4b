import { closestMatch } from "leven";
import { onceEach } from "../model/memoize.ts";

/**
 * The keys of three families, as VMware spells them: those of the vSphere Resource Management guides (Virtual NUMA Controls,
 * Advanced Virtual NUMA Attributes), of vm-operator's `vmx` tags, and those seen in published files. `vmx/key-docs.ts` says what each
 * does, in a table that is larger and that only editors load.
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
  ..."sched.mem.lpage.enable1GPage sched.mem.affinity sched.swap.vmxSwapEnabled sched.swap.derivedName".split(" "),
] as const;

/** What the keys of those families begin with, in lower case. */
export const TUNING_FAMILIES = ["numa.", "sched.", "cpuid."] as const;

/** Names that carry a number: of a vCPU, a disk, or the leaf of a CPUID mask. */
const NUMBERED = /^(?:sched\.(?:vcpu|scsi|sata|nvme|ide)\d|cpuid\.[\da-f]+[.:])/;

const SLIP = { maxDistance: 2 };

let known: ReadonlyMap<string, string> | undefined;

/**
 * The key that one of those families, in lower case, is a slip of: VMware passes over a key it does not know in silence.
 * `undefined` for a key that is known, and for one that is like no other: there are keys that no list has.
 */
export const misspelt = onceEach((key): string | undefined => {
  known ??= new Map(TUNING_KEYS.map((name) => [name.toLowerCase(), name]));
  if (known.has(key) || NUMBERED.test(key)) return undefined;
  const near = closestMatch(key, [...known.keys()], SLIP);
  return near && known.get(near);
});
