export {
  applyBaseline,
  type BaselineOptions,
  formatBaseline,
  type Hidden,
  hideKnown,
  type Known,
  leftOf,
  parseBaseline,
  prunedBaseline,
  updatedBaseline,
} from "./baseline.ts";
