import { isDecided } from "../../advice/aligned-size.ts";
import { MOST_PER_NODE, nodeTrouble, PER_NODE_UPDATE } from "../../limits/sql-server.ts";
import { KB_374613, SQL_2025_ISSUES, SQL_CAPACITY } from "../../model/sources.ts";
import type { SettingValues } from "../../model/spec.ts";
import { manualNodeSize, type Topology } from "../../platforms/esxi/derive.ts";
import { groupText } from "../../platforms/esxi/layout.ts";
import { builtinRule, type Facts, holds, type PageOf, unsafeFix, type View } from "../define.ts";
import { kubevirtVm } from "../kubevirt-example.ts";

interface TooLarge {
  readonly node: number;
  readonly vcpus: number;
  readonly most: number;
  readonly update: number;
  /** An even split below the limit; null if ESXi is not known to make one. */
  readonly nodes: number | null;
  /** Whether CPU hot add would hide that split. */
  readonly hotAdd: boolean;
  /** The nodes that CPU hot add hides, if hot add is the only problem. */
  readonly withoutHotAdd: readonly number[] | null;
}

function advice({ vcpus, nodes, hotAdd, most, withoutHotAdd }: TooLarge): string {
  if (withoutHotAdd) return `Turn CPU hot add off, which hides its nodes (${groupText(withoutHotAdd)}).`;
  if (nodes === null) return `Keep each node at ${most} or fewer.`;
  return `Give the guest ${nodes} nodes of ${vcpus / nodes}${hotAdd ? ", and turn CPU hot add off" : ""}.`;
}

export const rule = builtinRule({
  id: "mssql/numa-64lp",
  severity: "error",
  severities: { later: "warning", doubtful: "warning", unsupported: "warning" },
  for: ["esxi", "kvm"],
  on: ["vcpus"],
  needs: ["topology", "workload"],
  about: "mssql",
  reads: ["vcpus", "hardwareVersion", "coresPerSocket", "coresPerNumaNode", "maxVcpusPerVnumaNode"],
  messages: {
    refused: (d: TooLarge) =>
      `A NUMA node of this VM has ${d.node} vCPUs, and SQL Server 2022 with cumulative update ${d.update} does not start above ${d.most}. ${advice(d)}`,
    later: (d: TooLarge) =>
      `A NUMA node of this VM has ${d.node} vCPUs: SQL Server 2022 no longer starts above ${d.most} once it has cumulative update ${d.update}. ${advice(d)}`,
    doubtful: (d: TooLarge) =>
      `A NUMA node of this VM has ${d.node} vCPUs, and SQL Server 2025 may not start on Windows above ${d.most}. ${advice(d)}`,
    unsupported: (d: TooLarge) =>
      `A NUMA node of this VM has ${d.node} vCPUs, and Microsoft supports SQL Server with at most ${d.most}. ${advice(d)}`,
  },
  applies: ({ vcpus }, _, workload) =>
    workload?.kind === "mssql" ? holds(vcpus, (count = 1) => nodeTrouble(workload, count) !== undefined) : false,
  *check({ vm, host, guest, topology, workload, whatIf, ifKnown }) {
    const view = guest();
    const node = Math.max(...(view?.vnumaNodes ?? []));
    const trouble = nodeTrouble(workload, node);
    if (!view || !trouble) return;
    if (!isDecided(view)) return void (yield { skip: "layout-unknown" });
    const shown = ifKnown("cpuHotAdd") ? whatIf({ cpuHotAdd: false }) : undefined;
    const isHidden = shown && Math.max(...shown.vnumaNodes) <= MOST_PER_NODE;
    const split = host && !vm.kvm ? evenSplit(topology, vm, host.numaNodes, ifKnown("cpuHotAdd") === true, whatIf) : undefined;
    yield {
      messageId: trouble === "refused" && workload.update === undefined ? "later" : trouble,
      data: {
        node,
        vcpus: view.vcpus,
        most: MOST_PER_NODE,
        update: workload.update ?? PER_NODE_UPDATE,
        nodes: split?.nodes ?? null,
        hotAdd: split?.settings.cpuHotAdd === false,
        withoutHotAdd: isHidden ? shown.vnumaNodes : null,
      },
      at: (vm.coresPerNumaNode ?? vm.maxVcpusPerVnumaNode ?? vm.coresPerSocket ?? vm.vcpus)?.range ?? vm.range,
      fixes: isHidden
        ? [unsafeFix("Turn CPU hot add off", { cpuHotAdd: false })]
        : split
          ? [unsafeFix(`Make ${split.nodes} NUMA nodes`, split.settings)]
          : [],
    };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "Virtual NUMA node has more than 64 vCPUs",
  why: "From cumulative update 11 on, SQL Server 2022 does not start if a NUMA node has more than 64 logical processors; 2025 may do the same on Windows. Versions from 2016 on that do start are not supported: Microsoft reports stack dumps and other reliability issues. ESXi makes virtual nodes as large as the nodes of the host.",
  whenNot:
    "When the instance starts and may be unreliable: SQL Server 2022 starts below cumulative update 11 (declare `update`), 2016 to 2019 start with any.",
  evidence: {
    figure: "144 vCPUs with the default topology: 2 nodes of 72, and the service does not start (from Update 11 on)",
    source: KB_374613,
  },
  sources: [SQL_CAPACITY, SQL_2025_ISSUES],
  shared: { vmx: `virtualHW.version = "20"` },
  bad: [
    {
      title: "144 vCPUs on nodes of 72 cores",
      host: "2x72x2@8.0",
      workload: "mssql, 2022, update=11",
      vmx: `numvcpus = "144"`,
      expect: "refused",
    },
    { title: "The update is not declared", host: "2x72x2@8.0", workload: "mssql, 2022", vmx: `numvcpus = "72"`, expect: "later" },
    { title: "SQL Server 2025", host: "2x72x2@8.0", workload: "mssql, 2025", vmx: `numvcpus = "144"`, expect: "doubtful" },
    { title: "SQL Server 2019, which starts", host: "2x72x2@8.0", workload: "mssql, 2019", vmx: `numvcpus = "144"`, expect: "unsupported" },
    {
      title: "72 cores on KVM, with any host",
      workload: "mssql, 2022, update=11",
      yaml: kubevirtVm("cpu:\n  cores: 72"),
      expect: "refused",
    },
  ],
  good: [
    { title: "Nodes of 64", host: "2x64x2@8.0", workload: "mssql, 2022, update=11", vmx: `numvcpus = "128"` },
    { title: "A version that the page does not cover", host: "2x72x2@8.0", workload: "mssql, 2014", vmx: `numvcpus = "144"` },
  ],
});

/**
 * Returns the fewest equal nodes that the host would show, with the settings for them. At most twice the required number, because a guest
 * should not see dozens of small nodes.
 */
function evenSplit(
  { vcpus, esxi, vnumaNodes, nodeCapacity }: Topology,
  { hardwareVersion, maxVcpusPerVnumaNode }: View<"hardwareVersion" | "maxVcpusPerVnumaNode">,
  physicalNodes: number,
  hotAdd: boolean,
  whatIf: Facts["whatIf"],
): { readonly nodes: number; readonly settings: SettingValues } | undefined {
  if (hardwareVersion === undefined) return undefined;
  for (let nodes = vnumaNodes.length; nodes <= 2 * Math.ceil(vcpus / MOST_PER_NODE); nodes++) {
    const size = vcpus / nodes;
    if (!Number.isInteger(size) || size > MOST_PER_NODE) continue;
    // Each physical node holds equally many, or its maximum: three nodes of 48 would share two nodes of 72 cores as 96 and 48.
    if (nodes % physicalNodes !== 0 && Math.ceil(nodes / physicalNodes) * size > nodeCapacity) continue;
    const byHand: SettingValues = {
      ...manualNodeSize(esxi, size, vcpus, hardwareVersion.value),
      coresPerSocket: size,
      // Two different manual sizes are ambiguous: no source has their priority.
      ...(maxVcpusPerVnumaNode && { maxVcpusPerVnumaNode: size }),
    };
    // Hot add hides the nodes, unless the VM also exposes them.
    const settings = [byHand, ...(hotAdd ? [{ ...byHand, cpuHotAdd: false }] : [])].find((settings) => {
      const other = whatIf(settings);
      return other !== undefined && isDecided(other) && other.vnumaNodes.every((node) => node === size);
    });
    if (settings) return { nodes, settings };
  }
  return undefined;
}
