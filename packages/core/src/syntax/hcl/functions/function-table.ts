import { collectionFunctions } from "./collections.ts";
import { conversionFunctions } from "./conversion.ts";
import { csvFunctions } from "./csv-functions.ts";
import type { FunctionTable } from "./define-function.ts";
import { formatFunctions } from "./format-functions.ts";
import { jsonFunctions } from "./json-functions.ts";
import { networkFunctions } from "./network.ts";
import { numberFunctions } from "./number-functions.ts";
import { patternFunctions } from "./pattern.ts";
import { textFunctions } from "./text-functions.ts";

/** The functions that vmlint evaluates. Others (`file`, `timestamp`, `md5`, ...) are unknown unless the caller adds them. */
export const FUNCTIONS: FunctionTable = new Map([
  ...collectionFunctions,
  ...conversionFunctions,
  ...csvFunctions,
  ...formatFunctions,
  ...jsonFunctions,
  ...networkFunctions,
  ...numberFunctions,
  ...patternFunctions,
  ...textFunctions,
]);
