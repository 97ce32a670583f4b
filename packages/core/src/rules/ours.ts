import { ids } from "./ids.ts";

const familyOf = (id: string): string => id.slice(0, id.indexOf("/"));

const FAMILIES = new Set(ids.map(familyOf));

/** Whether a rule of this name would be one of ours, by what stands before the slash. */
export const isOurs = (id: string): boolean => !id.includes("/") || FAMILIES.has(familyOf(id));
