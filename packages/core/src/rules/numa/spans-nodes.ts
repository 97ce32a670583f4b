import { isDecided, isPlaced, isShown } from "../../advice/aligned-size.ts";
import { fitsVm } from "../../advice/candidate.ts";
import { fewestCores } from "../../advice/sockets-and-cores.ts";
import { DENNEMAN_2019_EPYC, DENNEMAN_2022_MEMORY, KB_67996, VNUMA_DOC_65 } from "../../model/sources.ts";
import { plural } from "../../model/words.ts";
import { DEFAULT_MIN_VCPUS } from "../../platforms/esxi/input.ts";
import { groupText } from "../../platforms/esxi/layout.ts";
import { builtinRule, holds, type PageOf, unsafeFix, vcpusOf } from "../define.ts";
import { useVcpus } from "../shape-advice.ts";

export const rule = builtinRule({
  id: "numa/spans-nodes",
  severity: "info",
  on: ["vcpus"],
  needs: ["host", "topology"],
  onlyWiderThan: "node",
  reads: [
    "vcpus",
    "cpuHotAdd",
    "vnumaMinVcpus",
    "coresPerNumaNode",
    "maxVcpusPerVnumaNode",
    "maxVcpusPerPhysicalNode",
    "maxVcpusPerClient",
  ],
  messages: {
    spans: (d: Span) => `${d.vcpus} vCPUs on NUMA nodes of ${d.capacity} span ${d.clients.length} (${groupText(d.clients)}), ${sight(d)}`,
  },
  applies: ({ vcpus }) => holds(vcpus, (count = 1) => count > 1 && count < DEFAULT_MIN_VCPUS),
  *check({ vm, host, topology, workload, whatIf, ifKnown }) {
    const { numaClients: clients, nodeCapacity: capacity, numaManaged } = topology;
    const vcpus = vcpusOf(vm);
    if (!numaManaged || vcpus <= capacity) return;
    // A manual size of nodes or clients is a deliberate choice.
    if ((vm.coresPerNumaNode?.value ?? 0) > 0 || vm.maxVcpusPerVnumaNode || vm.maxVcpusPerPhysicalNode || vm.maxVcpusPerClient) return;
    if (!isPlaced(topology)) return void (yield { skip: "layout-unknown" });
    const hotAdd = vm.cpuHotAdd?.value === true;
    // If a source decides the view of the guest, numa/vcpu-min-hides and numa/hidden-by-hotadd report the setting that hides the nodes.
    const visible = hotAdd ? whatIf({ cpuHotAdd: false }) : topology;
    if (clients.length === 1 || !visible || isShown(visible)) return;

    const settings = { vnumaMinVcpus: vcpus, ...(hotAdd && { cpuHotAdd: false }) };
    const withSettings = whatIf(settings);
    const canShow = withSettings !== undefined && isDecided(withSettings) && groupText(withSettings.vnumaNodes) === groupText(clients);
    const small = whatIf({ vcpus: capacity, coresPerSocket: fewestCores(capacity) });
    const fits = small?.numaClients.length === 1 && fitsVm(small, { host, workload, memoryMiB: ifKnown("memoryMiB") });
    const show = unsafeFix(`Set numa.vcpu.min to ${vcpus}${hotAdd ? " and turn CPU hot add off" : ""}`, settings);
    yield {
      messageId: "spans",
      data: { vcpus, capacity, clients, hotAdd, fits, canShow },
      at: vm.vcpus?.range ?? vm.range,
      fixes: [...(fits ? [useVcpus(capacity)] : []), ...(canShow ? [show] : [])],
    };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "Small VM spans NUMA nodes it may not see",
  why: "A VM with more vCPUs than a NUMA node has cores spans several nodes. Below 9 vCPUs the guest is documented to see one node. From 6.5 U3 and 6.7 U2 on ESXi may show it more, but the rule is not published. A guest that sees one node cannot keep threads and memory together.",
  whenNot: "When the VM needs this many vCPUs and nothing in the guest is aware of NUMA.",
  evidence: {
    figure: "Remote memory took 130 ns, local 73 ns (Xeon v4); 139 and 89 ns on Skylake",
    source: DENNEMAN_2022_MEMORY,
    against: "These are latencies of memory: software whose data stays in the caches loses less.",
  },
  sources: [DENNEMAN_2019_EPYC, VNUMA_DOC_65, KB_67996, DENNEMAN_2022_MEMORY],
  shared: { host: "1x24x2/4@7.0", vmx: `virtualHW.version = "17"` },
  bad: [
    { title: "8 vCPUs on 6-core nodes", host: "1x24x2/4@6.5u3", vmx: `virtualHW.version = "13"\nnumvcpus = "8"` },
    { title: "The same on ESXi 8.0", host: "1x24x2/4@8.0", vmx: `virtualHW.version = "20"\nnumvcpus = "8"` },
    { title: "CPU hot add hides the nodes as well", vmx: `numvcpus = "8"\nvcpu.hotadd = "TRUE"` },
  ],
  good: [
    { title: "6 vCPUs fit one node", vmx: `numvcpus = "6"` },
    { title: "numa.vcpu.min shows the nodes", vmx: `numvcpus = "8"\nnuma.vcpu.min = "8"` },
    { title: "From 9 vCPUs on the guest sees its nodes", vmx: `numvcpus = "10"` },
    { title: "preferHT puts them on one node", vmx: `numvcpus = "8"\nnuma.vcpu.preferHT = "TRUE"` },
    {
      title: "Before 6.5 U3 one node is certain: see numa/vcpu-min-hides",
      host: "1x24x2/4@6.5u2",
      vmx: `virtualHW.version = "13"\nnumvcpus = "8"`,
    },
  ],
});

interface Span {
  readonly vcpus: number;
  readonly capacity: number;
  readonly clients: readonly number[];
  readonly hotAdd: boolean;
  /** Whether a VM with at most as many vCPUs as a node holds runs on one node. */
  readonly fits: boolean;
  /** Whether numa.vcpu.min shows the nodes to the guest with CPU hot add off. */
  readonly canShow: boolean;
}

/** Returns the view of the guest, and the settings to change. */
function sight({ vcpus, capacity, hotAdd, fits, canShow }: Span): string {
  const sees = hotAdd ? "and CPU hot add shows the guest one." : "and the guest may see only one.";
  const show = `set numa.vcpu.min to ${vcpus}${hotAdd ? " and turn CPU hot add off" : ""} to show them`;
  const remedies = [...(fits ? [`use ${plural(capacity, "vCPU")}`] : []), ...(canShow ? [show] : [])].join(", or ");
  return remedies ? `${sees} ${remedies.charAt(0).toUpperCase()}${remedies.slice(1)}.` : sees;
}
