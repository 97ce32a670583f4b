/** An inventory of another hypervisor: the titles of its columns, or the names of its members in JSON. */
interface OtherInventory {
  readonly hypervisor: string;
  /** All words of one of these lists are in it. */
  readonly marks: readonly (readonly string[])[];
}

const INVENTORIES: readonly OtherInventory[] = [
  // Get-VM | Export-Csv.
  {
    hypervisor: "Hyper-V",
    marks: [
      ["ProcessorCount", "Generation"],
      ["ProcessorCount", "DynamicMemoryEnabled"],
      ["ProcessorCount", "VMId"],
    ],
  },
  // Get-NTNXVM, and the APIs of Prism in versions 2, 3 and 4 (https://www.nutanix.dev/api-reference/).
  {
    hypervisor: "Nutanix AHV",
    marks: [
      ["numVCpus", "memoryCapacityInBytes"],
      ["num_vcpus", "num_cores_per_vcpu"],
      ["num_sockets", "num_vcpus_per_socket"],
      ["numSockets", "numCoresPerSocket", "memorySizeBytes"],
    ],
  },
  // pvesh get /cluster/resources, and /nodes/NODE/qemu (https://pve.proxmox.com/pve-docs/api-viewer/).
  { hypervisor: "Proxmox VE", marks: [["vmid", "maxmem"]] },
];

/** Longer files have the names of their columns at the start, too. */
const START = 100_000;

/** Returns why no VM of such an inventory is read; `undefined` for other texts. */
export function otherInventory(text: string): string | undefined {
  const words = new Set(text.slice(0, START).match(/\w+/g));
  const found = INVENTORIES.find(({ marks }) => marks.some((all) => all.every((word) => words.has(word))));
  return found && listsVmsOf(found.hypervisor);
}

export const listsVmsOf = (hypervisor: string): string => `it lists VMs of ${hypervisor}, which ESXi does not run`;
