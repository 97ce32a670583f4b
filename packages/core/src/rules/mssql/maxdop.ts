import { isShown } from "../../advice/aligned-size.ts";
import { MOST_PARALLEL, mostMaxdop } from "../../limits/sql-server.ts";
import { HOUSE_OF_BRICK, SQL_MAXDOP, SQL55 } from "../../model/sources.ts";
import { plural } from "../../model/words.ts";
import { builtinRule, holds, type PageOf } from "../define.ts";

export const rule = builtinRule({
  id: "mssql/maxdop",
  severity: "info",
  for: ["esxi", "kvm"],
  on: ["vcpus"],
  needs: ["topology", "workload"],
  onlyWiderThan: "node",
  about: "mssql",
  presets: ["recommended"],
  reads: ["vcpus"],
  messages: {
    over: (d: { maxdop: number; cpus: number; usable: number; nodes: readonly number[]; most: number }) =>
      `MAXDOP ${d.maxdop} lets one query take ${d.maxdop !== 0 ? `${d.cpus} of the CPUs` : d.cpus < d.usable ? `up to ${d.cpus} of the ${d.usable} CPUs` : `all ${d.cpus} of the CPUs`}; Microsoft's guideline for ${
        d.nodes.length === 1 ? "one NUMA node" : `${d.nodes.length} NUMA nodes`
      } of ${plural(Math.max(...d.nodes), "vCPU")} is at most ${d.most}. Set MAXDOP to ${d.most} or less.`,
  },
  applies: ({ vcpus }, _, workload) =>
    workload?.maxdop === undefined || workload.maxdop === 1 ? false : holds(vcpus, (count = 1) => count > 1),
  *check({ vm, guest, workload }) {
    const { maxdop, version } = workload;
    const view = guest();
    if (maxdop === undefined || !view) return;
    const nodes = view.vnumaNodes;
    const maximum = mostMaxdop(nodes, version);
    const usable = view.usableVcpus ?? view.vcpus;
    const cpus = Math.min(maxdop === 0 ? MOST_PARALLEL : maxdop, usable);
    if (cpus <= maximum) return;
    if (!isShown(view)) return void (yield { skip: "layout-unknown" });
    yield { messageId: "over", data: { maxdop, cpus, usable, nodes, most: maximum }, at: vm.vcpus?.range ?? vm.range };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "MAXDOP is above Microsoft's guideline",
  why: "MAXDOP limits the CPUs one query may use at once. Microsoft's guideline keeps the threads of a query inside one NUMA node, and allows at most 8 on a machine with one node.",
  whenNot:
    "When your own measurement says otherwise. vmlint applies the mildest reading of the guideline: with the soft-NUMA nodes of SQL Server 2016 and later, it asks for 8 or less.",
  evidence: {
    figure:
      "Single node: at most 8. Several nodes: at most the processors of a node; above 16, half of them and at most 16 (SQL Server 2016 and later)",
    source: SQL_MAXDOP,
    against:
      "VMware's study on vSphere 5.5 ran with 0 and recommends it. House of Brick's best was 1 or 2 in all 12 rows of MAXDOP 1 to 6: 8 vCPUs with 16 threads made 152,782 orders a minute at 1 and 86,078 at 4.",
  },
  sources: [SQL55, HOUSE_OF_BRICK],
  bad: [
    { title: "16 on a single node", host: "r640", workload: "mssql, 2022, maxdop=16", vmx: `virtualHW.version = "20"\nnumvcpus = "16"` },
    { title: "0 on two nodes of 24", host: "r640", workload: "mssql, 2022, maxdop=0", vmx: `virtualHW.version = "20"\nnumvcpus = "48"` },
  ],
  good: [
    { title: "8 on a single node", host: "r640", workload: "mssql, 2022, maxdop=8", vmx: `virtualHW.version = "20"\nnumvcpus = "16"` },
    { title: "0 with 8 vCPUs", host: "r640", workload: "mssql, 2022, maxdop=0", vmx: `virtualHW.version = "20"\nnumvcpus = "8"` },
    { title: "Not declared", host: "r640", workload: "mssql", vmx: `virtualHW.version = "20"\nnumvcpus = "48"` },
  ],
});
