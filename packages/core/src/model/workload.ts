import { hint } from "./nearest.ts";
import { valueWords } from "./words.ts";

/**
 * The kinds of workload.
 *
 * @example
 * const isKind = (word: string) => WORKLOAD_KINDS.some((kind) => kind === word);
 */
export const WORKLOAD_KINDS = [
  "mssql",
  "oracle",
  "hana",
  "postgresql",
  "mysql",
  "database",
  "latency",
  "imdg",
  "exchange",
  "vdi",
  "ft",
  "general",
] as const;
export type WorkloadKind = (typeof WORKLOAD_KINDS)[number];

export const EDITIONS = [
  "enterprise",
  "standard",
  "web",
  "express",
  "bi",
  "developer",
  "standard-developer",
  "enterprise-developer",
  "evaluation",
  "se2",
] as const;
export type Edition = (typeof EDITIONS)[number];

const VERSIONS_OF_SQL = ["2008r2", "2012", "2014", "2016", "2017", "2019", "2022", "2025"] as const;
export const VERSIONS = [...VERSIONS_OF_SQL, "2013", "se"] as const;
export type Version = (typeof VERSIONS)[number];

/** The versions of SQL Server and of Exchange Server, oldest first. */
export const SQL_VERSIONS: readonly Version[] = VERSIONS_OF_SQL;
const EXCHANGE_VERSIONS: readonly Version[] = ["2013", "2016", "2019", "se"];

/** A fact that belongs to other software than the workload, with the valid values of it. */
interface ForeignFact {
  readonly field: "edition" | "version";
  readonly value: string;
  readonly allowed: readonly string[];
}

/** Returns a known edition or version of a workload that belongs to other software; `undefined` without one. A version may be a number. */
export function foreignFact({ kind, edition, version }: Readonly<Record<string, unknown>>): ForeignFact | undefined {
  if (edition === "se2" && kind !== "oracle")
    return { field: "edition", value: edition, allowed: EDITIONS.filter((one) => one !== edition) };
  const allowed = kind === "exchange" ? EXCHANGE_VERSIONS : SQL_VERSIONS;
  const value = VERSIONS.find((one) => one === String(version));
  return value === undefined || allowed.includes(value) ? undefined : { field: "version", value, allowed };
}

const EDITION_NAMES: Readonly<Record<Edition, string>> = {
  enterprise: "Enterprise",
  standard: "Standard",
  web: "Web",
  express: "Express",
  bi: "Business Intelligence",
  developer: "Developer",
  "standard-developer": "Standard Developer",
  "enterprise-developer": "Enterprise Developer",
  evaluation: "Evaluation",
  se2: "Standard Edition 2",
};

/** Returns `SQL Server 2008 R2 Standard`, without undeclared parts. */
export const sqlServerName = ({ version, edition }: { version: Version | undefined; edition: Edition | undefined }): string =>
  ["SQL Server", version?.replace("r2", " R2"), edition && EDITION_NAMES[edition]].filter(Boolean).join(" ");

export const SQL_LICENSING = ["core", "server-cal"] as const;
type SqlLicensing = (typeof SQL_LICENSING)[number];

/** Many short transactions, or few long queries. */
export const PROFILES = ["oltp", "warehouse"] as const;
type Profile = (typeof PROFILES)[number];

/** `tier-1`: production that must not be slowed down by its neighbours. */
export const ENVIRONMENTS = ["tier-1", "production", "test"] as const;
export type Environment = (typeof ENVIRONMENTS)[number];

/**
 * The software in a VM, as its owner declares it.
 *
 * @example
 * const workload: Workload = { kind: "mssql" };
 */
export interface Workload {
  readonly kind: WorkloadKind;
  readonly edition?: Edition;
  readonly version?: Version;
  readonly licensing?: SqlLicensing;
  /** Cumulative update of SQL Server. */
  readonly update?: number;
  /** SQL Server's max degree of parallelism; 0 = all it has. */
  readonly maxdop?: number;
  /** SQL Server's cost threshold for parallelism. */
  readonly costThreshold?: number;
  /** Sessions that are busy at the same time. */
  readonly concurrency?: number;
  readonly profile?: Profile;
  readonly environment?: Environment;
  /** Disks for data and log of a database: `scsi1:0`. */
  readonly data?: readonly string[];
  readonly log?: readonly string[];
  /** vSphere Fault Tolerance protects the VM; kind `ft` implies it. */
  readonly faultTolerance?: boolean;
}

/** A guessed workload with the evidence. A guess leads to at most an info, and a declared workload replaces it. */
export interface WorkloadGuess {
  readonly kind: WorkloadKind;
  /** Each piece of evidence in words: `name sqlprod01`, `disk sqldata`. */
  readonly evidence: readonly string[];
}

/** The usual name of each workload. */
export const WORKLOAD_TITLES: Readonly<Record<WorkloadKind, string>> = {
  mssql: "SQL Server",
  oracle: "Oracle Database",
  hana: "SAP HANA",
  postgresql: "PostgreSQL",
  mysql: "MySQL or MariaDB",
  database: "a database",
  latency: "latency-critical work",
  imdg: "an in-memory data grid",
  exchange: "Exchange Server",
  vdi: "virtual desktops",
  ft: "a VM that Fault Tolerance protects",
  general: "ordinary work",
};

/** A fact about a workload with a free value. */
type FieldType = "count" | "natural" | "flag" | "disks";

/** The facts of a workload with their valid values; comments, options and configurations all use this table. */
const WORKLOAD_FIELDS = {
  kind: WORKLOAD_KINDS,
  edition: EDITIONS,
  version: VERSIONS,
  licensing: SQL_LICENSING,
  update: "natural",
  maxdop: "natural",
  costThreshold: "natural",
  concurrency: "count",
  profile: PROFILES,
  environment: ENVIRONMENTS,
  data: "disks",
  log: "disks",
  faultTolerance: "flag",
} as const satisfies Readonly<Record<keyof Workload, readonly string[] | FieldType>>;

export type WorkloadField = keyof Workload;

export const WORKLOAD_FIELD_NAMES = Object.keys(WORKLOAD_FIELDS) as readonly WorkloadField[];

const DISK = /^(?:scsi|sata|nvme|ide)\d{1,3}:\d{1,3}$/;

/** The pattern of a disk's name, as a JSON Schema writes it. */
export const DISK_PATTERN = DISK;

interface Type {
  readonly words: string;
  readonly example: string;
  readonly read: (text: string) => unknown;
}

const FIELD_TYPES: Readonly<Record<FieldType, Type>> = {
  count: { words: "a positive whole number", example: "8", read: (text) => (/^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined) },
  natural: { words: "a whole number of 0 or more", example: "8", read: (text) => (/^\d{1,9}$/.test(text) ? Number(text) : undefined) },
  flag: { words: "true or false", example: "true", read: (text) => (text === "true" ? true : text === "false" ? false : undefined) },
  disks: {
    words: "disks such as scsi1:0,scsi1:1",
    example: "scsi1:0",
    read: (text) => {
      const disks = text.split(",").map((disk) => disk.trim());
      return disks.every((disk) => DISK.test(disk)) ? disks : undefined;
    },
  },
};

/** The word that turns off the guess for a VM: it runs ordinary work. */
const NONE = "none";

/** Reads a fact from the text of a comment or a file; `undefined` for an invalid text. */
export function readWorkloadField<F extends WorkloadField>(field: F, text: string): Workload[F] | undefined {
  const type: readonly string[] | FieldType = WORKLOAD_FIELDS[field];
  const lower = field === "kind" && text.toLowerCase() === NONE ? "general" : text.toLowerCase();
  const value = typeof type === "string" ? FIELD_TYPES[type].read(lower) : type.includes(lower) ? lower : undefined;
  return value as Workload[F] | undefined; // The table pairs each field with the reader of its type.
}

/**
 * Reads a workload in one line, as in options and configurations: `mssql`, `mssql,edition=standard,version=2019`, `mssql, standard`, `none`.
 * Returns a sentence for an invalid text.
 */
export function parseWorkload(text: string): Workload | string {
  const [kind = "", ...rest] = text.split(",").map((part) => part.trim());
  const facts = rest.map(factIn);
  const twice = facts.find(([name], i) => name === "kind" || facts.findIndex(([other]) => other === name) < i);
  return twice ? `"${twice[0]}" is there twice.` : workloadOf({ kind, ...Object.fromEntries(facts) });
}

/** Returns the name and the value of a fact. A value that only one fact can have needs no name. */
function factIn(text: string): readonly [string, string] {
  const [name = "", value] = text.split("=", 2).map((part) => part.trim());
  if (value !== undefined) return [name, value];
  const field = WORKLOAD_FIELD_NAMES.find((one) => one !== "kind" && allowedFor(one).includes(name.toLowerCase()));
  return field ? [field, name] : [name, ""];
}

/**
 * Returns the workload that facts by name state, as programs and one-line texts have them. Returns a sentence for an unknown fact or an
 * invalid value.
 */
export function workloadOf(facts: Readonly<Record<string, unknown>>): Workload | string {
  const workload: Record<string, unknown> = {};
  for (const [name, value] of Object.entries({ kind: undefined, ...facts })) {
    const field = WORKLOAD_FIELD_NAMES.find((word) => word === name);
    if (!field) {
      const others = WORKLOAD_FIELD_NAMES.filter((word) => word !== "kind");
      return `"${name}" is no fact of a workload: write ${others.join(", ")}.${hint(name, others, plain)}`;
    }
    if (value === undefined && field !== "kind") continue;
    workload[field] = readFact(field, value);
    if (workload[field] !== undefined) continue;
    if (field !== "kind")
      return `${name} must be ${allowedFor(field).join(", ")}, not ${valueWords(value)}.${hint(value, allowedFor(field), plain)}`;
    if (value === undefined) return `The workload has no kind: write ${[...WORKLOAD_KINDS, NONE].join(", ")}.`;
    return `${valueWords(value)} is no workload: write ${[...WORKLOAD_KINDS, NONE].join(", ")}.${hint(value, WORKLOAD_KINDS, plain)}`;
  }
  const foreign = foreignFact(workload);
  if (foreign) return `"${foreign.value}" is no edition or version of ${WORKLOAD_TITLES[workload["kind"] as WorkloadKind]}.`;
  return workload as unknown as Workload; // Every field was read by the reader of its type.
}

const plain = String;

/** Reads a fact from a text or from a value of its own type. A version may also be a number: 2019. */
function readFact(field: WorkloadField, value: unknown): Workload[WorkloadField] | undefined {
  if (typeof value === "string") return readWorkloadField(field, value);
  const isPlain = typeof value === "number" || typeof value === "boolean" || (Array.isArray(value) && value.every(isText));
  const fact = isPlain ? readWorkloadField(field, String(value)) : undefined;
  return typeof fact === typeof value || field === "version" ? fact : undefined;
}

const isText = (value: unknown): boolean => typeof value === "string";

/** Returns the valid values of a fact, or a description of these. */
export function allowedFor(field: WorkloadField): readonly string[] {
  const type: readonly string[] | FieldType = WORKLOAD_FIELDS[field];
  return typeof type === "string" ? [FIELD_TYPES[type].words] : type;
}

/** Returns an example value of a fact. */
export function exampleFor(field: WorkloadField): string {
  const type: readonly string[] | FieldType = WORKLOAD_FIELDS[field];
  return typeof type === "string" ? FIELD_TYPES[type].example : (type[0] ?? "");
}

export const DATABASES: readonly WorkloadKind[] = ["mssql", "oracle", "hana", "postgresql", "mysql", "database"];

export const isDatabase = (workload: Workload | undefined): boolean => workload !== undefined && DATABASES.includes(workload.kind);

/** Whether a workload fills its CPUs or cannot wait for them; VMs of other kinds share CPUs without effect. */
export const isDemanding = (workload: Workload | undefined): boolean => isDatabase(workload) || isLatencyCritical(workload);

/** Whether latency sensitivity High is meant for the workload: telephony, trading, in-memory grids. */
export const isLatencyCritical = (workload: Workload | undefined): boolean => workload?.kind === "latency" || workload?.kind === "imdg";

/** Whether vSphere Fault Tolerance is declared to protect the VM. */
export const isFaultTolerant = (workload: Workload | undefined): boolean => workload?.faultTolerance ?? workload?.kind === "ft";

/**
 * Whether all memory should be reserved: grids and SAP HANA in production keep their data in memory, and a tier-1 database must not wait
 * for swapping.
 */
export const reservesMemory = (workload: Workload | undefined): boolean =>
  workload?.kind === "imdg" ||
  (workload?.kind === "exchange" && workload.environment !== "test") ||
  (workload?.kind === "hana" && workload.environment !== "test") ||
  (isDatabase(workload) && workload?.environment === "tier-1");
