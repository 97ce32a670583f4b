import type { View } from "./define.ts";

type Settings = "cpuHotAdd" | "exposeVnumaOnHotAdd";

/** Whether CPU hot add hides the NUMA nodes of a VM from its guest, which then sees one, whatever is open about where the VM lies. */
export const hidesNodes = ({ cpuHotAdd, exposeVnumaOnHotAdd }: Pick<View<Settings>, Settings>): boolean =>
  cpuHotAdd?.value === true && !exposeVnumaOnHotAdd?.value;
