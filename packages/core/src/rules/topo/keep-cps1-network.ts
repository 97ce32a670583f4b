import { AUTO_TOPOLOGY_HARDWARE } from "../../limits/hardware.ts";
import { VTOPO80 } from "../../model/sources.ts";
import { plural } from "../../model/words.ts";
import { builtinRule, holds, type PageOf, shownCoresPerSocket } from "../define.ts";
import { setCoresPerSocket } from "../shape-advice.ts";

export const rule = builtinRule({
  id: "topo/keep-cps1-network",
  severity: "hint",
  about: "latency",
  on: ["hardwareVersion"],
  needs: ["host", "topology"],
  reads: ["vcpus", "coresPerSocket", "hardwareVersion"],
  messages: {
    automatic: (d: { vcpus: number; sockets: number; coresPerSocket: number }) =>
      `ESXi shows these ${d.vcpus} vCPUs as ${plural(d.sockets, "socket")} of ${d.coresPerSocket}. For work that waits for single packets or I/Os, compare it with 1 core per socket.`,
  },
  applies: ({ vcpus, coresPerSocket, hardwareVersion }) => {
    const chosen = [
      holds(vcpus, (count = 1) => count > 1),
      holds(coresPerSocket, (cores = "auto") => cores === "auto"),
      holds(hardwareVersion, (version = 0) => version >= AUTO_TOPOLOGY_HARDWARE),
    ];
    return chosen.includes(false) ? false : chosen.includes(undefined) ? undefined : true;
  },
  *check({ vm, workload, topology, whatIf }) {
    const { vcpus, sockets } = topology;
    const coresPerSocket = shownCoresPerSocket(vm, topology);
    if (!vm.vcpus || workload?.kind !== "latency" || coresPerSocket === undefined || coresPerSocket === 1) return;
    if (typeof coresPerSocket !== "number") return void (yield coresPerSocket);
    // A guest with a socket limit would not use all of them.
    if (whatIf({ coresPerSocket: 1 })?.guestUsableVcpus !== vcpus) return;
    yield {
      messageId: "automatic",
      data: { vcpus, sockets, coresPerSocket },
      at: vm.coresPerSocket?.range ?? vm.vcpus.range,
      fixes: [setCoresPerSocket(1)],
    };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "Automatic sockets for a latency-critical VM",
  why: "Inside one socket a guest moves a thread freely from core to core. Work on a single thread and its interrupts, such as a stream of small packets or I/Os, then loses its caches at each move. With one core per socket the thread stays on its core.",
  whenNot:
    "When the software pins its threads itself, runs many of them, or is a database: with threads pinned the study saw no difference, and databases gained from automatic sockets.",
  evidence: {
    figure:
      "netperf TCP_RR 122.32 µs with one core per socket, 147 µs with automatic sockets; UDP on Linux 352,777 against 259,852 messages a second; fio 5.86 % more CPU, Iometer up to 21 % more CPU cycles for an I/O",
    source: VTOPO80,
    against:
      "Automatic sockets behave like the machine itself: the same netperf run took 144.63 µs on bare metal. Iometer did up to 2.27 % more I/Os a second with them, and with its threads pinned to cores there was no difference.",
  },
  shared: { host: "r640", workload: "latency", vmx: `virtualHW.version = "20"` },
  bad: [{ title: "8 vCPUs, sockets chosen at power-on", vmx: `numvcpus = "8"` }],
  good: [
    { title: "One core per socket", vmx: `numvcpus = "8"\ncpuid.coresPerSocket = "1"` },
    { title: "One core per socket is the default before version 20", vmx: `virtualHW.version = "19"\nnumvcpus = "8"` },
    { title: "A database gains from it", workload: "oracle", vmx: `numvcpus = "8"` },
  ],
});
