export {
  applyBaseline,
  type Baseline,
  type BaselineEntry,
  formatBaseline,
  isWholeJson,
  openBaseline,
  parseBaseline,
  prunedBaseline,
  updatedBaseline,
} from "./baseline.ts";
