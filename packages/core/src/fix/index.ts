export { type Applied, applyFixes, type Chosen, type FixOptions } from "./apply.ts";
export { type Asking, answered, answeredBy } from "./asking.ts";
export { editBytes } from "./bytes.ts";
export { type FixedText, fixing, fixText, MOST_PASSES } from "./fix-text.ts";
export type { Checked, Refused } from "./harm.ts";
