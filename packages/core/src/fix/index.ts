export { type Applied, applyFixes, type Chosen, type FixOptions } from "./apply.ts";
export { editBytes } from "./bytes.ts";
export { type Checked, type FixedText, fixText, MOST_PASSES, type Refused } from "./fix-text.ts";
