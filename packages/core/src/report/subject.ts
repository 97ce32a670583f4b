import { type Cell, cellReference } from "../model/cell.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { plural } from "../model/words.ts";

/** Returns the VMs of a finding; an empty list for a finding about a file. */
export const vmsOf = ({ vm, vms }: Diagnostic): readonly string[] => vms ?? (vm ? [vm] : []);

/** Returns what a finding is about: a host, a cluster or a VM; null for a file. */
export const subjectOf = ({
  subject,
  vm,
}: Pick<Diagnostic, "subject" | "vm">): { readonly kind: "vm" | "host" | "cluster"; readonly name: string } | null =>
  subject ?? (vm === null ? null : { kind: "vm", name: vm });

/** Returns a key for each VM of a finding: one VM is one key, whichever files its findings are in. An export may repeat a name on other hosts. */
export const vmKeys = (path: string, diagnostic: Diagnostic): readonly string[] => {
  const { vmPath = path, cell, host, cluster } = diagnostic;
  return vmsOf(diagnostic).map((vm) => vmKey([vmPath, vm, ...(cell ? [host, cluster] : [])]));
};

/** `parts`: the file, the VM, and for a VM of a table its host and cluster. */
export const vmKey = (parts: readonly (string | null | undefined)[]): string => parts.join("\n");

/** Returns the VM and the host of a finding in words; for a finding about a host, the number of its VMs. */
export function aboutWords(diagnostic: Diagnostic): string {
  const { subject, host } = diagnostic;
  const about = subject?.kind === "host" && diagnostic.vm === null ? plural(vmsOf(diagnostic).length, "VM") : vmNames(diagnostic);
  const where = host && `host ${host}`;
  return (subject?.kind === "host" ? [where, about] : [about, where]).filter(Boolean).join(", ");
}

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
