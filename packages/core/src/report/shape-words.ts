import type { Made } from "../importers/import-vm.ts";
import { conditionWords } from "../importers/source-view.ts";
import type { GuestShape } from "../importers/targets/target.ts";
import { grouped } from "../model/maps.ts";
import { plural } from "../model/words.ts";
import { groupText } from "../platforms/esxi/layout.ts";
import { printable } from "./printable.ts";

/** Returns the shape on ESXi: "16 vCPUs, 2 x 8, NUMA nodes 8+8". */
export function shapeWords({ vcpus, coresPerSocket, possibleCores = [], threadsPerCore, nodes }: GuestShape): string {
  const threads = threadsPerCore > 1 ? ` x ${threadsPerCore} threads` : "";
  const counts = (coresPerSocket === null ? possibleCores : [coresPerSocket]).map(
    (cores) => `${Math.ceil(vcpus / cores)} x ${cores / threadsPerCore}${threads}`,
  );
  return `${plural(vcpus, "vCPU")}, ${counts.length > 0 ? counts.join(" or ") : "sockets unknown"}${nodes && nodes.length > 1 ? `, NUMA nodes ${groupText(nodes)}` : ""}`;
}

/** Returns the guest after an import, or how it fails. */
function outcomeWords({ view, fails }: Pick<Made, "view" | "fails">): string {
  if (fails !== undefined) return `fails: ${printable(fails)}`;
  return view ? shapeWords({ ...view, nodes: view.vnumaNodes.length > 0 ? view.vnumaNodes : null }) : "unknown";
}

type Shown = Pick<Made, "view" | "fails" | "when" | "before">;

/** Returns each result of an import in words, with its condition if there are several. */
export function outcomesWords(outcomes: readonly Shown[]): readonly string[] {
  const isOpen = outcomes.length > 1;
  const words = grouped(outcomes, (one) =>
    isOpen && isSame(one) ? `${plural(one.before.vcpus, "vCPU")} in the same sockets` : outcomeWords(one),
  );
  return [...words].map(([text, same]) => {
    const conditions = same.flatMap(({ when }) => when ?? []);
    return words.size === 1 || conditions.length === 0 ? text : `${text}, if ${conditionWords(conditions)}`;
  });
}

const isSame = ({ view, before }: Shown): boolean => view?.vcpus === before.vcpus && view.coresPerSocket === before.coresPerSocket;
