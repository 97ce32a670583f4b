import { NOVA_FLAVORS, NOVA_HARDWARE } from "../../model/sources.ts";
import { numberRuns, plural } from "../../model/words.ts";
import type { PageOf } from "../define.ts";
import { refusalRule } from "../refusal.ts";

/** Returns a flavor as `openstack flavor show -f json` prints it. */
export const flavorOf = (vcpus: number, properties: Readonly<Record<string, string>>): string =>
  `${JSON.stringify({ "OS-FLV-DISABLED:disabled": false, name: "flavor", properties, ram: 8192, vcpus }, null, 2)}\n`;

type Texts = Readonly<Record<string, string>>;

/** Returns tasks of Ansible that make a flavor, an image and a server of both. */
const serverOf = (specs: Texts, properties: Texts): string =>
  [
    "- hosts: localhost",
    "  tasks:",
    `    - openstack.cloud.compute_flavor: { name: big, vcpus: 8, ram: 8192, extra_specs: ${JSON.stringify(specs)} }`,
    `    - openstack.cloud.image: { name: server, properties: ${JSON.stringify(properties)} }`,
    "    - openstack.cloud.server: { name: web01, flavor: big, image: server }",
    "",
  ].join("\n");

export const rule = refusalRule(
  "openstack",
  {
    ImageVCPULimitsRangeImpossible: (d: { vcpus: number }) =>
      `Nova refuses limits that ${plural(d.vcpus, "vCPU")} do not fit (ImageVCPULimitsRangeImpossible). Raise hw:cpu_max_sockets, hw:cpu_max_cores or hw:cpu_max_threads.`,
    InvalidCPUAllocationPolicy: (d: { policy: string }) =>
      `Nova refuses the CPU policy "${d.policy}" (InvalidCPUAllocationPolicy). Set dedicated, mixed or shared.`,
    InvalidCPUThreadAllocationPolicy: (d: { policy: string }) =>
      `Nova refuses the thread policy "${d.policy}" (InvalidCPUThreadAllocationPolicy). Set prefer, isolate or require.`,
    InvalidEmulatorThreadsPolicy: (d: { policy: string }) =>
      `Nova refuses the emulator policy "${d.policy}" (InvalidEmulatorThreadsPolicy). Set isolate or share.`,
    CPUThreadPolicyConfigurationInvalid: () =>
      "Nova refuses a thread policy without dedicated CPUs (CPUThreadPolicyConfigurationInvalid). Set hw:cpu_policy=dedicated, or remove it.",
    BadRequirementEmulatorThreadsPolicy: () =>
      "Nova refuses isolated emulator threads without dedicated CPUs (BadRequirementEmulatorThreadsPolicy). Set hw:cpu_policy=dedicated, or remove it.",
    RequiredMixedInstancePolicy: () =>
      "Nova refuses hw:cpu_dedicated_mask without the mixed policy (RequiredMixedInstancePolicy). Set hw:cpu_policy=mixed, or remove the mask.",
    RequiredMixedOrRealtimeCPUMask: () =>
      "Nova refuses the mixed policy without one mask of dedicated CPUs (RequiredMixedOrRealtimeCPUMask). Set hw:cpu_dedicated_mask.",
    RealtimeConfigurationInvalid: () =>
      "Nova refuses real-time vCPUs without dedicated CPUs (RealtimeConfigurationInvalid). Set hw:cpu_policy=dedicated.",
    InvalidNUMANodesNumber: (d: { nodes: string }) => `Nova refuses "${d.nodes}" NUMA nodes (InvalidNUMANodesNumber). Set 1 or more.`,
    ImageVCPULimitsRangeExceeded: (d: { kind: string; image: number; flavor: number }) =>
      `Nova refuses the image's limit of ${d.image} ${d.kind}, as the flavor's is ${d.flavor} (ImageVCPULimitsRangeExceeded). Set hw_cpu_max_${d.kind} to ${d.flavor} or fewer.`,
    ImageVCPUTopologyRangeExceeded: (d: { kind: string; wish: number; most: number }) =>
      `Nova refuses the image's wish of ${d.wish} ${d.kind}, as the limit is ${d.most} (ImageVCPUTopologyRangeExceeded). Set hw_cpu_${d.kind} to ${d.most} or fewer.`,
    ImageNUMATopologyForbidden: () =>
      "Nova refuses hw_numa_nodes of the image, as the flavor has NUMA nodes (ImageNUMATopologyForbidden). Remove it from the image.",
    ImageCPUPinningForbidden: () =>
      "Nova refuses the CPU policy of the image, as the flavor has another (ImageCPUPinningForbidden). Set hw_cpu_policy as hw:cpu_policy.",
    MemoryPageSizeForbidden: () =>
      "Nova refuses a page size of the image that the flavor does not allow (MemoryPageSizeForbidden). Set hw:mem_page_size in the flavor.",
    ImagePCINUMAPolicyForbidden: () =>
      "Nova refuses the NUMA policy of the image for PCI devices, as the flavor has another (ImagePCINUMAPolicyForbidden). Set both alike.",
    InvalidPCINUMAAffinity: (d: { policy: string }) =>
      `Nova refuses the NUMA policy "${d.policy}" of PCI devices (InvalidPCINUMAAffinity). Set required, preferred, legacy or socket.`,
    ImageNUMATopologyAsymmetric: (d: { vcpus: number; ramMiB: number; nodes: number }) =>
      `Nova refuses ${plural(d.vcpus, "vCPU")} and ${d.ramMiB} MiB in ${d.nodes} equal NUMA nodes (ImageNUMATopologyAsymmetric). Set a number of nodes that divides both, or list hw:numa_cpus and hw:numa_mem.`,
    ImageNUMATopologyIncomplete: (d: { nodes: number; cpus: number; memory: number }) =>
      `Nova refuses ${plural(d.cpus, "list")} of vCPUs and ${d.memory} of memory for ${plural(d.nodes, "NUMA node")} (ImageNUMATopologyIncomplete). Set hw:numa_cpus.N and hw:numa_mem.N for each.`,
    ImageNUMATopologyCPUOutOfRange: (d: { vcpu: number; vcpus: number }) =>
      `Nova refuses vCPU ${d.vcpu} in a NUMA node: the flavor has ${plural(d.vcpus, "vCPU")} (ImageNUMATopologyCPUOutOfRange). List vCPUs up to ${d.vcpus - 1}.`,
    ImageNUMATopologyCPUDuplicates: (d: { vcpu: number }) =>
      `Nova refuses vCPU ${d.vcpu} in two NUMA nodes (ImageNUMATopologyCPUDuplicates). List it once.`,
    ImageNUMATopologyCPUsUnassigned: (d: { vcpus: readonly number[] }) =>
      `Nova refuses vCPUs of no NUMA node: ${numberRuns(d.vcpus, ", ")} (ImageNUMATopologyCPUsUnassigned). List each vCPU.`,
    ImageNUMATopologyMemoryOutOfRange: (d: { sum: number; ramMiB: number }) =>
      `Nova refuses NUMA nodes with ${d.sum} MiB for a flavor of ${d.ramMiB} MiB (ImageNUMATopologyMemoryOutOfRange). Make both the same.`,
  },
  "nova",
);

export const page = (): PageOf<typeof rule> => ({
  summary: "Nova refuses the flavor",
  why: "Nova compares the extra specs of a flavor when it schedules a server. The flavor exists, and no server of it starts.",
  whenNot: "When the flavor is for another hypervisor than libvirt.",
  sources: [NOVA_HARDWARE, NOVA_FLAVORS],
  bad: [
    { title: "3 nodes for 8 vCPUs", json: flavorOf(8, { "hw:numa_nodes": "3" }), expect: "ImageNUMATopologyAsymmetric" },
    {
      title: "vCPU 8 of 8",
      json: flavorOf(8, { "hw:numa_nodes": "1", "hw:numa_cpus.0": "0-8", "hw:numa_mem.0": "8192" }),
      expect: "ImageNUMATopologyCPUOutOfRange",
    },
    {
      title: "vCPU 4 in two nodes",
      json: flavorOf(8, {
        "hw:numa_nodes": "2",
        "hw:numa_cpus.0": "0-4",
        "hw:numa_mem.0": "4096",
        "hw:numa_cpus.1": "4-7",
        "hw:numa_mem.1": "4096",
      }),
      expect: "ImageNUMATopologyCPUDuplicates",
    },
    {
      title: "vCPU 7 in no node",
      json: flavorOf(8, { "hw:numa_nodes": "1", "hw:numa_cpus.0": "0-6", "hw:numa_mem.0": "8192" }),
      expect: "ImageNUMATopologyCPUsUnassigned",
    },
    {
      title: "A node with half of the memory",
      json: flavorOf(8, { "hw:numa_nodes": "1", "hw:numa_cpus.0": "0-7", "hw:numa_mem.0": "4096" }),
      expect: "ImageNUMATopologyMemoryOutOfRange",
    },
    {
      title: "vCPUs of one of 2 nodes",
      json: flavorOf(8, { "hw:numa_nodes": "2", "hw:numa_cpus.0": "0-7", "hw:numa_mem.0": "8192" }),
      expect: "ImageNUMATopologyIncomplete",
    },
    { title: "No nodes", json: flavorOf(8, { "hw:numa_nodes": "0" }), expect: "InvalidNUMANodesNumber" },
    {
      title: "2 sockets of 2 cores for 8 vCPUs",
      json: flavorOf(8, { "hw:cpu_max_sockets": "2", "hw:cpu_max_cores": "2", "hw:cpu_max_threads": "1" }),
      expect: "ImageVCPULimitsRangeImpossible",
    },
    {
      title: "A thread policy for shared CPUs",
      json: flavorOf(8, { "hw:cpu_thread_policy": "isolate" }),
      expect: "CPUThreadPolicyConfigurationInvalid",
    },
    {
      title: "An unknown thread policy",
      json: flavorOf(8, { "hw:cpu_policy": "dedicated", "hw:cpu_thread_policy": "siblings" }),
      expect: "InvalidCPUThreadAllocationPolicy",
    },
    {
      title: "An unknown emulator policy",
      json: flavorOf(8, { "hw:cpu_policy": "dedicated", "hw:emulator_threads_policy": "own" }),
      expect: "InvalidEmulatorThreadsPolicy",
    },
    {
      title: "Isolated emulator threads for shared CPUs",
      json: flavorOf(8, { "hw:emulator_threads_policy": "isolate" }),
      expect: "BadRequirementEmulatorThreadsPolicy",
    },
    {
      title: "A mask with the dedicated policy",
      json: flavorOf(8, { "hw:cpu_policy": "dedicated", "hw:cpu_dedicated_mask": "0-3" }),
      expect: "RequiredMixedInstancePolicy",
    },
    { title: "The mixed policy alone", json: flavorOf(8, { "hw:cpu_policy": "mixed" }), expect: "RequiredMixedOrRealtimeCPUMask" },
    { title: "Real-time vCPUs on shared CPUs", json: flavorOf(8, { "hw:cpu_realtime": "yes" }), expect: "RealtimeConfigurationInvalid" },
    {
      title: "An unknown policy of PCI devices",
      json: flavorOf(8, { "hw:pci_numa_affinity_policy": "strict" }),
      expect: "InvalidPCINUMAAffinity",
    },
    {
      title: "An image with more sockets than the flavor allows",
      yaml: serverOf({ "hw:cpu_max_sockets": "2" }, { hw_cpu_sockets: "4" }),
      expect: "ImageVCPUTopologyRangeExceeded",
    },
    {
      title: "An image with a higher limit",
      yaml: serverOf({ "hw:cpu_max_sockets": "2" }, { hw_cpu_max_sockets: "4" }),
      expect: "ImageVCPULimitsRangeExceeded",
    },
    { title: "NUMA nodes of both", yaml: serverOf({ "hw:numa_nodes": "2" }, { hw_numa_nodes: "2" }), expect: "ImageNUMATopologyForbidden" },
    {
      title: "An image that asks for dedicated CPUs of a shared flavor",
      yaml: serverOf({ "hw:cpu_policy": "shared" }, { hw_cpu_policy: "dedicated" }),
      expect: "ImageCPUPinningForbidden",
    },
    { title: "An image with a page size", yaml: serverOf({}, { hw_mem_page_size: "large" }), expect: "MemoryPageSizeForbidden" },
    {
      title: "Two policies of PCI devices",
      yaml: serverOf({ "hw:pci_numa_affinity_policy": "required" }, { hw_pci_numa_affinity_policy: "preferred" }),
      expect: "ImagePCINUMAPolicyForbidden",
    },
    { title: "An unknown policy", json: flavorOf(8, { "hw:cpu_policy": "pinned" }), expect: "InvalidCPUAllocationPolicy" },
  ],
  good: [
    { title: "2 nodes of 4", json: flavorOf(8, { "hw:numa_nodes": "2", "hw:cpu_sockets": "2" }) },
    { title: "Dedicated CPUs", json: flavorOf(8, { "hw:cpu_policy": "dedicated", "hw:cpu_thread_policy": "require" }) },
  ],
});
