import { MEMORY_STEP_MIB } from "../limits/hardware.ts";
import { sqlLimits } from "../limits/sql-server.ts";
import { plural } from "../model/words.ts";
import type { Workload } from "../model/workload.ts";
import { type CompleteSizeRequest, type SizeRequest, workloadName } from "./request.ts";
import type { Shape } from "./shape.ts";

export const NOTES = ["licence-unchecked", "memory-rounded"] as const;

/** A note about the whole answer rather than a candidate. */
export interface Note {
  readonly kind: (typeof NOTES)[number];
  /** One sentence, or two. */
  readonly text: string;
}

/** Returns notes about parts of a request that are missing or impossible. */
export function notesOf({ memoryMiB }: SizeRequest, full: CompleteSizeRequest, shapes: readonly Shape[]): Note[] {
  const notes: Note[] = [];
  if (full.workload && shapes.some(isOpen)) notes.push({ kind: "licence-unchecked", text: openLicence(full.workload) });
  if (memoryMiB !== full.memoryMiB) {
    const text = `Memory comes in steps of ${MEMORY_STEP_MIB} MiB: ${full.memoryMiB} MiB instead of ${memoryMiB}.`;
    notes.push({ kind: "memory-rounded", text });
  }
  return notes;
}

/** Whether the usable vCPUs depend on undeclared facts. */
const isOpen = ({ placements }: Shape): boolean => placements.some(({ topology }) => topology?.usableVcpus === null);

function openLicence(workload: Workload): string {
  const name = workloadName(workload);
  const limits = sqlLimits(workload);
  if (workload.edition && limits.length === 0) return `vmlint knows no licence limit of ${name}, so none was checked.`;
  const cores = limits.flatMap((limit) => limit.cores ?? []);
  const upTo = cores.length > 0 ? `, and may cover no more than ${plural(Math.min(...cores), "vCPU")}` : "";
  return `The licence of ${name} was not checked${upTo}. State ${missing(workload)}.`;
}

/** Returns the fact of the workload that decides the limit. */
function missing({ edition, version }: Workload): string {
  if (edition === undefined) return "its edition";
  if (edition === "developer" && version) return "edition=standard if it is Standard Developer";
  return edition === "enterprise" ? "its licensing" : "its version";
}
