import * as z from "zod/mini";
import {
  DISK_PATTERN,
  EDITIONS,
  ENVIRONMENTS,
  PROFILES,
  SQL_LICENSING,
  VERSIONS,
  WORKLOAD_KINDS,
  type Workload,
} from "../model/workload.ts";

const natural = z.number().check(z.int(), z.nonnegative());
const disks = z.array(z.string().check(z.regex(DISK_PATTERN)));

/** The valid values of each fact of a workload, for readers and reports. */
export const workloadShape = {
  kind: z.enum(WORKLOAD_KINDS),
  edition: z.optional(z.enum(EDITIONS)),
  version: z.optional(z.enum(VERSIONS)),
  licensing: z.optional(z.enum(SQL_LICENSING)),
  update: z.optional(natural),
  maxdop: z.optional(natural),
  costThreshold: z.optional(natural),
  concurrency: z.optional(z.number().check(z.int(), z.positive())),
  profile: z.optional(z.enum(PROFILES)),
  environment: z.optional(z.enum(ENVIRONMENTS)),
  data: z.optional(disks),
  log: z.optional(disks),
  faultTolerance: z.optional(z.boolean()),
} satisfies Record<keyof Workload, z.ZodMiniType>;
