import { fewestSockets } from "../../advice/sockets-and-cores.ts";
import { guestLimit } from "../../limits/guest-limits.ts";
import { COMMON_INSTANCETYPES, KUBEVIRT_DEDICATED, KUBEVIRT_INSTANCETYPE, QEMU_L3 } from "../../model/sources.ts";
import { plural } from "../../model/words.ts";
import { builtinRule, type PageOf } from "../define.ts";
import { kubevirtVm } from "../kubevirt-example.ts";
import { setCoresPerSocket } from "../shape-advice.ts";

/** The most sockets that the licences of SQL Server Standard and most editions of Windows clients allow. */
const MOST_SOCKETS = 4;

/** A socket is not wider than the documented maximum of any instancetype that KubeVirt ships. */
const MOST_CORES = 64;

const template = (sockets: number): string =>
  `apiVersion: kubevirt.io/v1\nkind: VirtualMachine\nmetadata:\n  name: vm\nspec:\n  template:\n    metadata:\n      annotations:\n        vm.kubevirt.io/os: windows2k22\n    spec:\n      domain:\n        devices: {}\n        cpu:\n          sockets: ${sockets}\n`;
const withPreference = (name: string): string =>
  kubevirtVm("devices: {}", `instancetype:\n  name: u1.4xlarge\npreference:\n  name: ${name}`);

export const rule = builtinRule({
  id: "kubevirt/one-core-sockets",
  severity: "info",
  presets: ["recommended"],
  for: ["kvm"],
  on: ["kvm"],
  reads: ["vcpus", "coresPerSocket", "guestOs"],
  unless: ["mssql/standard-sockets", "mssql/express", "mssql/web", "mssql/bi", "topo/windows-client-sockets", "guest/max-sockets"],
  messages: {
    sockets: (d: { guest: string; vcpus: number; sockets: number; coresPerSocket: number }) =>
      `${d.guest} sees ${d.vcpus} sockets of one core, and licences such as SQL Server Standard use ${MOST_SOCKETS}. Set ${plural(d.coresPerSocket, "core")} per socket (${plural(d.sockets, "socket")}).`,
  },
  *check({ vm: { vcpus, coresPerSocket, guestOs, kvm }, host, ifKnown }) {
    const guest = guestLimit(guestOs?.value ?? "")?.guest;
    if (!guest || !vcpus || coresPerSocket?.value !== 1 || vcpus.value <= MOST_SOCKETS || kvm?.refused || kvm?.machine) return;
    const memoryMiB = ifKnown("memoryMiB");
    const sockets = fewestSockets(vcpus.value, { maxSockets: MOST_SOCKETS, maxCoresPerSocket: MOST_CORES, host, memoryMiB });
    if (sockets === undefined) return;
    const value = vcpus.value / sockets;
    yield {
      messageId: "sockets",
      data: { guest, vcpus: vcpus.value, sockets, coresPerSocket: value },
      at: coresPerSocket.range,
      fixes: [setCoresPerSocket(value)],
    };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "Windows sees every vCPU as a socket",
  why: "All preferences for Windows Server and the templates of OpenShift make a socket of each vCPU. Licences that count sockets then use only some vCPUs. Each socket has an L3 cache of its own, so the guest wakes threads by interrupts.",
  whenNot: "When nothing in the guest is licensed by socket, and a measurement of your workload prefers sockets.",
  evidence: {
    figure:
      "A shared L3 cache in 1 socket of 8 cores: wake-up interrupts of SAP HANA fell from 268,964 to 40,130 for each vCPU in 40 minutes",
    source: QEMU_L3,
    against: "KubeVirt's guide measured sockets as clearly faster in CPU-bound microbenchmarks.",
  },
  sources: [KUBEVIRT_DEDICATED, KUBEVIRT_INSTANCETYPE, COMMON_INSTANCETYPES],
  bad: [
    { title: "The preference for Windows Server 2022", yaml: withPreference("windows.2k22") },
    { title: "A template of OpenShift with 8 sockets", yaml: template(8) },
  ],
  good: [
    { title: "The preference for Windows 11", yaml: withPreference("windows.11") },
    { title: "4 sockets of one core", yaml: template(4) },
    { title: "Linux, without a limit of sockets", yaml: withPreference("fedora") },
  ],
});
