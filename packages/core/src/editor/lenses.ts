import type { LintedVm } from "../lint/target.ts";
import { getOrInsert } from "../model/maps.ts";
import type { Range } from "../model/source.ts";
import { plural } from "../model/words.ts";
import { possibleTopologies } from "../platforms/esxi/possible.ts";
import { possibleHeadline } from "../report/headline.ts";
import { nodeNeedWords } from "../report/node-need.ts";
import { outcomesWords } from "../report/shape-words.ts";
import { failureOf, guestLines } from "../report/topology-text.ts";
import { isForeignTo } from "../rules/define.ts";
import { layoutOf, namesIn, type OpenDocument, placeIn } from "./document.ts";

/** A line above a VM. */
export interface Lens {
  readonly range: Range;
  readonly title: string;
  /** The index of the VM in the document; the first one, if several have the same layout. */
  readonly vm: number;
}

/** Returns the layout of each VM, above its name, then its shape after an import; a place with several VMs has one line for each. */
export function lensesOf(document: OpenDocument): readonly Lens[] {
  const lenses = new Map<string, Lens & { count: number }>();
  document.result.vms.forEach((vm, index) => {
    for (const title of [layoutLine(vm), importLine(vm)]) {
      for (const range of title === undefined ? [] : namesIn(document, vm)) {
        const key = `${range[0]} ${title}`;
        const lens = lenses.get(key);
        if (lens) lens.count++;
        else lenses.set(key, { range, title: title ?? "", vm: index, count: 1 });
      }
    }
  });
  return [...lenses.values()].map(({ range, title, vm, count }) => ({ range, title: count > 1 ? `${count} VMs: ${title}` : title, vm }));
}

/** Returns the layout of a VM on its host in one line, or why there is none. */
export function layoutLine(vm: LintedVm): string {
  const guest = guestLines(vm);
  if (guest) return guest.join(" ");
  const { host } = vm.target;
  const result = host && possibleTopologies(vm.spec, host, vm.target.workload);
  if (!host || !result) return ["No host to check against", nodeNeedWords(vm.spec)].filter(Boolean).join(". ");
  if (result.ok) return possibleHeadline(result, host);
  return `${failureOf(result)} ${result.reasons[0]?.text ?? ""}`.trim();
}

/** Returns the guest of a VM after the import that its configuration names: "after import to KubeVirt (forklift): 16 vCPUs, 2 x 8". */
function importLine(vm: LintedVm): string | undefined {
  const { imports } = vm.target;
  if (!imports || isForeignTo({}, vm.spec)) return undefined;
  const { importer, to, made, undecided } = imports(vm);
  return `after import to ${to.title} (${importer.name}): ${undecided ?? outcomesWords(made).join(", or ")}`;
}

/** A short text after a value. */
export interface Hint {
  readonly at: number;
  readonly label: string;
}

/** Returns the effect of each VM's vCPU count on its host. */
export function hintsOf(document: OpenDocument): readonly Hint[] {
  const textsByLine = new Map<number, Set<string>>();
  for (const vm of document.result.vms) {
    const { vcpus } = vm.spec.settings;
    const place = vcpus.state === "known" ? placeIn(document, vcpus.range) : undefined;
    const result = place && layoutOf(vm);
    if (!place || !result?.ok) continue;
    const { sockets, coresPerSocket, vnumaNodes } = result.topology;
    const label = `${sockets} x ${coresPerSocket}, ${plural(vnumaNodes.length, "NUMA node")}`;
    getOrInsert(textsByLine, place[1], () => new Set()).add(label);
  }
  return [...textsByLine].map(([at, labels]) => ({ at, label: [...labels].join(" or ") }));
}
