import type { FunctionTable } from "../../syntax/hcl/functions/define-function.ts";
import { FUNCTIONS } from "../../syntax/hcl/functions/function-table.ts";

/** The functions that Packer takes from the same library as Terraform (packer, hcl2template/functions.go), with the same meaning. */
const SHARED = new Set(
  (
    "abs alltrue anytrue ceil chomp compact concat contains distinct flatten floor format formatlist indent join jsondecode jsonencode keys " +
    "length log lookup lower max merge min parseint pow range regex regexall replace reverse setintersection setproduct setunion signum " +
    "slice sort split startswith endswith strcontains strrev substr sum title trim trimprefix trimspace trimsuffix upper values zipmap"
  ).split(" "),
);

export const PACKER_FUNCTIONS: FunctionTable = new Map([...FUNCTIONS].filter(([name]) => SHARED.has(name)));
