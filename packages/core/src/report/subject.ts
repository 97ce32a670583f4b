import type { Diagnostic } from "../model/diagnostic.ts";

/** The VMs a finding is about; none where it is about a file. */
export const vmsOf = ({ vm, vms }: Diagnostic): readonly string[] => vms ?? (vm ? [vm] : []);

/** Most VMs a finding names; the JSON report has them all. */
const VMS_SHOWN = 4;

/** The VMs a finding is about, in words. */
export function vmNames(diagnostic: Diagnostic): string {
  const vms = vmsOf(diagnostic);
  return vms.length > VMS_SHOWN ? `${vms.slice(0, VMS_SHOWN).join(", ")} and ${vms.length - VMS_SHOWN} more` : vms.join(", ");
}
