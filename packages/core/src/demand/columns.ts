import { titleKey } from "../formats/table/rows.ts";
import { DEMAND_FACTS, type DemandColumns, type DemandFact } from "../model/columns.ts";

/** The kinds of numbers in exports of demand. */
export type Metric = keyof typeof METRICS;

/** How a number stands for a time: `average`, `peak`, `95th percentile`; `worst 20 seconds` is the highest of the samples in an interval. */
export type Statistic = "average" | "peak" | "worst 20 seconds" | `${number}th percentile`;

/** A column with numbers about a VM. */
export interface MetricColumn {
  readonly metric: Metric;
  readonly statistic?: Statistic;
  /** The factor from the unit of its title to the unit of the metric. */
  readonly factor: number;
}

type Unit = "MHz" | "%" | "vCPUs";

interface Naming {
  readonly unit: Unit;
  /** Names without statistic, unit and the leading `VM`. */
  readonly names: readonly string[];
}

/**
 * Names of metrics: the labels and keys of VCF Operations ("Metrics for virtual machines" in its documentation), the
 * names in public readers (spiral023/rvtools-analyzer, VROPS_METRICS.md; kanecharles92/vrops_right_sizing), and the columns of Live Optics.
 */
const METRICS = {
  demand: { unit: "MHz", names: ["cpu|demand", "cpu|demandmhz", "cpu demand", "peak vcpu", "average vcpu"] },
  /** In vCPUs that are busy all the time, and in per cent of all vCPUs. */
  busy: { unit: "vCPUs", names: [] },
  busyPercent: { unit: "%", names: [] },
  ready: { unit: "%", names: ["cpu|ready", "cpu|readypct", "cpu ready", "overall cpu readiness"] },
  worstReady: {
    unit: "%",
    names: ["cpu|peak vcpu ready within collection cycle", "20-second peak vcpu ready", "cpu|20-second peak vcpu ready"],
  },
  costop: {
    unit: "%",
    names: ["cpu|peak vcpu co-stop within collection cycle", "20-second peak vcpu co-stop", "cpu|co-stop", "cpu|costoppct"],
  },
  /** Added up over all vCPUs. */
  readySum: { unit: "%", names: [] },
  costopSum: { unit: "%", names: [] },
  capacity: {
    unit: "MHz",
    names: ["cpu|total capacity", "cpu|provisioned capacity", "provisioned capacity", "cpu|vm_capacity_provisioned"],
  },
  vcpus: {
    unit: "vCPUs",
    names: [
      ...["configuration", "config"].flatMap((group) => [
        `${group}|hardware|number of cpus`,
        `${group}|hardware|numcpu`,
        `${group}|hardware|num_cpu`,
      ]),
      "cpu|corecount_provisioned",
      "vcpu|original count",
      "vcpus",
      "virtual cpu",
    ],
  },
  recommended: { unit: "vCPUs", names: ["vcpu|new cpu count", "cpu|size.recommendation", "recommended vcpus"] },
  recommendedMHz: {
    unit: "MHz",
    names: ["onlinecapacityanalytics|cpu|recommendedsize", "capacity analytics generated|cpu|recommended size", "cpu|recommended size"],
  },
  remove: {
    unit: "vCPUs",
    names: [
      "summary|oversized|vcpus",
      "vcpus to remove",
      "rightsize - vcpus to remove from oversized vms",
      "vcpus to remove from oversized vms",
    ],
  },
  add: {
    unit: "vCPUs",
    names: ["summary|undersized|vcpus", "vcpus to add", "rightsize - vcpus to add to undersized vms", "vcpus to add to undersized vms"],
  },
} as const satisfies Record<string, Naming>;

const BY_NAME = new Map<string, Metric>(
  Object.entries(METRICS).flatMap(([metric, { names }]) => names.map((name) => [name, metric as Metric] as const)),
);

/** Columns with the VM and the time of a row. */
const IDENTITIES = {
  name: ["name", "vm name", "object name", "object", "object name (vrops)", "vm", "vm|name"],
  id: ["summary|moid", "moid", "vmentityobjectid", "mob id", "mob_id", "vm id"],
  server: ["vmentityvcid", "vi sdk uuid"],
  uuid: ["instanceuuid", "vm uuid"],
  power: ["power state", "powerstate", "summary|running|power state"],
  time: ["interval breakdown", "interval start", "interval start time", "timestamp"],
} as const;

export type Identity = keyof typeof IDENTITIES;

/** Units of each kind, as factors to MHz, per cent and vCPUs. */
const UNITS: Readonly<Record<Unit, Readonly<Record<string, number>>>> = {
  MHz: { hz: 1e-6, khz: 1e-3, mhz: 1, ghz: 1000 },
  "%": { "%": 1, "‰": 0.1 },
  vCPUs: { vcpus: 1, vcpu: 1 },
};

const WORDS = /\|\s*(avg|average|max|maximum|min|minimum|last|latest|current|sum|std dev|\d{1,2}(?:\.\d+)?(?:th|st|nd|rd)? percentile)\s*$/;

/** Returns which identity a column has; nothing for other columns. */
export const identityOf = (title: string): Identity | undefined =>
  (Object.keys(IDENTITIES) as Identity[]).find((identity) =>
    (IDENTITIES[identity] as readonly string[]).includes(title.trim().toLowerCase().replace(/\s+/g, " ")),
  );

/**
 * Returns what a column holds by its title, such as `VM|CPU|Demand (MHz)|Max`; nothing for other columns, and for units that do not fit.
 * Views let their author rename columns, so a title without a known name means nothing.
 */
export function metricOf(title: string): MetricColumn | undefined {
  const plain = title
    .trim()
    .toLowerCase()
    .replace(/\s+/g, " ")
    .replace(/\s*\|\s*/g, "|");
  const word = WORDS.exec(plain)?.[1];
  const unworded = plain.replace(WORDS, "");
  const [, untitled = unworded, unit] = /^(.*?) \(([^()]+)\)$/.exec(unworded) ?? [];
  const name = untitled.replace(/^(?:vm|virtual machine)\|(?=[^|]+\|)/, "");
  const metric = BY_NAME.get(name);
  if (metric === undefined || word === "min" || word === "minimum" || word === "sum" || word === "std dev") return undefined;
  const factors = UNITS[METRICS[metric].unit];
  // A capacity may be in MHz or GHz, and Live Optics writes GHz: only the title has the unit. The key of the API is in MHz.
  const needsUnit = (metric === "capacity" && !name.includes("_")) || / vcpu$/.test(name);
  const factor = unit === undefined ? (needsUnit ? undefined : 1) : factors[unit];
  if (factor === undefined) return undefined;
  const statistic = /20-second|within collection cycle/.test(name) ? WORST : statisticOf(word ?? /^(average|peak)\b/.exec(name)?.[1]);
  return { metric, factor, ...(statistic !== undefined && { statistic }) };
}

const WORST = "worst 20 seconds";

/** The column of each fact that `size: columns:` of a configuration may name: its metric, its factor and its statistic. */
const CONFIGURED: Readonly<Record<Exclude<DemandFact, Identity>, readonly [metric: Metric, factor: number, statistic?: Statistic]>> = {
  vcpus: ["vcpus", 1],
  recommendedVcpus: ["recommended", 1],
  recommendedMHz: ["recommendedMHz", 1],
  vcpusToRemove: ["remove", 1],
  vcpusToAdd: ["add", 1],
  peakMHz: ["demand", 1, "peak"],
  peakGHz: ["demand", 1000, "peak"],
  peakVcpus: ["busy", 1, "peak"],
  peakPercent: ["busyPercent", 1, "peak"],
  averageMHz: ["demand", 1, "average"],
  capacityMHz: ["capacity", 1],
  capacityGHz: ["capacity", 1000],
  readyPercent: ["ready", 1],
  costopPercent: ["costop", 1],
};

/** Returns the content of a column by a configuration. */
export function configuredColumn(title: string, columns: DemandColumns): Identity | MetricColumn | undefined {
  const fact = DEMAND_FACTS.find((one) => columns[one] !== undefined && titleKey(columns[one]) === titleKey(title));
  if (fact === undefined || fact in IDENTITIES) return fact as Identity | undefined;
  const [metric, factor, statistic] = CONFIGURED[fact as keyof typeof CONFIGURED];
  return { metric, factor, ...(statistic !== undefined && { statistic }) };
}

function statisticOf(word: string | undefined): Statistic | undefined {
  if (word === undefined) return undefined;
  if (/^(?:avg|average)$/.test(word)) return "average";
  if (/^(?:max|maximum|peak)$/.test(word)) return "peak";
  const percentile = /^[\d.]+/.exec(word)?.[0];
  return percentile === undefined ? undefined : `${Number(percentile)}th percentile`;
}
