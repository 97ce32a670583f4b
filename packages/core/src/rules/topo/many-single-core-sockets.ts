import { isAligned } from "../../advice/aligned-size.ts";
import { AUTO_TOPOLOGY_HARDWARE, runs, safeCoresPerSocket } from "../../limits/hardware.ts";
import { nodesForMemory } from "../../limits/vm-memory.ts";
import { DAKIC19, VTOPO_DOC_80, VTOPO80 } from "../../model/sources.ts";
import { plural } from "../../model/words.ts";
import type { WorkloadKind } from "../../model/workload.ts";
import { isSure } from "../../platforms/esxi/certainty.ts";
import { builtinRule, holds, type PageOf } from "../define.ts";
import { setCoresPerSocket } from "../shape-advice.ts";

/** The smallest VM the figure was measured with. */
const LEAST_VCPUS = 8;

/** The study saw no change for desktops, and recommends one core per socket to tests that wait for single packets. */
const UNMOVED: readonly WorkloadKind[] = ["vdi", "latency"];

export const rule = builtinRule({
  id: "topo/many-single-core-sockets",
  severity: "info",
  presets: ["inventory"],
  on: ["vcpus"],
  needs: ["host", "topology"],
  reads: ["vcpus", "coresPerSocket", "hardwareVersion"],
  messages: {
    byHand: (d: Shapes) =>
      `${d.vcpus} vCPUs are shown as ${d.vcpus} sockets of one core. Let ESXi choose (assigned at power on), which makes ${plural(d.sockets, "socket")} of ${d.coresPerSocket}, or set ${d.coresPerSocket}.`,
    hardware: (d: Shapes & { hardwareVersion: number }) =>
      `${d.vcpus} vCPUs are shown as ${d.vcpus} sockets of one core, the default of hardware version ${d.hardwareVersion}. Set ${d.coresPerSocket} cores per socket (${plural(d.sockets, "socket")}), as ESXi does itself from version ${AUTO_TOPOLOGY_HARDWARE} on.`,
  },
  applies: ({ vcpus, coresPerSocket }) =>
    holds(coresPerSocket, (cores = 1) => cores === 1) === false ? false : holds(vcpus, (count = 1) => count >= LEAST_VCPUS),
  *check({ vm, host, topology, workload, whatIf, ifKnown }) {
    const { vcpus, esxi, coresPerSocket, numaManaged } = topology;
    const hardwareVersion = vm.hardwareVersion?.value;
    if (!vm.vcpus || hardwareVersion === undefined || coresPerSocket !== 1 || vcpus < LEAST_VCPUS || !numaManaged) return;
    if (!runs(esxi, AUTO_TOPOLOGY_HARDWARE) || (workload && UNMOVED.includes(workload.kind))) return;
    // Another rule reports sockets that a licence or the guest leaves unused, except for Developer, which may have no limit.
    const usable = workload?.edition === "developer" ? (topology.usableVcpus ?? vcpus) : topology.usableVcpus;
    if (usable !== vcpus || topology.guestUsableVcpus !== vcpus) return;
    const isOlder = hardwareVersion < AUTO_TOPOLOGY_HARDWARE;
    const auto = whatIf({
      coresPerSocket: "auto",
      // This hardware has no virtual threads. smt/num-smt-host reports a VM that asks for them.
      ...(isOlder && { hardwareVersion: AUTO_TOPOLOGY_HARDWARE, threadsPerCore: 1 }),
    });
    if (!auto || !isSure(auto.certainty) || auto.coresPerSocket === 1 || !isAligned(auto, host.numaNodes)) return;
    // Another rule reports memory that needs more nodes, which is more severe.
    if (auto.numaClients.length < nodesForMemory(ifKnown("memoryMiB"), host)) return;

    const at = vm.coresPerSocket?.range ?? vm.vcpus.range;
    const data = { vcpus, sockets: auto.sockets, coresPerSocket: auto.coresPerSocket };
    const byHand = setCoresPerSocket(auto.coresPerSocket);
    if (!isOlder) yield { messageId: "byHand", data, at, fixes: [setCoresPerSocket("auto"), byHand] };
    else if (auto.coresPerSocket <= safeCoresPerSocket(hardwareVersion)) {
      yield { messageId: "hardware", data: { ...data, hardwareVersion }, at, fixes: [byHand] };
    }
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "Every vCPU is its own socket",
  why: "Before hardware version 20 a VM whose file states none has one core per socket. The guest then takes each vCPU for a processor with a cache of its own, and spreads or holds back work for it. From 8.0 on ESXi chooses sockets that follow the NUMA nodes.",
  whenNot:
    "For work that depends on the latency of single packets or I/Os: the study's netperf, Iometer and fio runs were better with one core per socket. Desktops and VMmark did not change.",
  evidence: {
    figure:
      "Oracle, VMs of 8 to 51 vCPUs on 24-core sockets: sockets chosen by ESXi gave 8.9 % more orders a minute on average, 14 % at best; SQL Server up to 17 %",
    source: VTOPO80,
    against:
      "SQL Server was unchanged on average and slightly slower in a few cases; netperf TCP_RR rose from 122.32 to 147 µs, fio took 5.86 % more CPU. Dakic ran 16 vCPUs on 2 x 16 cores (ESXi 6.0, SQL Server 2019, PVSCSI): one socket of 16 was the slowest of five shapes at 500 rows (562 ms; 4 sockets of 4: 412) and 3,000 rows (46,723; 2 of 8: 40,765), and the fastest at 1,000 and 2,000.",
  },
  sources: [VTOPO_DOC_80, DAKIC19],
  shared: { host: "r640", vmx: `virtualHW.version = "19"` },
  bad: [
    { title: "Set to 1 by hand", vmx: `virtualHW.version = "20"\nnumvcpus = "16"\ncpuid.coresPerSocket = "1"`, expect: "byHand" },
    { title: "The default of version 19", vmx: `numvcpus = "16"`, expect: "hardware" },
  ],
  good: [
    { title: "Chosen by ESXi", vmx: `virtualHW.version = "20"\nnumvcpus = "16"` },
    { title: "One socket", vmx: `numvcpus = "16"\ncpuid.coresPerSocket = "16"` },
    { title: "ESXi 7.0 chooses no sockets", host: "2x24x2@7.0", vmx: `numvcpus = "16"` },
    { title: "Desktops did not change", workload: "vdi", vmx: `numvcpus = "8"` },
  ],
});

interface Shapes {
  readonly vcpus: number;
  readonly sockets: number;
  readonly coresPerSocket: number;
}
