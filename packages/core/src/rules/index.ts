import { rules as alone } from "./alone.ts";
import type { Rule } from "./define.ts";
import { rules as aboutSuppressions } from "./suppressions.ts";
import { rules as together } from "./together.ts";

/** Every rule, by id. */
export const rules: readonly Rule[] = [...alone, ...together, ...aboutSuppressions].sort((a, b) => (a.id < b.id ? -1 : 1));

const familyOf = (id: string): string => id.slice(0, id.indexOf("/"));

const FAMILIES = new Set(rules.map(({ id }) => familyOf(id)));

/** Whether a rule of this name would be one of ours, by what stands before the slash. */
export const isOurs = (id: string): boolean => !id.includes("/") || FAMILIES.has(familyOf(id));
