export {
  canReportUnused as isAskedOf,
  type FileSuppressions,
  hideSuppressed,
  type SuppressionResult,
  type SuppressOptions,
  suppress,
} from "./suppress.ts";
