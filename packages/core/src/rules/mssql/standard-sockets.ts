import { sqlLimits, usableVcpus } from "../../limits/sql-server.ts";
import { SQL_CAPACITY, VTOPO80 } from "../../model/sources.ts";
import { plural } from "../../model/words.ts";
import type { Workload } from "../../model/workload.ts";
import { builtinRule, holds, type PageOf, shownCoresPerSocket } from "../define.ts";
import { socketsWithin } from "../idle-sockets.ts";
import { setCoresPerSocket } from "../shape-advice.ts";

interface Idle {
  readonly vcpus: number;
  readonly usable: number;
  readonly sockets: number;
  /** A better shape, and the vCPUs the edition can then use; null when that depends on its version. */
  readonly shape: { readonly sockets: number; readonly coresPerSocket: number; readonly usable: number | null } | null;
}

function idle({ vcpus, usable, sockets, shape }: Idle): string {
  const now = `${usable} of these ${vcpus} vCPUs: it sees ${sockets} sockets.`;
  if (!shape) return `${now} Choose a vCPU count that divides into at most 4 sockets.`;
  const then = shape.usable === null ? "as many as its version allows" : shape.usable === vcpus ? `all ${shape.usable}` : shape.usable;
  return `${now} Set ${plural(shape.coresPerSocket, "core")} per socket (${plural(shape.sockets, "socket")}), which lets it use ${then}.`;
}

export const rule = builtinRule({
  id: "mssql/standard-sockets",
  severity: "error",
  severities: { undeclared: "info" },
  for: ["esxi", "kvm"],
  on: ["vcpus"],
  needs: ["workload"],
  about: "mssql",
  reads: ["vcpus", "coresPerSocket", "hardwareVersion"],
  messages: {
    idle: (d: Idle) => `Standard edition can use ${idle(d)}`,
    undeclared: (d: Idle) => `The edition is not declared. Standard edition could use ${idle(d)}`,
  },
  applies: ({ vcpus }) => holds(vcpus, (count = 1) => count > 4),
  *check({ vm, host, workload: declared, topology, ifKnown }) {
    if (!vm.vcpus || (declared.edition ?? "standard") !== "standard") return;
    const workload: Workload = { ...declared, edition: "standard" };
    const vcpus = vm.vcpus.value;
    const coresPerSocket = shownCoresPerSocket(vm, topology);
    if (coresPerSocket === undefined) return yield { skip: "no-host" };
    if (typeof coresPerSocket !== "number") return yield coresPerSocket;
    const sockets = vcpus / coresPerSocket;
    const limits = sqlLimits(workload);
    const maxSockets = limits[0]?.sockets ?? 4;
    const usable = maxSockets * coresPerSocket;
    if (!Number.isInteger(sockets) || sockets <= maxSockets || usable >= vcpus) return;
    // If the core limit is the lower one, other sockets do not help, and another rule reports it.
    if (limits.every(({ cores }) => cores !== null && usable >= cores)) return;
    if (usableVcpus(workload, vcpus, coresPerSocket) === undefined) return yield { skip: "workload-incomplete", lacks: ["version"] };
    const count = socketsWithin(maxSockets, vcpus, { host, topology, ifKnown });
    const shape =
      count === undefined
        ? null
        : { sockets: count, coresPerSocket: vcpus / count, usable: usableVcpus(workload, vcpus, vcpus / count) ?? null };
    yield {
      messageId: declared.edition === undefined ? "undeclared" : "idle",
      data: { vcpus, usable, sockets, shape },
      at: vm.coresPerSocket?.range ?? vm.vcpus.range,
      fixes: shape ? [setCoresPerSocket(shape.coresPerSocket)] : [],
    };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "More sockets than SQL Server Standard can use",
  why: "Standard edition uses the lesser of 4 sockets and its core limit, and counts the sockets the guest sees. With one core per socket every vCPU is a socket, and all vCPUs after the fourth do no work.",
  whenNot: "When the instance is meant to use 4 vCPUs and the rest serve other software in the guest.",
  evidence: { figure: "8 vCPUs as 8 sockets: 4 are used; as 1 socket x 8 cores: all 8", source: VTOPO80 },
  sources: [SQL_CAPACITY],
  shared: { workload: "mssql, standard, 2022", vmx: `virtualHW.version = "19"` },
  bad: [
    { title: "8 sockets x 1 core", vmx: `numvcpus = "8"\ncpuid.coresPerSocket = "1"`, expect: "idle" },
    {
      title: "12 sockets x 1 core, any edition",
      workload: "mssql",
      vmx: `numvcpus = "12"\ncpuid.coresPerSocket = "1"`,
      expect: "undeclared",
    },
    {
      title: "16 vCPUs, cores per socket left at the default of hardware version 13",
      workload: "mssql, standard",
      vmx: `virtualHW.version = "13"\nnumvcpus = "16"`,
      expect: "idle",
    },
  ],
  good: [
    { title: "1 socket x 8 cores", vmx: `numvcpus = "8"\ncpuid.coresPerSocket = "8"` },
    { title: "4 sockets x 1 core", vmx: `numvcpus = "4"` },
    { title: "Chosen at power-on by ESXi 8.0", host: "r640", vmx: `virtualHW.version = "20"\nnumvcpus = "8"` },
    { title: "Enterprise has no socket limit", workload: "mssql, enterprise, 2022, core", vmx: `numvcpus = "8"` },
  ],
});
