export { type FileSuppressions, hideSuppressed, isAskedOf, type SuppressionResult, type SuppressOptions, suppress } from "./suppress.ts";
