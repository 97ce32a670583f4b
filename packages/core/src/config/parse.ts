import picomatch from "picomatch";
import { type Document, LineCounter, parseDocument } from "yaml";
import * as z from "zod/mini";
import type { ImportedHost, importHost, StatedHost } from "../hosts/index.ts";
import { SEVERITIES } from "../model/diagnostic.ts";
import { VmlintError } from "../model/errors.ts";
import { parseEsxi } from "../model/esxi.ts";
import { type HostModel, invalidHost } from "../model/host.ts";
import { nearest } from "../model/nearest.ts";
import { isDate } from "../model/words.ts";
import { workloadShape } from "../parse/workload-schema.ts";
import { rules as builtinRules } from "../rules/index.ts";
import { PRESETS, selects } from "../rules/presets.ts";
import { type Config, type Declared, findHost, type Override, type Runs } from "./config.ts";
import { processorsOf } from "./processors.ts";

const positive = z.number().check(z.int(), z.positive());

const workload = z.strictObject(workloadShape);

const host = z.strictObject({
  /** A dump of the host, relative to the configuration. What stands beside it wins. */
  from: z.optional(z.string()),
  esxi: z.optional(z.string()),
  sockets: z.optional(positive),
  coresPerSocket: z.optional(positive),
  threadsPerCore: z.optional(positive),
  numaNodes: z.optional(positive),
  memoryGiB: z.optional(z.number().check(z.positive())),
  mhz: z.optional(z.number().check(z.positive())),
  cpu: z.optional(z.string()),
  snc: z.optional(positive),
  nps: z.optional(positive),
  cod: z.optional(z.boolean()),
  coresPerL3: z.optional(positive),
  preferHt: z.optional(z.boolean()),
  followCoresPerSocket: z.optional(z.boolean()),
  runs: z.optional(z.array(z.string())),
});

const severities = z.record(z.string(), z.enum([...SEVERITIES, "off"]));

const suppression = z.strictObject({
  rule: z.optional(z.string()),
  rules: z.optional(z.array(z.string())),
  vm: z.optional(z.string()),
  path: z.optional(z.string()),
  reason: z.optional(z.string()),
  until: z.optional(z.string()),
});

const schema = z.strictObject({
  extends: z.optional(z.array(z.enum(PRESETS))),
  host: z.optional(z.string()),
  workload: z.optional(workload),
  hosts: z.optional(z.record(z.string(), host)),
  /** Hosts that the same VMs may run on. */
  clusters: z.optional(z.record(z.string(), z.array(z.string()))),
  rules: z.optional(severities),
  suppress: z.optional(z.array(suppression)),
  baseline: z.optional(z.string()),
  overrides: z.optional(
    z.array(
      z.strictObject({
        files: z.optional(z.array(z.string())),
        vms: z.optional(z.array(z.string())),
        host: z.optional(z.string()),
        workload: z.optional(workload),
        rules: z.optional(severities),
      }),
    ),
  ),
});

/** Paths are matched with forward slashes on every system; a leading dot in a name is nothing special. */
const POSIX = { windows: false, dot: true } as const;

type Path = readonly PropertyKey[];

/** Reads a file that a configuration names, by its path relative to the configuration. */
export type ReadFile = (path: string) => Promise<string>;

/** The dumps that a configuration names, and what reads them. */
interface Dumps {
  readonly importHost: typeof importHost;
  readonly texts: ReadonlyMap<string, string | Error>;
}

/** As parseConfig, for a configuration whose hosts may be dumps in files of their own (`from:`). */
export async function readConfig(text: string, path: string, readFile: ReadFile): Promise<Config> {
  const files = dumpsOf(text);
  if (files.length === 0) return parseConfig(text, path);
  // An entry of its own: most configurations spell their hosts out.
  const { importHost } = await import("@vmlint/core/hosts");
  const read = async (file: string) => [file, await readFile(file).catch((error: unknown) => error as Error)] as const;
  return parseConfig(text, path, { importHost, texts: new Map(await Promise.all(files.map(read))) });
}

/** Mistakes are left to the reader proper: it names their place. */
function dumpsOf(text: string): readonly string[] {
  if (!/\bfrom\b/.test(text)) return [];
  try {
    const hosts = parseDocument(text, { prettyErrors: false }).toJS()?.hosts ?? {};
    const files = Object.values(hosts).map((one) => (one as { from?: unknown } | null)?.from);
    return [...new Set(files.filter((file) => typeof file === "string"))];
  } catch {
    return [];
  }
}

/**
 * Text of a `vmlint.yaml` -> Config. Throws CONFIG_INVALID with `path:line:column`, what is wrong and what would be
 * right: a configuration that is half understood checks something else than its author thinks.
 */
export function parseConfig(text: string, path: string, dumps?: Dumps): Config {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const fail = (offset: number, message: string): never => {
    const { line, col } = lines.linePos(offset);
    throw new VmlintError("CONFIG_INVALID", `${path}:${line}:${col}: ${message}`);
  };
  const [error] = document.errors;
  if (error) return fail(error.pos[0], error.message);

  let plain: unknown;
  try {
    plain = withVersionsAsText(document);
  } catch (cause) {
    // An alias without its anchor, or more aliases than a configuration can need.
    return fail(0, cause instanceof Error ? cause.message : String(cause));
  }
  const parsed = schema.safeParse(plain ?? {});
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    if (!issue) throw new Error("zod reported a failure without an issue");
    return fail(offsetOf(document, issue.path), explain(issue, document.hasIn(issue.path)));
  }
  const raw = parsed.data;

  const hosts = new Map<string, HostModel>();
  const imported = new Map<string, ImportedHost>();
  const running: Runs[] = [];
  for (const [name, { esxi: version, from, snc, nps, cod, cpu, runs, ...rest }] of Object.entries(raw.hosts ?? {})) {
    const at = (key: string) => offsetOf(document, ["hosts", name, key]);
    if (runs) running.push({ host: name, machine: `${path}#${name}`, matches: picomatch(runs, POSIX) });
    const esxi = version === undefined ? undefined : parseEsxi(version);
    if (version !== undefined && !esxi) fail(at("esxi"), `"${version}" is no ESXi version: write "6.7", "7.0" or "8.0 U2".`);
    if (from !== undefined) {
      const mode = Object.entries({ snc, nps, cod }).find(([, value]) => value !== undefined)?.[0];
      if (mode) fail(at(mode), `${mode} is read from the dump: write numaNodes where the dump does not say it.`);
      const stated = { ...defined({ ...rest, cpu }), ...(esxi && { esxi }) } as StatedHost;
      const read = importedHost(name, from, stated, dumps, (message) => fail(at("from"), message));
      imported.set(name, read);
      hosts.set(name, read.host);
      continue;
    }
    const processors = processorsOf({ ...rest, cpu, snc, nps, cod });
    if ("reason" in processors) return fail(at(processors.key), processors.reason(name));
    const model = { name, ...processors.fields, ...defined(rest), ...(esxi && { esxi }) } as HostModel;
    const wrong = invalidHost(model);
    if (wrong) fail(offsetOf(document, ["hosts", name]), `Host "${name}" cannot exist: ${wrong}.`);
    hosts.set(name, model);
  }
  const ruleIds = builtinRules.map(({ id }) => id);
  const checkRules = (rules: Readonly<Record<string, unknown>> | undefined, at: Path) => {
    for (const id of Object.keys(rules ?? {})) {
      if (!ruleIds.includes(id)) fail(offsetOf(document, [...at, id], true), `There is no rule "${id}".${hint(id, ruleIds)}`);
    }
  };
  const clusters = Object.entries(raw.clusters ?? {});
  const base = {
    hosts,
    imported,
    selects: selects(raw.extends),
    rules: raw.rules ?? {},
    overrides: [],
    runs: running,
    clusters: clusters.map(([, names]) => names),
  };
  const checkHost = (name: string | undefined, at: Path) => {
    const found = name === undefined ? undefined : findHost(name, base);
    if (found && "reason" in found)
      fail(offsetOf(document, at), `${found.reason}${found.nearest ? ` Did you mean "${found.nearest}"?` : ""}`);
  };
  checkRules(raw.rules, ["rules"]);
  checkHost(raw.host, ["host"]);
  for (const [name, members] of clusters) for (const [i, host] of members.entries()) checkHost(host, ["clusters", name, i]);
  const overrides = (raw.overrides ?? []).map(({ files, vms, ...rest }, i): Override => {
    checkRules(rest.rules, ["overrides", i, "rules"]);
    checkHost(rest.host, ["overrides", i, "host"]);
    const inFiles = files && picomatch(files, POSIX);
    const isVm = vms && picomatch(vms, POSIX);
    return { matches: (file, vm) => (inFiles?.(file) ?? true) && (isVm?.(vm) ?? true), ...(defined(rest) as Omit<Override, "matches">) };
  });
  const entries = (raw.suppress ?? []).map(({ rule, rules = [], vm, path: file, reason, until }, i): Declared => {
    const at = ["suppress", i];
    if (rule === undefined && rules.length === 0 && vm === undefined && file === undefined)
      fail(offsetOf(document, at), "This would suppress every finding: name rules, a vm or a path.");
    if (rule !== undefined && rules.length > 0) fail(offsetOf(document, [...at, "rules"], true), "Write rule or rules, not both.");
    if (until !== undefined && !isDate(until)) fail(offsetOf(document, [...at, "until"]), `"${until}" is no date: write 2026-12-31.`);
    const ids = rule === undefined ? rules : [rule];
    for (const [j, id] of ids.entries()) {
      const place = rule === undefined ? [...at, "rules", j] : [...at, "rule"];
      if (!ruleIds.includes(id)) fail(offsetOf(document, place), `There is no rule "${id}".${hint(id, ruleIds)}`);
    }
    const node = document.getIn(at, true) as Ranged;
    return {
      rules: ids,
      inFile: file === undefined ? () => true : picomatch(file, POSIX),
      isVm: vm === undefined ? () => true : picomatch(vm, POSIX),
      reason: reason?.trim() || null,
      until: until ?? null,
      range: [node.range?.[0] ?? 0, node.range?.[1] ?? 0],
    };
  });
  return {
    ...base,
    ...(defined({ host: raw.host, workload: raw.workload, baseline: raw.baseline }) as Pick<Config, "host" | "workload" | "baseline">),
    ...(entries.length > 0 && { suppress: { path, text, entries } }),
    overrides,
  };
}

function importedHost(
  name: string,
  from: string,
  stated: StatedHost,
  dumps: Dumps | undefined,
  fail: (message: string) => never,
): ImportedHost {
  const text = dumps?.texts.get(from);
  if (!dumps || text === undefined) return fail(`${from} is a file of its own, which this reader of configurations does not open.`);
  if (typeof text !== "string") return fail(`${from} cannot be read: its path must be relative to this file.`);
  try {
    return dumps.importHost(text, { name, file: from, stated });
  } catch (error) {
    // By name: the reader of dumps is a bundle of its own with a class of its own.
    if (error instanceof Error && error.name === "VmlintError") return fail(error.message);
    throw error;
  }
}

/** `esxi: 8.0` and `version: 2019` are numbers to YAML, and 8.0 would lose its zero: take the author's own text. */
function withVersionsAsText(document: Document): unknown {
  const versions: [Path, string][] = [];
  const value: unknown = document.toJS();
  const collect = (path: Path) => {
    const node = document.getIn(path, true) as { source?: string; value?: unknown } | undefined;
    if (typeof node?.value === "number" && node.source !== undefined) versions.push([path, node.source]);
  };
  const record = (value ?? {}) as { hosts?: object; overrides?: unknown[] };
  if (record.hosts && typeof record.hosts === "object") for (const name of Object.keys(record.hosts)) collect(["hosts", name, "esxi"]);
  collect(["workload", "version"]);
  for (const i of Array.isArray(record.overrides) ? record.overrides.keys() : []) collect(["overrides", i, "workload", "version"]);
  for (const [path, source] of versions) document.setIn(path, source);
  return versions.length > 0 ? document.toJS() : value;
}

function offsetOf(document: Document, path: Path, ofKey = false): number {
  for (let length = path.length; length > 0; length--) {
    const parent = document.getIn(path.slice(0, length - 1), true);
    const key = path[length - 1];
    const pair = pairsOf(parent).find((p) => p.key.value === key);
    if (pair) return (ofKey || length < path.length ? pair.key.range?.[0] : (pair.value?.range?.[0] ?? pair.key.range?.[0])) ?? 0;
    const node = document.getIn(path.slice(0, length), true) as Ranged | undefined;
    if (node?.range) return node.range[0];
  }
  return 0;
}

interface Ranged {
  readonly range?: readonly [number, number, number] | null;
}

function pairsOf(node: unknown): readonly { readonly key: Ranged & { readonly value?: unknown }; readonly value?: Ranged | null }[] {
  const items = (node as { items?: unknown[] } | undefined)?.items ?? [];
  return items.filter((item): item is { key: Ranged & { value?: unknown } } => typeof item === "object" && item !== null && "key" in item);
}

type Issue = z.core.$ZodIssue;

const KEYS: Readonly<Record<string, readonly string[]>> = {
  "": Object.keys(schema.shape),
  hosts: Object.keys(host.shape),
  workload: Object.keys(workload.shape),
  suppress: Object.keys(suppression.shape),
  overrides: ["files", "vms", "host", "workload", "rules"],
};

const TYPES: Readonly<Record<string, string>> = {
  object: "a mapping",
  record: "a mapping",
  array: "a list",
  string: "text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
};

function explain(issue: Issue, isThere: boolean): string {
  const where = issue.path.map(String).join(".");
  switch (issue.code) {
    case "unrecognized_keys": {
      const [key = ""] = issue.keys;
      const section = issue.path.includes("workload") ? "workload" : String(issue.path[0] ?? "");
      return `There is no setting "${where ? `${where}.` : ""}${key}".${hint(key, KEYS[section] ?? [])}`;
    }
    case "invalid_value":
      return `${where} must be one of ${issue.values.map(String).join(", ")}.`;
    case "invalid_type":
      return isThere ? `${where || "The file"} must be ${TYPES[issue.expected] ?? issue.expected}.` : `${where} is missing.`;
    case "too_small":
      return `${where} must be ${issue.inclusive ? "0 or more" : "more than 0"}.`;
    case "invalid_format":
      return `${where} must be a disk such as scsi1:0.`;
    default:
      return `${where} is not valid.`;
  }
}

const hint = (name: string, names: readonly string[]): string => {
  const near = nearest(name, names);
  return near ? ` Did you mean "${near}"?` : "";
};

const defined = <T extends object>(record: T): Partial<T> =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)) as Partial<T>;
