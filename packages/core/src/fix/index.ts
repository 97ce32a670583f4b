export { applyFixes, type SelectedFix } from "./apply.ts";
export { editBytes } from "./bytes.ts";
export { type FixSteps, mapAnswers, runSteps } from "./fix-steps.ts";
export { type FixedText, fixing, fixText, MOST_PASSES } from "./fix-text.ts";
export type { RejectedFix } from "./regressions.ts";
