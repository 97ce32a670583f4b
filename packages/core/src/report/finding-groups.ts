import { SEVERITIES } from "../model/diagnostic.ts";
import { getOrInsert } from "../model/maps.ts";
import { list, plural } from "../model/words.ts";
import type { Counts } from "./counts.ts";
import type { FindingInFile } from "./entries.ts";
import { vmKeys } from "./subject.ts";

/** The findings of a group, such as a rule, a host or a VM. */
export interface FindingGroup {
  readonly name: string;
  readonly counts: Readonly<Counts>;
  readonly vms: number;
  /** The hosts that findings are about. */
  readonly hosts: number;
  /** The number of VMs and hosts by cluster. */
  readonly clusters: ReadonlyMap<string, number>;
  /** One of the most severe findings. */
  readonly first: FindingInFile;
}

/** Groups findings by some names, the group with the most and the most severe findings first. `all`: the most severe first. */
export function groupedBy(
  findings: readonly FindingInFile[],
  namesOf: (finding: FindingInFile) => readonly string[],
): readonly FindingGroup[] {
  const groups = new Map<string, OpenGroup>();
  for (const finding of findings) {
    const { severity, vm, subject, cluster } = finding.diagnostic;
    const hosts = vm === null && subject ? [subject.name] : [];
    const vms = hosts.length > 0 ? [] : vmKeys(finding.file.path, finding.diagnostic);
    for (const name of namesOf(finding)) {
      const group = getOrInsert(groups, name, () => ({
        counts: { error: 0, warning: 0, info: 0, hint: 0 },
        vms: new Set(),
        hosts: new Set(),
        clusters: new Map(),
        first: finding,
      }));
      group.counts[severity]++;
      for (const key of vms) group.vms.add(key);
      for (const key of hosts) group.hosts.add(key);
      if (cluster !== undefined) for (const key of [...vms, ...hosts]) getOrInsert(group.clusters, cluster, () => new Set()).add(key);
    }
  }
  const order = (a: FindingGroup, b: FindingGroup): number => worstFirst(a.counts, b.counts) || (a.name < b.name ? -1 : 1);
  return Array.from(groups, ([name, { counts, vms, hosts, clusters, first }]) => {
    const byCluster = new Map(Array.from(clusters, ([cluster, keys]) => [cluster, keys.size]));
    return { name, counts, vms: vms.size, hosts: hosts.size, clusters: byCluster, first };
  }).sort(order);
}

/** The findings of a rule, with the VMs, hosts and clusters of its errors, else of its warnings, else of its notes. */
export interface RuleGroup extends FindingGroup {
  /** The counts of the other findings: `18 infos`. Empty without any. */
  readonly others: string;
}

/** Groups findings by rule. A sentence about the most severe finding is not about VMs with less severe ones. */
export function groupedByRule(findings: readonly FindingInFile[]): readonly RuleGroup[] {
  const bySeverity = new Map(
    groupedBy(findings, ({ diagnostic: { ruleId, severity } }) => [`${ruleId} ${severity}`]).map((one) => [one.name, one]),
  );
  return groupedBy(findings, ({ diagnostic }) => [diagnostic.ruleId]).map((group) => {
    const { severity } = group.first.diagnostic;
    if (severity === "info" || severity === "hint") return { ...group, others: "" };
    const { vms, hosts, clusters } = bySeverity.get(`${group.name} ${severity}`) ?? group;
    return { ...group, vms, hosts, clusters, others: countWords({ counts: { ...group.counts, [severity]: 0 } }) };
  });
}

interface OpenGroup extends Pick<FindingGroup, "first"> {
  readonly counts: Counts;
  readonly vms: Set<string>;
  readonly hosts: Set<string>;
  readonly clusters: Map<string, Set<string>>;
}

/** Compares counts: more errors first, then more warnings, and so on. */
export const worstFirst = (a: Counts, b: Counts): number => SEVERITIES.reduce((sum, severity) => sum || b[severity] - a[severity], 0);

/** Returns the counts of a group: `3 errors and 12 infos`. */
export const countWords = ({ counts }: Pick<FindingGroup, "counts">): string =>
  list(
    SEVERITIES.filter((severity) => counts[severity] > 0).map((severity) => plural(counts[severity], severity)),
    "and",
  );
