import { DENNEMAN_2022_MEMORY, VM_OPERATOR } from "../../model/sources.ts";
import type { SettingValues } from "../../model/spec.ts";
import { plural } from "../../model/words.ts";
import { dividesIntoNodes } from "../../platforms/esxi/divide.ts";
import { sizesNodesByHand } from "../../platforms/esxi/esxi-8.0.ts";
import { builtinRule, holds, type PageOf, unsafeFix, vcpusOf } from "../define.ts";

export const rule = builtinRule({
  id: "numa/cores-per-node-requires-cps",
  severity: "warning",
  on: ["coresPerNumaNode"],
  reads: ["vcpus", "coresPerSocket", "hardwareVersion", "coresPerNumaNode"],
  messages: {
    unset: (d: { vcpus: number; coresPerNode: number }) =>
      `NUMA nodes of ${d.coresPerNode} are set by hand, but the sockets are not. Set ${
        d.coresPerNode > d.vcpus ? `both to ${d.vcpus}, the whole VM` : `${plural(d.coresPerNode, "core")} per socket as well`
      }.`,
  },
  applies: ({ coresPerNumaNode }) => holds(coresPerNumaNode, (size = 0) => size > 0),
  *check({ vm, host }) {
    const automatic = vm.coresPerSocket ? vm.coresPerSocket.value === "auto" : vm.defaults.coresPerSocket === undefined;
    // Before version 20 there is a default, and without a stated version there may be one.
    if (!vm.coresPerNumaNode || !automatic || !vm.hardwareVersion || !sizesNodesByHand(host, vm.hardwareVersion.value)) return;
    const coresPerNode = vm.coresPerNumaNode.value;
    const vcpus = vcpusOf(vm);
    // Another rule reports a size that does not divide the vCPUs, which is wrong with any sockets.
    if (!dividesIntoNodes(vcpus, coresPerNode)) return;
    const size = Math.min(coresPerNode, vcpus);
    const isLarger = size !== coresPerNode;
    const settings: SettingValues = { coresPerSocket: size, ...(isLarger && { coresPerNumaNode: size }) };
    const title = isLarger ? `Make sockets and nodes of ${size}` : `Set ${plural(size, "core")} per socket`;
    yield { messageId: "unset", data: { vcpus, coresPerNode }, at: vm.coresPerNumaNode.range, fixes: [unsafeFix(title, settings)] };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "NUMA nodes set by hand, but sockets are automatic",
  why: "The vSphere client sets cores per socket and NUMA nodes together, and VMware's own webhook refuses a number of nodes without cores per socket. It is not documented what ESXi does with one of these settings alone.",
  whenNot: "When the running guest shows the sockets you want.",
  evidence: { figure: "A number of virtual NUMA nodes without cores per socket is refused before the VM is created", source: VM_OPERATOR },
  sources: [DENNEMAN_2022_MEMORY],
  shared: { vmx: `virtualHW.version = "20"` },
  bad: [
    { title: "Nodes of 6 alone", vmx: `numvcpus = "12"\nnuma.vcpu.coresPerNode = "6"` },
    { title: "Nodes that are larger than the VM", vmx: `numvcpus = "10"\nnuma.vcpu.coresPerNode = "24"` },
  ],
  good: [
    { title: "A size that does not divide the vCPUs, which another rule reports", vmx: `numvcpus = "14"\nnuma.vcpu.coresPerNode = "4"` },
    { title: "Both", vmx: `numvcpus = "12"\ncpuid.coresPerSocket = "6"\nnuma.vcpu.coresPerNode = "6"` },
    { title: "Neither", vmx: `numvcpus = "12"` },
  ],
});
