import { isShown } from "../../advice/aligned-size.ts";
import { dividesNodes, usableVcpus } from "../../limits/sql-server.ts";
import { SQL_SOFT_NUMA } from "../../model/sources.ts";
import { builtinRule, holds, type PageOf, unsafeFix } from "../define.ts";

/** SQL Server divides nodes with more cores. */
const DIVIDED_ABOVE = 8;

export const rule = builtinRule({
  id: "mssql/hot-add-soft-numa",
  severity: "warning",
  on: ["cpuHotAdd"],
  needs: ["workload"],
  about: "mssql",
  reads: ["vcpus", "cpuHotAdd", "exposeVnumaOnHotAdd", "threadsPerCore"],
  messages: {
    unsupported: (d: { node: number; version: string }) =>
      `CPU hot add is on, but SQL Server ${d.version} divides this VM's NUMA node of ${d.node} vCPUs into soft-NUMA nodes, which ignore CPUs that are added later. Turn CPU hot add off.`,
  },
  applies: ({ vcpus, cpuHotAdd }, _, workload) => {
    if (!workload?.version || !dividesNodes(workload.version) || holds(cpuHotAdd, (on) => on === true) === false) return false;
    return holds(vcpus, (count = 1) => count > DIVIDED_ABOVE);
  },
  *check({ vm, host, topology, workload }) {
    if (!vm.cpuHotAdd?.value || !vm.vcpus || workload.version === undefined) return;
    // SQL Server counts cores. With virtual hyper-threading, two vCPUs are one core.
    if ((vm.threadsPerCore?.value ?? 1) > 1) return;
    // SQL Server only divides the cores that its edition uses.
    const vcpus = vm.vcpus.value;
    if (((topology ? topology.usableVcpus : usableVcpus(workload, vcpus, vcpus)) ?? vcpus) <= DIVIDED_ABOVE) return;
    // Hot add hides the nodes, so all vCPUs are in one, unless the VM exposes them.
    if (!topology && vm.exposeVnumaOnHotAdd?.value)
      return yield { skip: !host ? "no-host" : host.esxi ? "unknown-value" : "no-esxi-version" };
    const node = topology ? Math.max(...topology.vnumaNodes) : vcpus;
    if (node <= DIVIDED_ABOVE) return;
    if (topology && !isShown(topology)) return void (yield { skip: "layout-unknown" });
    yield {
      messageId: "unsupported",
      data: { node, version: workload.version },
      at: vm.cpuHotAdd.range,
      fixes: [unsafeFix("Turn CPU hot add off", { cpuHotAdd: false })],
    };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "CPU hot add is on, but soft-NUMA ignores added CPUs",
  why: "From 2016 on SQL Server divides NUMA nodes of more than 8 processors into soft-NUMA nodes when it starts, and soft-NUMA does not support processors added while it runs. Hot add then gains nothing, and hides the host's nodes from the guest.",
  whenNot: "When automatic soft-NUMA is switched off in the instance.",
  evidence: { figure: '"Hot-add processors aren\'t supported by soft-NUMA"', source: SQL_SOFT_NUMA },
  bad: [{ title: "16 vCPUs with hot add", workload: "mssql, 2022", vmx: `numvcpus = "16"\nvcpu.hotadd = "TRUE"` }],
  good: [
    { title: "8 vCPUs are not divided", workload: "mssql, 2022", vmx: `numvcpus = "8"\nvcpu.hotadd = "TRUE"` },
    { title: "Hot add is off", workload: "mssql, 2022", vmx: `numvcpus = "16"\nvcpu.hotadd = "FALSE"` },
    { title: "2014 divides nothing by itself", workload: "mssql, 2014", vmx: `numvcpus = "16"\nvcpu.hotadd = "TRUE"` },
  ],
});
