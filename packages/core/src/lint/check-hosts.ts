import type { Cell } from "../model/cell.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { HostModel } from "../model/host.ts";
import type { ListedHost } from "../model/inventory-host.ts";
import { getOrInsert } from "../model/maps.ts";
import { once } from "../model/memoize.ts";
import type { Rule } from "../rules/define.ts";
import { hostIn, inCell, isSilent, page, shownSeverity } from "./finding.ts";
import { type HostedVm, sameHost } from "./hosted-vms.ts";
import type { Target } from "./target.ts";

/** A VM with the path of its file. */
interface VmInFile {
  readonly path: string;
  readonly vm: HostedVm;
}

/** A host with its VMs. */
interface HostWithVms {
  readonly host: HostModel;
  readonly listed?: ListedHost;
  readonly vms: readonly VmInFile[];
}

/** Joins hosts with their VMs. A VM that may run on any host of a cluster belongs to no host. */
function hostsWithVms(listed: readonly ListedHost[], vms: readonly VmInFile[]): readonly HostWithVms[] {
  const found = new Map<string, { host: HostModel; listed?: ListedHost; vms: VmInFile[] }>(
    listed.map((one) => [one.machine, { host: one.host, listed: one, vms: [] }]),
  );
  for (const one of vms) {
    const { host, machine, onAnyHost } = one.vm.target;
    if (onAnyHost === undefined) getOrInsert(found, machine ?? sameHost(host), () => ({ host, vms: [] })).vms.push(one);
  }
  return [...found.values()];
}

interface HostChecks {
  readonly rules: readonly Rule[];
  readonly listed: readonly ListedHost[];
  readonly vms: readonly VmInFile[];
  /** Returns the names of VMs, each VM once. */
  readonly namesOf: (vms: readonly HostedVm[]) => readonly string[];
  /** Runs a check of a rule, which may fail on a file. */
  readonly guarded: (rule: Rule, path: string, check: () => void) => void;
}

/** Yields the findings about hosts, each with the path of its file: the file that lists the host, else the file of its first VM. */
export function* checkHosts({ rules, listed, vms, namesOf, guarded }: HostChecks): Iterable<{
  readonly path: string;
  readonly diagnostic: Diagnostic;
}> {
  const about = rules.filter(({ over }) => over === "host-itself");
  const [any] = vms;
  for (const one of hostsWithVms(listed, vms)) {
    const [first] = one.vms;
    const path = one.listed?.path ?? first?.path ?? "";
    // A host without VMs has the configuration of another VM of the file.
    const targets = first ? one.vms.map(({ vm }) => vm.target) : [(vms.find((other) => other.path === path) ?? any)?.vm.target ?? {}];
    const found: Diagnostic[] = [];
    const names = once(() => namesOf(one.vms.map(({ vm }) => vm)));
    for (const rule of about) {
      const target = targets.find((one) => !isSilent(rule, one));
      if (target) guarded(rule, path, () => found.push(...findingsOf(rule, one, target, names)));
    }
    for (const diagnostic of found) yield { path, diagnostic };
  }
}

function findingsOf(rule: Rule, { host, listed, vms }: HostWithVms, target: Target, names: () => readonly string[]): readonly Diagnostic[] {
  const [first] = vms;
  const { range, cell } = listed ? (listed.at ?? { range: START }) : { range: first?.vm.spec.range ?? START };
  return rule.checkHostItself({ host, vmCount: () => names().length }).map(({ severity, ...finding }) => {
    const found: Diagnostic = {
      ruleId: rule.id,
      ...finding,
      severity: shownSeverity(rule, severity, target),
      range,
      ...(cell && { cell: withoutPath(cell) }),
      vm: null,
      vms: names(),
      subject: { kind: "host", name: host.name },
      ...hostIn({ host, ...(listed?.cluster !== undefined && { cluster: listed.cluster }) }),
      related: [],
      fixes: [],
      ...page(rule),
    };
    return listed ? found : inCell(found, first?.vm.spec);
  });
}

const START = [0, 0] as const;

/** The finding is in the file of the cell. */
const withoutPath = ({ path: _, ...cell }: Cell): Cell => cell;
