export {
  canReportUnused as isAskedOf,
  type FileSuppressions,
  hideSuppressed,
  suppress,
} from "./suppress.ts";
