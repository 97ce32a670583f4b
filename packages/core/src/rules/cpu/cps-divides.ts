import { isAligned, isDecided, nearestAlignedCores } from "../../advice/aligned-size.ts";
import { fitsVm } from "../../advice/candidate.ts";
import { dividesIntoSockets } from "../../esxi/divide.ts";
import { MAX_SOCKETS, safeCoresPerSocket } from "../../limits/hardware.ts";
import { CLOUD_DIRECTOR_API, SOLORI_2010, VCD_634 } from "../../model/sources.ts";
import { plural } from "../../model/words.ts";
import { defineRule, holds, vcpusOf } from "../define.ts";
import { chooseForSockets, setCoresPerSocket } from "../shape-advice.ts";

export const rule = defineRule({
  id: "cpu/cps-divides",
  since: "0.1.0",
  severity: "error",
  summary: "vCPUs do not divide into whole sockets",
  why: "All virtual sockets have the same number of cores. ESXi refuses to power on a VM whose vCPU count is not a multiple of its cores per socket.",
  whenNot:
    "Never: one of the two numbers is wrong. A VM of one vCPU is not reported, because ESXi then ignores the setting; VMware Cloud Director refuses even that.",
  evidence: { figure: "3 vCPUs with 2 cores per socket: power-on refused (vmware.log of ESX 4.1)", source: SOLORI_2010 },
  sources: [CLOUD_DIRECTOR_API, SOLORI_2010, VCD_634],
  on: ["coresPerSocket"],
  reads: ["vcpus", "coresPerSocket"],
  messages: {
    /**
     * `fits`: cores per socket that divide the vCPUs; null if every divisor makes too many sockets. `fewer`: the next lower count that
     * makes whole sockets; 0 if there is none or the host has no even nodes for it. A higher count may exceed the host or the virtual
     * hardware.
     */
    remainder: (d: { vcpus: number; coresPerSocket: number; fits: number | null; fewer: number }) =>
      `${d.vcpus} vCPUs do not divide into sockets of ${d.coresPerSocket} cores, so ESXi will not power on the VM. ${
        d.fits === null ? chooseForSockets(MAX_SOCKETS) : `Set ${plural(d.fits, "core")} per socket`
      }${d.fewer > 0 ? `, or use ${d.fewer} vCPUs` : ""}.`,
  },
  bad: [
    { title: "6 vCPUs in sockets of 4", vmx: `numvcpus = "6"\ncpuid.coresPerSocket = "4"`, expect: "remainder" },
    { title: "A socket larger than the VM", vmx: `numvcpus = "2"\ncpuid.coresPerSocket = "4"`, expect: "remainder" },
  ],
  good: [
    { title: "8 vCPUs in sockets of 4", vmx: `numvcpus = "8"\ncpuid.coresPerSocket = "4"` },
    { title: "A single vCPU starts with any value", vmx: `numvcpus = "1"\ncpuid.coresPerSocket = "4"` },
    { title: "A count that a template fills in", vmx: `numvcpus = "{{ cpus }}"\ncpuid.coresPerSocket = "4"` },
  ],
  applies: ({ coresPerSocket }) => holds(coresPerSocket, (cores) => typeof cores === "number" && cores > 1),
  *check({ vm, host, workload, ifKnown, whatIf }) {
    const vcpus = vcpusOf(vm);
    const coresPerSocket = vm.coresPerSocket?.value;
    if (!vm.coresPerSocket || typeof coresPerSocket !== "number" || dividesIntoSockets(vcpus, coresPerSocket)) return;
    const maxCores = safeCoresPerSocket(ifKnown("hardwareVersion"));
    const fits =
      nearestAlignedCores(
        { vcpus, cores: Math.min(coresPerSocket, maxCores), max: maxCores, guestOs: ifKnown("guestOs"), workload },
        (cores) => whatIf({ coresPerSocket: cores, coresPerNumaNode: 0 }),
      ) ?? null;
    const isGood = (count: number): boolean => {
      if (!host?.esxi || count === 0) return true;
      const candidate = whatIf({ vcpus: count });
      return (
        candidate !== undefined &&
        isDecided(candidate) &&
        isAligned(candidate, host.numaNodes) &&
        Math.max(...candidate.vnumaNodes) <= candidate.nodeCapacity &&
        Math.min(candidate.guestUsableVcpus, candidate.usableVcpus ?? count) === count &&
        fitsVm(candidate, { host, workload, memoryMiB: ifKnown("memoryMiB") })
      );
    };
    const wholeSockets = Math.min(Math.floor(vcpus / coresPerSocket), MAX_SOCKETS) * coresPerSocket;
    yield {
      messageId: "remainder",
      data: { vcpus, coresPerSocket, fits, fewer: isGood(wholeSockets) ? wholeSockets : 0 },
      at: vm.coresPerSocket.range,
      ...(vm.vcpus && { related: [{ message: `${vcpus} vCPUs are set here`, range: vm.vcpus.range }] }),
      fixes: fits === null ? [] : [setCoresPerSocket(fits)],
    };
  },
});
