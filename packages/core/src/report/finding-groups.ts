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
  /** One of the most severe findings. */
  readonly first: FindingInFile;
}

/** Groups findings by some names, the group with the most and the most severe findings first. `all`: the most severe first. */
export function groupedBy(
  findings: readonly FindingInFile[],
  namesOf: (finding: FindingInFile) => readonly string[],
): readonly FindingGroup[] {
  const groups = new Map<
    string,
    { readonly counts: Counts; readonly vms: Set<string>; readonly hosts: Set<string>; readonly first: FindingInFile }
  >();
  for (const finding of findings) {
    for (const name of namesOf(finding)) {
      const group = getOrInsert(groups, name, () => ({
        counts: { error: 0, warning: 0, info: 0, hint: 0 },
        vms: new Set(),
        hosts: new Set(),
        first: finding,
      }));
      group.counts[finding.diagnostic.severity]++;
      if (finding.diagnostic.vm === null && finding.diagnostic.subject) group.hosts.add(finding.diagnostic.subject.name);
      else for (const vm of vmKeys(finding.file.path, finding.diagnostic)) group.vms.add(vm);
    }
  }
  const order = (a: FindingGroup, b: FindingGroup): number => worstFirst(a.counts, b.counts) || (a.name < b.name ? -1 : 1);
  return [...groups]
    .map(([name, { counts, vms, hosts, first }]) => ({ name, counts, vms: vms.size, hosts: hosts.size, first }))
    .sort(order);
}

/** Compares counts: more errors first, then more warnings, and so on. */
export const worstFirst = (a: Counts, b: Counts): number => SEVERITIES.reduce((sum, severity) => sum || b[severity] - a[severity], 0);

/** Returns the counts of a group: `3 errors and 12 infos`. */
export const countWords = ({ counts }: Pick<FindingGroup, "counts">): string =>
  list(
    SEVERITIES.filter((severity) => counts[severity] > 0).map((severity) => plural(counts[severity], severity)),
    "and",
  );
