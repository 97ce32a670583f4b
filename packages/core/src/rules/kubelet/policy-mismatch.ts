import { CPU_MANAGER_DOC, NUMA_NODES_KEP, TOPOLOGY_MANAGER_DOC } from "../../model/sources.ts";
import { plural } from "../../model/words.ts";
import { builtinRule, type PageOf } from "../define.ts";

/** The most NUMA nodes of the topology manager, unless an option of the kubelet allows more (NUMA_NODES_KEP). */
const MOST_NODES = 8;

const SPREAD = "distribute-cpus-across-numa";

const machine = (size: string, args: string): string =>
  `apiVersion: infrastructure.cluster.x-k8s.io/v1beta1\nkind: VSphereMachineTemplate\nmetadata:\n  name: worker\nspec:\n  template:\n    spec:\n      template: ubuntu\n${size}---\napiVersion: cluster.x-k8s.io/v1beta1\nkind: MachineDeployment\nmetadata:\n  name: md\nspec:\n  template:\n    spec:\n      bootstrap:\n        configRef: { kind: KubeadmConfigTemplate, name: md }\n      infrastructureRef: { kind: VSphereMachineTemplate, name: worker }\n---\napiVersion: bootstrap.cluster.x-k8s.io/v1beta1\nkind: KubeadmConfigTemplate\nmetadata:\n  name: md\nspec:\n  template:\n    spec:\n      joinConfiguration:\n        nodeRegistration:\n          kubeletExtraArgs:\n${args}`;

const SIZE = "      numCPUs: 16\n      numCoresPerSocket: 16\n      memoryMiB: 65536\n";
const STATIC = `            cpu-manager-policy: static\n            kube-reserved: cpu=500m\n`;

export const rule = builtinRule({
  id: "kubelet/policy-mismatch",
  severity: "info",
  severities: { unreserved: "warning" },
  on: ["configured"],
  messages: {
    unreserved: () =>
      "The CPU manager policy static needs CPUs reserved for the system, and this configuration reserves none: the kubelet does not start. Set kube-reserved, system-reserved or reserved-cpus.",
    nodes: (d: { policy: string; nodes: number; most: number; sure: boolean }) =>
      `The guest ${d.sure ? "sees" : "may see"} ${d.nodes} NUMA nodes, and the topology manager (${d.policy}) takes at most ${d.most}: with more, the kubelet does not start. Use fewer nodes, or set max-allowable-numa-nodes.`,
    hidden: (d: { policy: string; nodes: number; clients: number }) =>
      `The topology manager (${d.policy}) aligns pods to the NUMA nodes of the guest, which sees ${plural(d.nodes, "node")} while its vCPUs run on ${d.clients}. Show the guest its nodes, or use a VM that fits one.`,
    threads: () =>
      "The option full-pcpus-only gives pods whole cores, and this VM shows no hyper-threads: each vCPU is a core, so the option changes nothing. Remove it.",
    spread: () =>
      "The option distribute-cpus-across-numa spreads CPUs over NUMA nodes, and the guest sees one: it changes nothing. Remove it.",
  },
  applies: (_, { configured }) => configured?.().kubelet !== undefined,
  *check({ vm, layouts, ifKnown }) {
    const kubelet = vm.configured?.().kubelet;
    if (!kubelet) return;
    const { cpuManager, topologyManager: policy, options, reserves, range } = kubelet;
    const place = { at: vm.range, related: [{ message: "the policy is set here", range }] };
    const isStatic = cpuManager === "static";
    if (isStatic && !reserves) yield { messageId: "unreserved", ...place };
    if (isStatic && options.includes("full-pcpus-only") && (ifKnown("threadsPerCore") ?? 1) === 1) yield { messageId: "threads", ...place };
    const possible = policy === "none" && !options.includes(SPREAD) ? undefined : layouts();
    if (!possible?.isComplete) return;
    // The template may leave several layouts open.
    const [least, ...others] = possible.cases
      .map(({ topology: one }) => ({ nodes: one.vnumaNodes.length, clients: one.numaClients.length }))
      .sort((a, b) => a.nodes - b.nodes);
    if (!least) return;
    const most = others.at(-1) ?? least;
    if (isStatic && most.nodes === 1 && options.includes(SPREAD)) yield { messageId: "spread", ...place };
    if (policy === "none") return;
    if (most.nodes > MOST_NODES)
      yield { messageId: "nodes", data: { policy, nodes: most.nodes, most: MOST_NODES, sure: least.nodes > MOST_NODES }, ...place };
    else if (possible.cases.every(({ topology: one }) => one.numaManaged && one.numaClients.length > one.vnumaNodes.length))
      yield { messageId: "hidden", data: { policy, ...most }, ...place };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "Kubelet policy does not suit the VM",
  why: "The CPU manager and the topology manager of the kubelet see the cores, threads and NUMA nodes of the guest. Some policies need more than the VM shows, and the kubelet then does not start, or the policy has no effect.",
  whenNot: "When another file completes the configuration of the kubelet, or the image of the VM changes what the guest sees.",
  evidence: { figure: "The kubelet requires a CPU reservation greater than zero with the static policy", source: CPU_MANAGER_DOC },
  sources: [TOPOLOGY_MANAGER_DOC, NUMA_NODES_KEP],
  bad: [
    { title: "static without reserved CPUs", yaml: machine(SIZE, "            cpu-manager-policy: static\n"), expect: "unreserved" },
    {
      title: "full-pcpus-only without threads",
      yaml: machine(SIZE, `${STATIC}            cpu-manager-policy-options: full-pcpus-only=true\n`),
      expect: "threads",
    },
    {
      title: "distribute-cpus-across-numa on one node",
      host: "2x20x2@8.0",
      yaml: machine(SIZE, `${STATIC}            cpu-manager-policy-options: distribute-cpus-across-numa=true\n`),
      expect: "spread",
    },
    {
      title: "16 NUMA nodes",
      host: "2x20x2@7.0",
      yaml: machine(
        `${SIZE}      customVMXKeys: { numa.vcpu.maxPerVirtualNode: "1" }\n`.replace("numCoresPerSocket: 16", "numCoresPerSocket: 1"),
        `${STATIC}            topology-manager-policy: restricted\n`,
      ),
      expect: "nodes",
    },
    {
      title: "Nodes that the guest does not see",
      host: "2x10x2@7.0",
      yaml: machine(
        `${SIZE}      customVMXKeys: { numa.vcpu.min: "32" }\n`.replace("numCoresPerSocket: 16", "numCoresPerSocket: 8"),
        `${STATIC}            topology-manager-policy: single-numa-node\n`,
      ),
      expect: "hidden",
    },
  ],
  good: [
    {
      title: "static with reserved CPUs",
      host: "2x20x2@8.0",
      yaml: machine(SIZE, `${STATIC}            topology-manager-policy: single-numa-node\n`),
    },
    { title: "The default policies", yaml: machine(SIZE, "            max-pods: '200'\n") },
  ],
});
