export { type SelectedFix, selectFixes } from "./apply.ts";
export { editBytes } from "./bytes.ts";
export { fixFiles, MOST_PASSES } from "./fix-files.ts";
export { fixText } from "./fix-text.ts";
export type { RejectedFix } from "./regressions.ts";
