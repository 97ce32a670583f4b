import { type Cell, cellReference } from "../model/cell.ts";
import type { Diagnostic } from "../model/diagnostic.ts";

/** Returns the VMs of a finding; an empty list for a finding about a file. */
export const vmsOf = ({ vm, vms }: Diagnostic): readonly string[] => vms ?? (vm ? [vm] : []);

/** The most VMs in a message; the JSON report has all. */
const VMS_SHOWN = 4;

/** Returns the VMs of a finding in words. */
export function vmNames(diagnostic: Diagnostic): string {
  const vms = vmsOf(diagnostic);
  return vms.length > VMS_SHOWN ? `${vms.slice(0, VMS_SHOWN).join(", ")} and ${vms.length - VMS_SHOWN} more` : vms.join(", ");
}

/** Returns `estate.xlsx vInfo!J9`, or the same of a file with one sheet. */
export const cellWords = (ownPath: string, { path = ownPath, ...cell }: Cell): string => `${path} ${cellReference(cell)}`;

/** Returns the title and the content of a cell. */
export const cellText = ({ title, value }: Cell): string => `${title} = ${value}`;
