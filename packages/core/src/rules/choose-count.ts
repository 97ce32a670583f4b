import { plural } from "../model/words.ts";

/** The advice where no shape of a count goes into a host's nodes. */
export const chooseCount = (physicalNodes: number, capacity: number): string =>
  physicalNodes === 1
    ? `Use at most ${plural(capacity, "vCPU")}.`
    : `Choose an even vCPU count that divides into at most ${physicalNodes} nodes of at most ${capacity}.`;
