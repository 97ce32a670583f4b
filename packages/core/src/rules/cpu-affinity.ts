import type { Settings } from "../model/spec.ts";
import { holds, type ProposedFix, unsafeFix } from "./define.ts";

/** Whether a list restricts the logical CPUs of a VM. */
export const isPinned = ({ cpuAffinity }: Pick<Settings, "cpuAffinity">): boolean | undefined =>
  holds(cpuAffinity, (pcpus) => pcpus !== undefined && pcpus !== "all");

export const removeAffinity: ProposedFix = unsafeFix("Remove the affinity", { cpuAffinity: "all" });

/** Returns the fix that pins a VM to better logical CPUs, if there are some, and the fix that removes the affinity. */
export const pinningFixes = (instead: readonly number[] | null, title = "Pin to "): readonly ProposedFix[] =>
  instead ? [unsafeFix(`${title}${instead.join(",")}`, { cpuAffinity: instead }), removeAffinity] : [removeAffinity];
