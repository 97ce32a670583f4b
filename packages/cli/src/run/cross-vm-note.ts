import type { FileResult } from "@vmlint/core";
import { meetsOthers } from "@vmlint/core/program";

/** Whether there are VMs that a rule compares with others. */
export const shareMachine = (files: readonly FileResult[]): boolean => files.some((file) => file.hostedVms.some(meetsOthers));

/** The note for a run with unchecked files, which may hold further VMs of the same host. */
export const CROSS_VM_SKIPPED = "vmlint: cross-VM checks skipped: only part of the files were checked.\n";
