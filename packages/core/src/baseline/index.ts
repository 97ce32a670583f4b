export {
  applyBaseline,
  type BaselineOptions,
  countsOf,
  formatBaseline,
  type Hidden,
  hideKnown,
  type Known,
  parseBaseline,
  prunedBaseline,
  updatedBaseline,
} from "./baseline.ts";
