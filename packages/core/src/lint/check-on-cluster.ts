import { isDecided } from "../advice/aligned-size.ts";
import type { Diagnostic, Skip } from "../model/diagnostic.ts";
import { coresPerNode, type HostModel } from "../model/host.ts";
import { once, onceFor } from "../model/memoize.ts";
import { topologyIn } from "../platforms/esxi/esxi.ts";
import { isSameLayout } from "../platforms/esxi/layout.ts";
import { answerFor } from "../platforms/index.ts";
import type { Rule } from "../rules/define.ts";
import { atMostInfo, guessingChecker } from "./check-guess.ts";
import type { VmChecker } from "./check-vm.ts";
import { hostIn } from "./finding.ts";
import { sameHost } from "./hosted-vms.ts";
import type { LintedVm, Target } from "./target.ts";

/** Clusters of more kinds are rare, and each kind is one more check of each of its VMs. */
const MOST_KINDS = 4;

/**
 * Returns a checker that also checks each VM on the other kinds of hosts of its cluster, the smallest NUMA nodes first: DRS or HA may move
 * it there. A rule that reports the VM only there is one finding, at most an info, which names that host.
 */
export function clusterChecker(rules: readonly Rule[]): VmChecker {
  const check = guessingChecker(rules);
  const checkHost = guessingChecker(rules.filter(({ needs }) => needs.includes("host") && !needs.includes("topology")));
  const checkAll = guessingChecker(rules.filter(({ needs }) => needs.includes("host") || needs.includes("topology")));
  const others = onceFor((target: Target) => otherTargets(target));
  return (vm, ran) => {
    const results = [...check(vm, ran)];
    if (vm.target.onAnyHost !== undefined) return onEach(results, vm, check);
    if (!vm.target.otherHosts || !mayMove(vm)) return results;
    const reported = new Set(results.filter(isFinding).map(({ ruleId }) => ruleId));
    for (const target of others(vm.target)) {
      // A VM that moves keeps its virtual nodes: on a host that divides it differently, no layout is predicted.
      const checkOther = keepsLayout(vm, target) ? checkAll : checkHost;
      for (const finding of [...checkOther({ ...vm, target })].filter(isFinding)) {
        if (finding.holds !== undefined || reported.has(finding.ruleId)) continue;
        reported.add(finding.ruleId);
        results.push(onOtherHost(finding, vm.target, target.host?.name ?? ""));
      }
    }
    return results;
  };
}

/** Returns the findings of a VM without a known host. A finding that depends on the host of its cluster is at most an info. */
function onEach(own: readonly (Diagnostic | Skip)[], vm: LintedVm, check: VmChecker): readonly (Diagnostic | Skip)[] {
  const { onAnyHost = "" } = vm.target;
  const findingsOn = (target: Target): readonly Diagnostic[] => [...check({ ...vm, target })].filter(isFinding);
  const kinds = otherTargets(vm.target, Number.POSITIVE_INFINITY).map((target) => ({ host: target.host, found: findingsOn(target) }));
  const has = (found: readonly Diagnostic[], { ruleId }: Diagnostic): boolean => found.some((one) => one.ruleId === ruleId);
  // A running VM has started on a host of the cluster.
  const asElsewhere = once(() => findingsOn({ ...vm.target, elsewhere: true }));
  const results = own.map((result) => {
    if (!isFinding(result) || kinds.every(({ found }) => has(found, result))) return result;
    const plain = asElsewhere().find(({ ruleId, messageId }) => ruleId === result.ruleId && messageId === result.messageId);
    return onOtherHost(plain ?? result, vm.target, onAnyHost);
  });
  for (const { host, found } of kinds)
    for (const result of found) if (!has(results.filter(isFinding), result)) results.push(onOtherHost(result, vm.target, host?.name ?? ""));
  return results;
}

const isFinding = (result: Diagnostic | Skip): result is Diagnostic => !("reason" in result);

/** VMs with CPU affinity stay on their host, which another rule reports. */
const mayMove = ({ spec: { settings, template } }: LintedVm): boolean =>
  template !== true && (settings.cpuAffinity.state !== "known" || settings.cpuAffinity.value === "all");

/** Returns a target for each other kind of host. The VM has the same cluster there. */
function otherTargets({ host: own, otherHosts = [], ...target }: Target, most = MOST_KINDS): readonly Target[] {
  if (!own) return [];
  const kinds = [...new Map([...otherHosts, own].map((host) => [sameHost({ ...host, name: "" }), host])).values()];
  return kinds
    .filter((host) => host !== own)
    .sort(bySize)
    .slice(0, most)
    .map((host) => ({ ...target, host, elsewhere: true, otherHosts: kinds.filter((other) => other !== host) }));
}

/** Compares hosts by the cores of a NUMA node, then by its memory. */
export const bySize = (a: HostModel, b: HostModel): number =>
  coresPerNode(a) - coresPerNode(b) || (a.memoryGiB ?? 0) / a.numaNodes - (b.memoryGiB ?? 0) / b.numaNodes;

function keepsLayout({ spec, target: { host, workload } }: LintedVm, { host: other }: Target): boolean {
  const [own, moved] = [host, other].flatMap((one) => one ?? []).map((one) => topologyIn(answerFor(spec, one, workload)));
  return own !== undefined && moved !== undefined && isDecided(own) && isDecided(moved) && isSameLayout(own, moved);
}

/** The finding keeps the host that the VM is on, so that it counts there. A fix for another host may be wrong on this one. */
function onOtherHost({ assumedOfHost: _, proposal: __, ...finding }: Diagnostic, own: Target, otherHost: string): Diagnostic {
  const message = `On ${otherHost} of its cluster: ${finding.message}`;
  return { ...finding, severity: atMostInfo(finding.severity), message, ...hostIn(own), otherHost, fixes: [] };
}
