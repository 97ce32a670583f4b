import type { Range } from "../model/source.ts";
import { plural } from "../model/words.ts";
import { failureOf, headline } from "../report/topology-text.ts";
import { layoutOf, type OpenDocument } from "./document.ts";

/** A line above a VM. */
export interface Lens {
  readonly range: Range;
  readonly title: string;
  /** Which of the document's VMs it is about. */
  readonly vm: number;
}

/** The layout of each VM, above its name. */
export const lensesOf = (document: OpenDocument): readonly Lens[] =>
  document.result.vms.map((vm, index) => {
    const { host } = vm.target;
    const result = layoutOf(vm);
    if (!host || !result) return { range: vm.spec.range, title: "No host to check against", vm: index };
    if (result.ok) return { range: vm.spec.range, title: headline(vm.spec.name, result.topology, host), vm: index };
    return { range: vm.spec.range, title: `${failureOf(result)} ${result.reasons[0]?.text ?? ""}`.trim(), vm: index };
  });

/** A few words after a value. */
export interface Hint {
  readonly at: number;
  readonly label: string;
}

/** What the vCPU count of each VM comes to on its host. */
export const hintsOf = (document: OpenDocument): readonly Hint[] =>
  document.result.vms.flatMap((vm): Hint[] => {
    const { vcpus } = vm.spec.settings;
    const result = layoutOf(vm);
    if (vcpus.state !== "known" || !result?.ok) return [];
    const { sockets, coresPerSocket, vnumaNodes } = result.topology;
    return [{ at: vcpus.range[1], label: `${sockets} x ${coresPerSocket}, ${plural(vnumaNodes.length, "NUMA node")}` }];
  });
