import { collectionFunctions } from "./collections.ts";
import { conversionFunctions } from "./conversion.ts";
import { csvFunctions } from "./csv.ts";
import type { FunctionTable } from "./define.ts";
import { formatFunctions } from "./format.ts";
import { jsonFunctions } from "./json.ts";
import { networkFunctions } from "./network.ts";
import { numberFunctions } from "./numbers.ts";
import { patternFunctions } from "./pattern.ts";
import { textFunctions } from "./text.ts";

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
