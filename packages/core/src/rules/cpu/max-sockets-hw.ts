import { fewestSockets } from "../../advice/sockets-and-cores.ts";
import { excess, MAX_SOCKETS, safeCoresPerSocket, tooManySockets } from "../../limits/hardware.ts";
import { CONFIG_OPTION_9, MULTICORE_DOC_70, VCPU_LIMITS_DOC_67 } from "../../model/sources.ts";
import { plural } from "../../model/words.ts";
import { dividesIntoSockets } from "../../platforms/esxi/divide.ts";
import { builtinRule, coresPerSocketOf, holds, type PageOf, vcpusOf } from "../define.ts";
import { chooseForSockets, setCoresPerSocket } from "../shape-advice.ts";

export const rule = builtinRule({
  id: "cpu/max-sockets-hw",
  severity: "error",
  refused: ["over"],
  on: ["vcpus"],
  reads: ["vcpus", "coresPerSocket", "hardwareVersion"],
  messages: {
    /** `fits`: cores per socket; null if every size makes too many sockets. */
    over: (d: { vcpus: number; sockets: number; fits: number | null }) =>
      `${d.sockets} virtual sockets for ${d.vcpus} vCPUs are more than the ${MAX_SOCKETS} a VM may have. ${
        d.fits === null ? chooseForSockets(MAX_SOCKETS) : `Set ${plural(d.fits, "core")} per socket`
      }.`,
  },
  applies: ({ vcpus }) => holds(vcpus, (count = 1) => count > MAX_SOCKETS),
  *check({ vm, host, ifKnown }) {
    const vcpus = vcpusOf(vm);
    const coresPerSocket = coresPerSocketOf(vm);
    if (!vm.vcpus || !vm.hardwareVersion || coresPerSocket === undefined || !dividesIntoSockets(vcpus, coresPerSocket)) return;
    const hardwareVersion = vm.hardwareVersion.value;
    // Another rule reports more vCPUs than the hardware version allows.
    if (!tooManySockets(vcpus, coresPerSocket, hardwareVersion) || excess("vcpus", vcpus, hardwareVersion)?.certain) return;
    const maxCoresPerSocket = safeCoresPerSocket(hardwareVersion);
    const count = fewestSockets(vcpus, { maxSockets: MAX_SOCKETS, maxCoresPerSocket, host, memoryMiB: ifKnown("memoryMiB") });
    const fits = count === undefined ? null : vcpus / count;
    yield {
      messageId: "over",
      data: { vcpus, sockets: vcpus / coresPerSocket, fits },
      at: vm.coresPerSocket?.range ?? vm.vcpus.range,
      ...(vm.coresPerSocket && { related: [{ message: `${vcpus} vCPUs are set here`, range: vm.vcpus.range }] }),
      fixes: fits === null ? [] : [setCoresPerSocket(fits)],
    };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "More than 128 virtual sockets",
  why: "A VM has at most 128 virtual sockets. One with more vCPUs must have several cores in each of them, unless ESXi chooses the sockets.",
  whenNot: "Never: a VM of that many vCPUs needs larger sockets.",
  evidence: {
    figure: "The maximum number of virtual CPU sockets that a virtual machine can have is 128",
    source: VCPU_LIMITS_DOC_67,
    against: "For hardware version 22 an ESX 9 host reports 448 for one guest and at most 128 for all others: such a VM is not reported.",
  },
  sources: [MULTICORE_DOC_70, CONFIG_OPTION_9],
  bad: [
    { title: "160 sockets of 1 core", host: "2x96x2@8.0", vmx: `virtualHW.version = "19"\nnumvcpus = "160"\ncpuid.coresPerSocket = "1"` },
    { title: "Sockets left at the default of hardware version 19", vmx: `virtualHW.version = "19"\nnumvcpus = "192"` },
  ],
  good: [
    { title: "128 sockets", vmx: `virtualHW.version = "19"\nnumvcpus = "256"\ncpuid.coresPerSocket = "2"` },
    { title: "Chosen at power-on by ESXi 8.0", vmx: `virtualHW.version = "20"\nnumvcpus = "160"` },
    {
      title: "Hardware version 22, without a published limit",
      vmx: `virtualHW.version = "22"\nnumvcpus = "160"\ncpuid.coresPerSocket = "1"`,
    },
  ],
});
