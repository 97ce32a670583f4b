export {
  applyBaseline,
  type Baseline,
  type BaselineEntry,
  type BaselineOptions,
  type BaselineResult,
  formatBaseline,
  isWholeJson,
  openBaseline,
  parseBaseline,
  prunedBaseline,
  updatedBaseline,
} from "./baseline.ts";
