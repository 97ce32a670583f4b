export {
  applyBaseline,
  type BaselineEntry,
  type BaselineOptions,
  type BaselineResult,
  formatBaseline,
  hideBaselineFindings,
  isWholeJson,
  leftOf,
  parseBaseline,
  prunedBaseline,
  updatedBaseline,
} from "./baseline.ts";
