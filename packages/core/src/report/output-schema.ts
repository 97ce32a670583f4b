import * as z from "zod/mini";
import { workloadShape } from "../formats/workload-schema.ts";
import { SEVERITIES } from "../model/diagnostic.ts";
import { PLATFORMS } from "../model/spec.ts";
import { EDITIONS, SQL_LICENSING, VERSIONS } from "../model/workload.ts";
import { PRESETS } from "../rules/preset-names.ts";
import { NOTES } from "../size/notes.ts";
import { TARGETS } from "../size/write.ts";
import { SCHEMA_VERSION } from "./json-report.ts";

const natural = z.number().check(z.int(), z.nonnegative());
const position = z.object({ line: natural, column: natural, offset: natural });
const range = z.object({ start: position, end: position });
const header = { schemaVersion: z.literal(SCHEMA_VERSION), tool: z.object({ name: z.string(), version: z.string() }) };

const cell = z.object({
  path: z.optional(z.string()),
  sheet: z.string(),
  row: natural,
  column: natural,
  title: z.string(),
  value: z.string(),
});
const place = { path: z.string(), range };
const placeOrCell = { ...place, cell: z.optional(cell) };
const fix = z.object({
  title: z.string(),
  safety: z.enum(["safe", "unsafe"]),
  edits: z.array(z.object({ ...place, newText: z.string() })),
});

const findings = z.object({
  ...header,
  unread: z.optional(z.array(z.string())),
  notChecked: z.optional(z.array(z.object({ path: z.string(), reason: z.string(), makesNoVm: z.optional(z.literal(true)) }))),
  pluginsFailed: z.optional(z.literal(true)),
  diagnostics: z.array(
    z.object({
      ...placeOrCell,
      ruleId: z.string(),
      messageId: z.string(),
      severity: z.enum(SEVERITIES),
      message: z.string(),
      vm: z.nullable(z.string()),
      vms: z.optional(z.array(z.string())),
      vmPath: z.optional(z.string()),
      subject: z.nullable(z.object({ kind: z.enum(["vm", "host", "cluster"]), name: z.string() })),
      variants: z.optional(z.array(z.string())),
      host: z.nullable(z.string()),
      cluster: z.optional(z.string()),
      otherHost: z.optional(z.string()),
      assumedOfHost: z.optional(z.array(z.string())),
      data: z.record(z.string(), z.unknown()),
      evidence: z.nullable(z.object({ figure: z.string(), source: z.string(), against: z.nullable(z.string()) })),
      related: z.array(z.object({ ...placeOrCell, message: z.string() })),
      fixes: z.array(fix),
      proposal: z.optional(
        z.object({ title: z.string(), safety: z.enum(["safe", "unsafe"]), changes: z.array(z.record(z.string(), z.unknown())) }),
      ),
      docsUrl: z.string(),
      holds: z.optional(z.literal("in some cases")),
      cases: z.optional(z.array(z.object({ when: z.record(z.string(), z.unknown()), ruleId: z.string(), message: z.string() }))),
    }),
  ),
  skipped: z.array(z.object({ ruleId: z.string(), reason: z.string(), count: natural })),
  suppressed: z.array(
    z.object({
      ...placeOrCell,
      ruleId: z.string(),
      line: natural,
      reason: z.string(),
      by: z.enum(["comment", "config", "baseline"]),
      messageId: z.string(),
      severity: z.enum(SEVERITIES),
      message: z.string(),
      vm: z.nullable(z.string()),
      vms: z.optional(z.array(z.string())),
    }),
  ),
  unknownValues: z.optional(z.array(z.object({ name: z.string(), checks: natural, foundIn: z.array(z.string()) }))),
  summary: z.object({
    files: natural,
    vms: natural,
    vmsWithFindings: natural,
    hostsWithFindings: natural,
    error: natural,
    warning: natural,
    info: natural,
    hint: natural,
  }),
});

/** `null`: not in the file. `{ unknown }`: set, but not computable. */
const setting = <T extends z.ZodMiniType>(value: T) => z.union([value, z.null(), z.object({ unknown: z.string() })]);

const spec = z.object({
  vcpus: setting(natural),
  coresPerSocket: setting(z.union([natural, z.literal("auto")])),
  coresPerNumaNode: setting(natural),
  threadsPerCore: setting(natural),
  memoryMiB: setting(natural),
  hardwareVersion: setting(natural),
  guestOs: setting(z.string()),
  cpuHotAdd: setting(z.boolean()),
  memoryHotAdd: setting(z.boolean()),
  latencySensitivity: setting(z.enum(["low", "normal", "medium", "high"])),
  cpuAffinity: setting(z.array(natural)),
  numaNodeAffinity: setting(z.array(natural)),
  cpuReservationMHz: setting(natural),
  cpuLimitMHz: setting(natural),
  memoryReservationMiB: setting(natural),
  memoryReservationLocked: setting(z.boolean()),
  scsiControllers: z.array(z.object({ bus: natural, type: setting(z.enum(["pvscsi", "lsilogic", "lsisas1068", "buslogic"])) })),
  otherControllers: z.array(z.object({ kind: z.enum(["nvme", "sata", "ide"]), bus: natural })),
  disks: z.array(z.object({ bus: z.string() })),
  nics: z.array(z.object({ index: natural, type: setting(z.string()) })),
  advanced: z.record(z.string(), setting(z.string())),
});

const certainty = z.enum(["documented", "derived", "possible", "unknown"]);

const topology = z.object({
  esxi: z.string(),
  vcpus: natural,
  sockets: z.number(),
  coresPerSocket: natural,
  threadsPerCore: natural,
  vnumaNodes: z.array(natural),
  numaClients: z.array(natural),
  nodeCapacity: natural,
  numaManaged: z.boolean(),
  nodeAffinity: z.nullable(z.array(natural)),
  pinning: z.nullable(
    z.object({ pcpus: natural, cores: natural, siblingPairs: natural, perNode: z.array(natural), outOfRange: z.array(natural) }),
  ),
  usableVcpus: z.nullable(natural),
  guestUsableVcpus: natural,
  certainty,
  certainties: z.object({ sockets: certainty, vnumaNodes: certainty, numaClients: certainty, placement: certainty }),
  reasons: z.array(z.string()),
});

/** A topology with several possible cases: facts that differ are null. */
const possible = z.object({
  ...topology.shape,
  sockets: z.nullable(z.number()),
  coresPerSocket: z.nullable(natural),
  vnumaNodes: z.nullable(z.array(natural)),
  numaClients: z.nullable(z.array(natural)),
  nodeCapacity: z.nullable(natural),
  guestUsableVcpus: z.nullable(natural),
  possible: z.array(
    z.object({
      when: z.record(z.string(), z.unknown()),
      sockets: z.number(),
      coresPerSocket: natural,
      vnumaNodes: z.array(natural),
      numaClients: z.array(natural),
      source: z.nullable(z.string()),
    }),
  ),
  isComplete: z.boolean(),
});

/** The view of a guest that its definition decides without a host. */
const guest = z.object({
  vcpus: natural,
  possibleVcpus: z.nullable(natural),
  sockets: z.number(),
  coresPerSocket: z.nullable(natural),
  threadsPerCore: natural,
  vnumaNodes: z.nullable(z.array(natural)),
  nodes: z.nullable(z.array(z.object({ vcpus: z.string(), memoryMiB: z.nullable(natural), hostNodes: z.nullable(z.array(natural)) }))),
  sharedL3: z.nullable(z.array(z.string())),
  placement: z.nullable(z.array(natural)),
  usableVcpus: z.nullable(natural),
  guestUsableVcpus: natural,
  certainty,
  certainties: z.object({ sockets: certainty, vnumaNodes: certainty }),
  reasons: z.array(z.string()),
  possible: z.array(z.never()),
});

const workload = z.object({
  ...workloadShape,
  edition: z.nullable(z.enum(EDITIONS)),
  version: z.nullable(z.enum(VERSIONS)),
  licensing: z.nullable(z.enum(SQL_LICENSING)),
});

const layouts = z.object({
  ...header,
  vms: z.array(
    z.object({
      path: z.string(),
      name: z.string(),
      format: z.string(),
      platform: z.enum(PLATFORMS),
      spec,
      assumed: z.optional(z.record(z.string(), z.string())),
      workload: z.nullable(workload),
      host: z.nullable(z.string()),
      assumedOfHost: z.optional(z.array(z.string())),
      variant: z.nullable(z.string()),
      hostSource: z.optional(z.literal("inventory")),
      cluster: z.optional(z.nullable(z.string())),
      topology: z.nullable(z.union([possible, guest])),
      stack: z.optional(z.string()),
      refused: z.optional(z.nullable(z.object({ by: z.string(), message: z.string() }))),
      observed: z.nullable(
        z.object({
          vnumaNodes: z.optional(z.array(z.number())),
          numaClients: z.optional(z.array(z.number())),
          agrees: z.boolean(),
          source: z.string(),
        }),
      ),
      storedSizeFits: z.nullable(z.boolean()),
    }),
  ),
  problems: z.array(z.object({ path: z.string(), range: z.nullable(range), message: z.string() })),
});

const shape = z.object({
  vcpus: natural,
  difference: z.number().check(z.int()),
  sockets: z.number(),
  coresPerSocket: z.union([natural, z.literal("auto")]),
  usableVcpus: z.nullable(natural),
  settings: z.record(z.string(), z.unknown()),
  flaws: z.array(z.object({ kind: z.string(), severity: z.enum(SEVERITIES), host: z.nullable(z.string()), text: z.string() })),
  placements: z.array(z.object({ host: z.string(), topology: z.nullable(topology), memoryPerClientMiB: z.nullable(z.number()) })),
  write: z.record(z.enum(TARGETS), z.string()),
});

const sizings = z.object({
  ...header,
  request: z.object({
    vcpus: natural,
    memoryMiB: z.nullable(natural),
    hardwareVersion: natural,
    workload: z.nullable(workload),
    range: z.nullable(z.tuple([natural, natural])),
  }),
  hosts: z.array(z.object({ name: z.string(), esxi: z.nullable(z.string()) })),
  requested: shape,
  preferHt: z.nullable(shape),
  proposals: z.array(shape),
  flawless: z.array(natural),
  nodesForMemory: natural,
  steps: z.array(z.object({ above: natural, text: z.string() })),
  notes: z.array(z.object({ kind: z.enum(NOTES), text: z.string() })),
});

const host = z.object({
  ...header,
  host: z.object({
    name: z.string(),
    sockets: natural,
    coresPerSocket: natural,
    threadsPerCore: natural,
    numaNodes: natural,
    esxi: z.nullable(z.string()),
    runs: z.nullable(z.object({ platform: z.enum(["esxi", "kvm"]), version: z.optional(z.string()) })),
    kvm: z.optional(
      z.object({
        kubernetes: z.optional(
          z.object({ cpuManager: z.string(), options: z.optional(z.array(z.string())), reservedCpus: z.optional(natural) }),
        ),
        hugePagesMiB: z.optional(z.record(z.string(), z.number())),
      }),
    ),
    memoryGiB: z.optional(z.number()),
    nvmeTierGiB: z.optional(z.number()),
    unevenMemory: z.optional(z.boolean()),
    mhz: z.optional(z.number()),
    cpu: z.optional(z.string()),
    coresPerL3: z.optional(natural),
    preferHt: z.optional(z.boolean()),
    followCoresPerSocket: z.optional(z.boolean()),
    pcpusOfNode: z.optional(z.array(z.array(natural))),
    linuxCpus: z.optional(z.array(z.object({ core: natural, node: natural }))),
    source: z.optional(z.string()),
  }),
  formats: z.array(z.string()),
  origins: z.record(z.string(), z.string()),
  assumed: z.array(z.string()),
  notes: z.array(z.string()),
  missing: z.array(z.enum(["esxi", "memoryGiB", "mhz"])),
  shortForm: z.nullable(z.string()),
});

const cpu = z.object({
  name: z.string(),
  vendor: z.string(),
  family: z.string(),
  cores: natural,
  threadsPerCore: natural,
  mhz: z.optional(natural),
  maxSockets: z.optional(natural),
  coresPerL3: z.optional(natural),
  setting: z.optional(z.enum(["snc", "nps", "cod"])),
  nodesPerSocket: z.optional(z.array(natural)),
  mayShowOthers: z.optional(z.literal(true)),
  doubt: z.optional(z.string()),
  sources: z.array(z.string()),
});

const source = z.object({ key: z.string(), title: z.string(), url: z.optional(z.string()) });

const cpus = z.object({ ...header, cpus: z.array(cpu), sources: z.array(source) });

const rule = z.object({
  id: z.string(),
  severity: z.enum(SEVERITIES),
  severities: z.record(z.string(), z.enum(SEVERITIES)),
  summary: z.string(),
  since: z.string(),
  stability: z.enum(["stable", "preview", "deprecated"]),
  needs: z.array(z.enum(["host", "topology", "workload"])),
  presets: z.array(z.enum(PRESETS)),
});

const rules = z.object({ ...header, rules: z.array(rule) });

const checked = z.object({
  ...header,
  checked: z.array(
    z.object({
      path: z.string(),
      vm: z.nullable(z.string()),
      configurations: z.array(z.string()),
      values: z.array(
        z.object({
          key: z.string(),
          value: z.unknown(),
          origin: z.union([
            z.object({ from: z.enum(["default", "command line", "built-in"]) }),
            z.object({ from: z.literal("dump"), path: z.string() }),
            z.object({ from: z.literal("file"), path: z.string(), line: natural, column: natural }),
          ]),
        }),
      ),
    }),
  ),
});

/** The report of `vmlint doctor`. */
const seen = z.object({ ...header, found: z.record(z.string(), z.string()) });

const briefFinding = z.object({
  path: z.string(),
  line: z.nullable(natural),
  ruleId: z.string(),
  severity: z.enum(SEVERITIES),
  message: z.string(),
  vm: z.nullable(z.string()),
});

/** The report of `vmlint verify`. */
const verified = z.object({
  ...header,
  guests: z.array(
    z.object({
      path: z.string(),
      vm: z.string(),
      host: z.nullable(z.string()),
      guest: z.string(),
      dumps: z.array(z.string()),
      facts: z.array(
        z.object({ fact: z.string(), predicted: z.nullable(z.string()), seen: z.nullable(z.string()), same: z.nullable(z.boolean()) }),
      ),
      same: z.nullable(z.boolean()),
      certainty: z.nullable(certainty),
      prediction: z.string(),
      layouts: natural,
      notes: z.array(z.string()),
    }),
  ),
});

/** The report of `vmlint diff`. */
const difference = z.object({
  ...header,
  added: z.array(briefFinding),
  gone: z.array(briefFinding),
  unchanged: natural,
  skipped: z.array(z.object({ ruleId: z.string(), more: natural })),
});

/** Replaces a report if the caller must act or vmlint has a bug. */
const failure = z.object({ ...header, error: z.object({ code: z.string(), message: z.string() }) });

/** The JSON Schema of `--format json` for every command. */
export const outputSchema: unknown = z.toJSONSchema(
  z.union([findings, layouts, sizings, host, cpus, rules, checked, seen, verified, difference, failure]),
);
