export {
  applyBaseline,
  type BaselineOptions,
  formatBaseline,
  type Hidden,
  hideKnown,
  isWholeJson,
  type Known,
  leftOf,
  parseBaseline,
  prunedBaseline,
  updatedBaseline,
} from "./baseline.ts";
