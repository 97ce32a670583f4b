import { isAligned, isDecided, nearestAlignedCores } from "../../advice/aligned-size.ts";
import { fitsVm } from "../../advice/candidate.ts";
import { MAX_SOCKETS, safeCoresPerSocket } from "../../limits/hardware.ts";
import {
  CLOUD_DIRECTOR_API,
  INSTALLER_5179,
  INSTALLER_6822,
  PACKER_VMWARE_34,
  SOLORI_2010,
  VCD_634,
  VMWARE_GUEST,
  VMWARE_VM,
} from "../../model/sources.ts";
import { plural } from "../../model/words.ts";
import { dividesIntoSockets } from "../../platforms/esxi/divide.ts";
import { builtinRule, holds, type PageOf, vcpusOf } from "../define.ts";
import { chooseForSockets, setCoresPerSocket } from "../shape-advice.ts";

const ID = "cpu/cps-divides";

const dividesExactly = (vcpus: number, coresPerSocket: number): boolean => vcpus % coresPerSocket === 0;

const POOL = `apiVersion: v1
platform: { vsphere: {} }
controlPlane:
  name: master
  platform: { vsphere: { cpus: 1, coresPerSocket: 8 } }
`;

/**
 * `fits`: cores per socket that divide the vCPUs; null if every divisor makes too many sockets. `fewer`: the next lower count that makes
 * whole sockets; 0 if there is none or the host has no even nodes for it. A higher count may exceed the host or the virtual hardware.
 */
interface Sockets {
  readonly vcpus: number;
  readonly coresPerSocket: number;
  readonly fits: number | null;
  readonly fewer: number;
}

const todo = ({ fits, fewer }: Sockets): string =>
  `${fits === null ? chooseForSockets(MAX_SOCKETS) : `Set ${plural(fits, "core")} per socket`}${fewer > 0 ? `, or use ${fewer} vCPUs` : ""}.`;

export const rule = builtinRule({
  id: ID,
  severity: "error",
  refused: ["remainder"],
  onDesktop: true,
  on: ["coresPerSocket", "vcpus"],
  reads: ["vcpus", "coresPerSocket"],
  messages: {
    remainder: (d: Sockets) =>
      `${d.vcpus} vCPUs do not divide into sockets of ${d.coresPerSocket} cores, so ESXi will not power on the VM. ${todo(d)}`,
    /** A program that is not ESXi does not accept it. */
    unaccepted: (d: Sockets & { filledIn: boolean }) =>
      `${plural(d.vcpus, "vCPU")} ${d.vcpus === 1 ? "does" : "do"} not divide into sockets of ${d.coresPerSocket} cores${d.filledIn ? ", the default" : ""}. ${todo(d)}`,
    desktop: (d: Sockets) =>
      `${plural(d.vcpus, "vCPU")} in sockets of ${d.coresPerSocket} cores are ${d.vcpus / d.coresPerSocket} sockets, which Workstation shows as invalid. ${todo(d)}`,
  },
  applies: ({ coresPerSocket }, { defaults }) =>
    holds(coresPerSocket, (cores = defaults.coresPerSocket) => typeof cores === "number" && cores > 1),
  *check({ vm, host, workload, ifKnown, whatIf }) {
    const vcpus = vcpusOf(vm);
    const coresPerSocket = vm.coresPerSocket?.value ?? vm.defaults.coresPerSocket;
    const at = (vm.coresPerSocket ?? vm.vcpus)?.range;
    const isRefused = vm.generator?.refuses.includes(ID) ?? false;
    const divides = isRefused || vm.platform === "desktop" ? dividesExactly : dividesIntoSockets;
    if (!at || typeof coresPerSocket !== "number" || divides(vcpus, coresPerSocket)) return;
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
    const data = { vcpus, coresPerSocket, fits, fewer: isGood(wholeSockets) ? wholeSockets : 0 };
    const filledIn = !vm.coresPerSocket;
    const isOnlyRefused = isRefused && (filledIn || vcpus === 1);
    yield {
      ...(isOnlyRefused
        ? { messageId: "unaccepted", data: { ...data, filledIn } }
        : { messageId: vm.platform === "desktop" ? "desktop" : "remainder", data }),
      at,
      ...(vm.vcpus &&
        vm.coresPerSocket && {
          related: [{ message: `${plural(vcpus, "vCPU")} ${vcpus === 1 ? "is" : "are"} set here`, range: vm.vcpus.range }],
        }),
      fixes: fits === null ? [] : [setCoresPerSocket(fits)],
    };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "vCPUs do not divide into whole sockets",
  why: "All virtual sockets have the same number of cores. ESXi refuses to power on a VM whose vCPU count is not a multiple of its cores per socket.",
  whenNot:
    "Never: one of the two numbers is wrong. ESXi ignores the setting of a VM with one vCPU, which is only reported where a tool that reads the file or Workstation does not accept it.",
  evidence: { figure: "3 vCPUs with 2 cores per socket: power-on refused (vmware.log of ESX 4.1)", source: SOLORI_2010 },
  sources: [CLOUD_DIRECTOR_API, SOLORI_2010, VCD_634, INSTALLER_5179, INSTALLER_6822, VMWARE_GUEST, VMWARE_VM, PACKER_VMWARE_34],
  bad: [
    { title: "6 vCPUs in sockets of 4", vmx: `numvcpus = "6"\ncpuid.coresPerSocket = "4"`, expect: "remainder" },
    { title: "A socket larger than the VM", vmx: `numvcpus = "2"\ncpuid.coresPerSocket = "4"`, expect: "remainder" },
    {
      title: "A VM of Workstation, which shows half a socket",
      vmx: `virtualHW.version = "16"\nnumvcpus = "1"\ncpuid.coresPerSocket = "2"`,
      expect: "desktop",
    },
    { title: "A socket of 8 cores for 1 vCPU, in install-config.yaml", yaml: POOL, expect: "unaccepted" },
  ],
  good: [
    { title: "8 vCPUs in sockets of 4", vmx: `numvcpus = "8"\ncpuid.coresPerSocket = "4"` },
    { title: "A single vCPU starts with any value", vmx: `numvcpus = "1"\ncpuid.coresPerSocket = "4"` },
    { title: "A count that a template fills in", vmx: `numvcpus = "{{ cpus }}"\ncpuid.coresPerSocket = "4"` },
  ],
});
