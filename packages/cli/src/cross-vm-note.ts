import type { FileResult } from "@vmlint/core";

/** Whether there are VMs of a declared machine. */
export const shareMachine = (files: readonly FileResult[]): boolean =>
  files.some((file) => file.placed.some(({ target }) => target.machine !== undefined));

/** What is said of them where the other VMs of a machine may be in files that nobody looks at. */
export const CROSS_VM_SKIPPED = "vmlint: cross-VM checks skipped: only part of the files were checked.\n";
