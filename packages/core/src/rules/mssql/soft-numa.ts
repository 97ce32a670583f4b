import { isShown } from "../../advice/aligned-size.ts";
import { dividesNodes, softNumaNodes } from "../../limits/sql-server.ts";
import { SQL_SOFT_NUMA, VTOPO80 } from "../../model/sources.ts";
import type { Topology } from "../../platforms/esxi/derive.ts";
import { builtinRule, holds, type PageOf } from "../define.ts";

const isUneven = (size: number): boolean => new Set(softNumaNodes(size)).size > 1;

/** The next size on each side that divides evenly. */
function evenSizes(size: number): readonly number[] {
  let [below, above] = [size - 1, size + 1];
  while (isUneven(below)) below--;
  while (isUneven(above)) above++;
  return [below, above];
}

export const rule = builtinRule({
  id: "mssql/soft-numa",
  stability: "preview",
  severity: "hint",
  for: ["esxi", "kvm"],
  on: ["vcpus"],
  needs: ["topology", "workload"],
  onlyWiderThan: "node",
  about: "mssql",
  reads: ["vcpus", "threadsPerCore"],
  messages: {
    uneven: (d: { node: number; parts: readonly number[]; even: readonly number[] }) =>
      `SQL Server divides a NUMA node of ${d.node} vCPUs into soft-NUMA nodes of about ${d.parts.join("+")}. ${d.even.join(" or ")} vCPUs in each node divide evenly.`,
  },
  applies: ({ vcpus }, _, workload) =>
    workload?.version && dividesNodes(workload.version) ? holds(vcpus, (count = 1) => count > LARGEST_WHOLE) : false,
  *check({ vm, guest, topology }) {
    const view = guest();
    const node = view?.vnumaNodes.find((size) => size > LARGEST_WHOLE && isUneven(size));
    // It counts cores, and with virtual hyper-threading two vCPUs are one.
    if ((vm.threadsPerCore?.value ?? 1) > 1) return;
    if (!view || node === undefined || (view.usableVcpus ?? view.vcpus) !== view.vcpus) return;
    if (!isShown(view)) return void (yield { skip: "layout-unknown" });
    // Without a host decision, as on KVM, a node may grow.
    const { nodeCapacity: capacity = Number.POSITIVE_INFINITY } = (topology as Topology | undefined) ?? {};
    yield {
      messageId: "uneven",
      data: { node, parts: softNumaNodes(node), even: evenSizes(node).filter((size) => size < node || size <= capacity) },
      at: vm.vcpus?.range ?? vm.range,
    };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "SQL Server's soft-NUMA divides a NUMA node unevenly",
  why: "From 2016 on SQL Server divides a NUMA node of more than 8 processors into soft-NUMA nodes of about 8, each with its own threads. Some counts cannot be divided equally, but connections are spread as if the parts were equal.",
  whenNot: "When the vCPU count is right for the host's own nodes, which matter more.",
  evidence: {
    figure: "Soft-NUMA nodes ideally hold 8 processors, at least 4 or 5 and at most 8 or 9 (by the page's revision)",
    source: SQL_SOFT_NUMA,
    against: "It is not documented how SQL Server divides such a count, and no measurement of unequal soft-NUMA nodes was found.",
  },
  sources: [VTOPO80],
  bad: [{ title: "20 vCPUs on one node", host: "r640", workload: "mssql, 2019", vmx: `virtualHW.version = "20"\nnumvcpus = "20"` }],
  good: [
    { title: "24 vCPUs", host: "r640", workload: "mssql, 2019", vmx: `virtualHW.version = "20"\nnumvcpus = "24"` },
    { title: "2014", host: "r640", workload: "mssql, 2014", vmx: `virtualHW.version = "20"\nnumvcpus = "20"` },
    { title: "Version not declared", host: "r640", workload: "mssql", vmx: `virtualHW.version = "20"\nnumvcpus = "20"` },
  ],
});

/** A node of 9 may stay whole: one revision of the page lets soft-NUMA nodes have 9. */
const LARGEST_WHOLE = 9;
