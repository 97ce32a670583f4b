export { type Applied, applyFixes, type Chosen, type FixOptions } from "./apply.ts";
export { editBytes } from "./bytes.ts";
export { type FixedText, fixText, MOST_PASSES } from "./fix-text.ts";
export type { Checked, Refused } from "./harm.ts";
