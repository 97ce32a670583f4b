import { createHmac } from "node:crypto";
import type { FileResult, HostModel, Skip } from "@vmlint/core";
import type { LintedVm, ListedHost } from "@vmlint/core/program";

type HostedVm = FileResult["hostedVms"][number];

/** Replaces the names of VMs, hosts, clusters and files in reports. */
export interface Pseudonyms {
  /** Adds the names of a VM, its hosts and its cluster. */
  readonly add: (vm: LintedVm) => void;
  /** Adds the names of a host and its cluster. */
  readonly addHost: (host: Pick<ListedHost, "host" | "cluster">) => void;
  readonly result: (result: FileResult) => FileResult;
  readonly host: (host: ListedHost) => ListedHost;
  readonly path: (path: string) => string;
  /** Replaces names in a text. */
  readonly text: (text: string) => string;
}

/** The same name and key always give the same pseudonym. A guess at a name can only be checked with the key. */
export function pseudonyms(key: string): Pseudonyms {
  const byName = new Map<string, string>();
  const hash = (name: string): string => createHmac("sha256", key).update(name.toLowerCase()).digest("hex").slice(0, 8);
  const give = (kind: string, name: string | undefined): void => {
    if (name && !byName.has(name.toLowerCase())) byName.set(name.toLowerCase(), `${kind}-${hash(name)}`);
  };
  const path = (of: string): string => (of === "-" ? of : `file-${hash(of)}${/\.[a-z]+$/i.exec(of)?.[0] ?? ""}`);
  let pattern: RegExp | undefined;
  const text = (of: string): string => {
    pattern ??= patternOf(byName.keys());
    return of.replace(pattern, (name) => byName.get(name.toLowerCase()) ?? name);
  };
  const inValue = (value: unknown, name?: string): unknown => {
    if (typeof value === "string") return PATHS.has(name ?? "") ? path(value) : FIXED.has(name ?? "") ? value : text(value);
    if (Array.isArray(value)) return value.map((item) => inValue(item, name));
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([inner, item]) => [inner, inValue(item, inner)]));
  };
  // One object for each host, as before.
  const hosts = new Map<HostModel, HostModel>();
  const hostOf = (host: HostModel): HostModel => {
    const known = hosts.get(host) ?? { ...host, name: text(host.name) };
    hosts.set(host, known);
    return known;
  };
  // Reports count equal objects.
  const skips = new Map<Skip, Skip>();
  const skipOf = (skip: Skip): Skip => {
    const known = skips.get(skip) ?? (inValue(skip) as Skip);
    skips.set(skip, known);
    return known;
  };
  const nameless = namelessVm(text, hostOf, (value) => inValue(value) as typeof value);
  return {
    add: ({ spec, target }) => {
      pattern = undefined;
      for (const name of [spec.name, spec.alias, spec.clonedFrom]) give("vm", name);
      for (const name of [spec.runsOn?.name, target.host?.name, ...(target.otherHosts ?? []).map((host) => host.name)]) give("host", name);
      for (const name of [spec.runsOn?.cluster, target.cluster]) give("cluster", name);
    },
    addHost: ({ host, cluster }) => {
      pattern = undefined;
      give("host", host.name);
      give("cluster", cluster);
    },
    result: (result) => ({
      ...result,
      isSecret: true,
      path: path(result.path),
      text: masked(result.text),
      hostedVms: result.hostedVms.map((vm) => nameless(vm) as HostedVm),
      ...(result.inventoryVms && { inventoryVms: result.inventoryVms.map(nameless) }),
      ...(result.described && { described: [] }),
      skipped: result.skipped.map(skipOf),
      diagnostics: result.diagnostics.map((one) => inValue(one) as typeof one),
      ...(result.suppressed && {
        suppressed: result.suppressed.map(({ diagnostic, by, reason }) => {
          return { diagnostic: inValue(diagnostic) as typeof diagnostic, by, reason: reason && text(reason) };
        }),
      }),
      ...(result.otherTexts && { otherTexts: new Map([...result.otherTexts].map(([of, content]) => [path(of), masked(content)])) }),
    }),
    host: ({ at: _, ...one }) => ({
      ...one,
      host: hostOf(one.host),
      path: path(one.path),
      ...(one.cluster !== undefined && { cluster: text(one.cluster) }),
    }),
    path,
    text,
  };
}

type Change<T> = (value: T) => T;

/** Returns a function that replaces the names in a VM and its target. */
const namelessVm =
  (text: Change<string>, hostOf: Change<HostModel>, inValue: <T>(value: T) => T) =>
  ({ spec, target }: LintedVm): LintedVm => ({
    spec: {
      ...spec,
      name: text(spec.name),
      ...(spec.alias !== undefined && { alias: text(spec.alias) }),
      ...(spec.runsOn && { runsOn: inValue(spec.runsOn) }),
    },
    target: {
      ...target,
      ...(target.host && { host: hostOf(target.host) }),
      ...(target.otherHosts && { otherHosts: target.otherHosts.map(hostOf) }),
      ...(target.cluster !== undefined && { cluster: text(target.cluster) }),
    },
  });

const PATHS = new Set(["path", "vmPath", "foundIn"]);

/** Members of a finding that never contain a name. */
const FIXED = new Set(["kind", "ruleId", "messageId", "severity", "docsUrl", "url", "setting", "safety", "holds"]);

/** Longer names first: a name may be a part of another. */
function patternOf(names: Iterable<string>): RegExp {
  const words = [...names].sort((a, b) => b.length - a.length).map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return words.length === 0 ? /(?!)/ : new RegExp(`(?<![\\w-])(?:${words.join("|")})(?![\\w-])`, "gi");
}

/** Hides a text, but keeps its length and its lines, which findings refer to. */
const masked = (text: string): string => text.replace(/[^\s]/g, "x");
