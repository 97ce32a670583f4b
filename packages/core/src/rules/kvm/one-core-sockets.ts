import { LIBVIRT_COMMAND, QEMU_L3, VIRT_MANAGER_155 } from "../../model/sources.ts";
import { builtinRule, type PageOf } from "../define.ts";
import { cpuOf, domainOf } from "../domain-example.ts";
import { setCoresPerSocket } from "../shape-advice.ts";

/** The licences of SQL Server Standard, and most editions of Windows, allow as many. */
const MOST_SOCKETS = 4;

export const rule = builtinRule({
  id: "kvm/one-core-sockets",
  severity: "info",
  for: ["kvm"],
  on: ["kvm"],
  reads: ["vcpus", "coresPerSocket"],
  unless: ["mssql/standard-sockets", "mssql/express", "mssql/web", "mssql/bi", "topo/windows-client-sockets", "guest/max-sockets"],
  messages: {
    sockets: (d: { sockets: number; coresPerSocket: number }) =>
      `The guest sees ${d.sockets} sockets of one core, each with an L3 cache of its own. Set ${d.coresPerSocket} cores per socket, unless a measurement of your workload prefers sockets.`,
  },
  *check({ vm: { kvm, coresPerSocket, vcpus, range } }) {
    const { machine, refused, hasNoTopology } = kvm ?? {};
    if (!machine || refused || hasNoTopology || machine.cores * machine.threads > 1 || machine.present.length <= MOST_SOCKETS) return;
    const sizes = new Set(machine.cells.map((cell) => cell.vcpus.length));
    const [size = 0] = sizes;
    const most =
      machine.cells.length === 0 ? machine.possible : sizes.size === 1 && size > 1 && machine.possible % size === 0 ? size : undefined;
    if (most === undefined) return;
    const fixes = machine.present.length === machine.possible ? [setCoresPerSocket(most)] : [];
    const at = coresPerSocket?.range ?? vcpus?.range ?? range;
    yield { messageId: "sockets", data: { sockets: machine.present.length, coresPerSocket: most }, at, fixes };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "Every vCPU is its own socket",
  why: "libvirt, Nova and importers make a socket of each vCPU of a definition without cores. Each socket has an L3 cache of its own, so the guest wakes threads by interrupts, and licences that count sockets use only some vCPUs.",
  whenNot: "When nothing in the guest is licensed by socket, and a measurement of your workload prefers sockets.",
  evidence: {
    figure:
      "A shared L3 cache in 1 socket of 8 cores: wake-up interrupts of SAP HANA fell from 268,964 to 40,130 for each vCPU in 40 minutes",
    source: QEMU_L3,
    against:
      "On Nutanix AHV, 20 sockets of 1 core ran SQL Server analytics 10 to 20 % faster than 1 socket of 20; KubeVirt's guide measured sockets as faster in CPU-bound microbenchmarks.",
  },
  sources: [LIBVIRT_COMMAND, VIRT_MANAGER_155],
  bad: [{ title: "No topology", xml: domainOf("") }],
  good: [
    { title: "One socket", xml: domainOf(cpuOf("sockets='1' cores='8' threads='1'")) },
    { title: "4 sockets", xml: domainOf("", "<vcpu>4</vcpu>") },
  ],
});
