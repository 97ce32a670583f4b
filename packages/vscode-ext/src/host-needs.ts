import type { Skip } from "@vmlint/core";

/** Returns how many rules need a host that is not known. */
export const hostNeeds = (skipped: readonly Skip[]): number =>
  new Set(skipped.filter(({ reason }) => reason === "no-host").map(({ ruleId }) => ruleId)).size;
