import { rules as alone } from "./alone.ts";
import type { Rule } from "./define.ts";
import { rules as aboutSuppressions } from "./suppressions.ts";
import { rules as together } from "./together.ts";

/** Every rule, by id. */
export const rules: readonly Rule[] = [...alone, ...together, ...aboutSuppressions].sort((a, b) => (a.id < b.id ? -1 : 1));
