import type { FileResult } from "@vmlint/core";

/** Whether there are VMs of a declared machine. */
export const shareMachine = (files: readonly FileResult[]): boolean =>
  files.some((file) => file.hostedVms.some(({ target }) => target.machine !== undefined));

/** The note for a run with unchecked files, which may hold further VMs of the same host. */
export const CROSS_VM_SKIPPED = "vmlint: cross-VM checks skipped: only part of the files were checked.\n";
