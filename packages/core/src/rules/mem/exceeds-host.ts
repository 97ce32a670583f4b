import { ownedGiB, shownGiB } from "../../limits/vm-memory.ts";
import { KUBEVIRT_OVERCOMMIT, MEMORY_ALLOCATION_DOC_67, MEMORY_DOC, MEMORY_TIERING } from "../../model/sources.ts";
import { builtinRule, type PageOf } from "../define.ts";
import { kubevirtVm } from "../kubevirt-example.ts";

export const rule = builtinRule({
  id: "mem/exceeds-host",
  severity: "warning",
  severities: { reserved: "error" },
  refused: ["reserved"],
  for: ["esxi", "kvm"],
  on: ["memoryMiB"],
  needs: ["host"],
  reads: ["memoryMiB", "memoryReservationMiB", "memoryReservationLocked"],
  messages: {
    swaps: (d: { memoryMiB: number; hostMiB: number }) =>
      `The VM has ${shownGiB(d.memoryMiB)} GiB of memory, and its host has ${ownedGiB(d.hostMiB)} GiB: ESXi needs a part and swaps the excess. Use less than ${ownedGiB(d.hostMiB)} GiB.`,
    tiered: (d: { memoryMiB: number; hostMiB: number; nvmeGiB: number }) =>
      `The VM has ${shownGiB(d.memoryMiB)} GiB of memory, and its host has ${ownedGiB(d.hostMiB)} GiB of DRAM and ${d.nvmeGiB} GiB of NVMe: if the guest uses it all, a part is on NVMe. Use less than ${ownedGiB(d.hostMiB)} GiB.`,
    kvm: (d: { memoryMiB: number; hostMiB: number }) =>
      `The VM has ${shownGiB(d.memoryMiB)} GiB of memory, and its host has ${ownedGiB(d.hostMiB)} GiB: it swaps, or the cluster finds no host for it. Use less than ${ownedGiB(d.hostMiB)} GiB.`,
    reserved: (d: { reservedMiB: number; hostMiB: number }) =>
      `${shownGiB(d.reservedMiB)} GiB are reserved, but this host has only ${ownedGiB(d.hostMiB)} GiB: ESXi will not power on the VM. Use less than ${ownedGiB(d.hostMiB)} GiB.`,
  },
  *check({ vm, host }) {
    if (!vm.memoryMiB) return;
    if (host.memoryGiB === undefined) return yield { skip: "host-incomplete", lacks: ["memoryGiB"] };
    const { memoryGiB, nvmeTierGiB = 0 } = host;
    const hostMiB = (memoryGiB + nvmeTierGiB) * 1024;
    const memoryMiB = vm.memoryMiB.value;
    if (memoryMiB < memoryGiB * 1024) return;
    if (vm.kvm) return void (yield { messageId: "kvm", data: { memoryMiB, hostMiB: memoryGiB * 1024 }, at: vm.memoryMiB.range });
    if (memoryMiB < hostMiB) {
      const data = { memoryMiB, hostMiB: memoryGiB * 1024, nvmeGiB: nvmeTierGiB };
      return void (yield { messageId: "tiered", data, at: vm.memoryMiB.range });
    }
    const reservedMiB = vm.memoryReservationLocked?.value ? memoryMiB : (vm.memoryReservationMiB?.value ?? 0);
    if (reservedMiB >= hostMiB) yield { messageId: "reserved", data: { reservedMiB, hostMiB }, at: vm.memoryMiB.range };
    else yield { messageId: "swaps", data: { memoryMiB, hostMiB }, at: vm.memoryMiB.range };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "VM has at least as much memory as its host",
  why: "ESXi needs memory for itself, so a VM of the host's size already swaps once the guest uses it all, with a severe effect on performance. If the entire memory is reserved, ESXi cannot meet the reservation and does not start the VM. Memory tiering adds NVMe, which is slower: only the DRAM counts for active memory. On KVM the VM swaps, or the scheduler of the cluster finds no host for it.",
  whenNot: "When the VM runs on another host than the one it is checked against, or when the host is a lab that swaps on purpose.",
  evidence: { figure: "Memory beyond the host's is swapped, with a severe effect", source: MEMORY_DOC },
  sources: [MEMORY_ALLOCATION_DOC_67, MEMORY_TIERING, KUBEVIRT_OVERCOMMIT],
  bad: [
    { title: "128 GiB on a host of 128", host: "2x8x2:128@7.0", vmx: `memSize = "131072"`, expect: "swaps" },
    {
      title: "192 GiB on 128 of DRAM and 128 of NVMe",
      host: { name: "esx01", sockets: 2, coresPerSocket: 8, threadsPerCore: 2, numaNodes: 2, memoryGiB: 128, nvmeTierGiB: 128 },
      vmx: `memSize = "196608"`,
      expect: "tiered",
    },
    {
      title: "128 GiB of KubeVirt on a node of 128",
      host: "2x8x2:128",
      yaml: kubevirtVm("cpu:\n  cores: 4\nmemory:\n  guest: 128Gi"),
      expect: "kvm",
    },
    { title: "The same, reserved", host: "2x8x2:128@7.0", vmx: `memSize = "131072"\nsched.mem.pin = "TRUE"`, expect: "reserved" },
  ],
  good: [
    { title: "120 GiB on a host of 128", host: "2x8x2:128@7.0", vmx: `memSize = "122880"` },
    { title: "A small VM on a host of unknown memory", host: "2x8x2@7.0", vmx: `memSize = "4096"` },
  ],
});
