import { hanaSizes, isHalfSocket, isHanaSize, LEAST_HANA_VCPUS, shareGiB, sharesSockets } from "../../limits/hana.ts";
import { excess, safeCoresPerSocket, tooManySockets } from "../../limits/hardware.ts";
import { coresOf } from "../../model/host.ts";
import { DELL_HANA, HANA_12TB } from "../../model/sources.ts";
import { plural } from "../../model/words.ts";
import { builtinRule, coresPerSocketOf, holds, type PageOf, unsafeFix } from "../define.ts";
import { useVcpus } from "../shape-advice.ts";

interface HanaSizes {
  readonly vcpus: number;
  readonly sockets: number;
  readonly coresPerSocket: number;
  /** Null if the vCPUs are counted in cores and the host has enough cores. */
  readonly threadsPerSocket: number | null;
  readonly hostSockets: number;
  /** Whether two such VMs may share the processors of the host. */
  readonly halves: boolean;
  readonly below: number | null;
  readonly above: number | null;
  /** The cores per socket for both sizes, if the present ones do not fit. */
  readonly instead: number | null;
}

export const rule = builtinRule({
  id: "hana/half-or-full-socket",
  severity: "error",
  on: ["vcpus"],
  needs: ["host", "workload"],
  about: "hana",
  reads: ["vcpus", "coresPerSocket", "hardwareVersion"],
  messages: {
    between: (d: HanaSizes) => {
      const are = d.vcpus === 1 ? "1 vCPU is" : `${d.vcpus} vCPUs are`;
      const isBeyond = d.sockets > d.hostSockets && Number.isInteger(d.sockets);
      const takes = `and HANA in production takes ${d.halves ? "half a socket or whole sockets" : "whole sockets"}`;
      const counts = [d.below, d.above].flatMap((size) => size ?? []);
      const sockets = d.instead === null ? "" : `, with ${plural(d.instead, "core")} per socket`;
      const todo =
        counts.length > 0 ? `Use ${counts.join(" or ")}${sockets}.` : "No such size fits this VM: use another host, or less memory.";
      // Its vCPUs may be half a socket or whole ones of a small processor.
      if (d.vcpus < LEAST_HANA_VCPUS)
        return `SAP HANA in production takes at least ${LEAST_HANA_VCPUS} cores, and this VM has ${plural(d.vcpus, "vCPU")}. ${todo}`;
      return `${are} ${d.sockets} sockets of ${d.threadsPerSocket === null ? plural(d.coresPerSocket, "core") : `${d.threadsPerSocket} threads`}, ${isBeyond ? `more than the ${d.hostSockets} of this host` : takes}. ${todo}`;
    },
  },
  applies: ({ vcpus }, _, workload) =>
    workload?.kind === "hana" && workload.environment !== "test" ? holds(vcpus, (count) => count !== undefined) : false,
  *check({ vm, host, workload, ifKnown }) {
    if (!vm.vcpus) return;
    const vcpus = vm.vcpus.value;
    // Another rule reports half sockets that are not allowed.
    if (vcpus >= LEAST_HANA_VCPUS && (isHanaSize(vcpus, host) || isHalfSocket(vcpus, host))) return;
    if (workload.environment === undefined) return yield { skip: "workload-incomplete", lacks: ["environment"] };
    const threadsPerSocket = host.threadsPerCore > 1 && vcpus > coresOf(host) ? host.coresPerSocket * host.threadsPerCore : null;
    // Up to the cores of the host, each size in threads is also a size in cores.
    const sizes = hanaSizes(host, threadsPerSocket !== null);
    const hardwareVersion = vm.hardwareVersion?.value;
    const memoryMiB = ifKnown("memoryMiB") ?? 0;
    // The virtual hardware supports the size, and its nodes hold the memory.
    const isOpen = (size: number): boolean =>
      (hardwareVersion === undefined || !excess("vcpus", size, hardwareVersion, host.esxi)) &&
      memoryMiB <= (shareGiB(size, host) ?? Infinity) * 1024;
    const below = sizes.findLast((size) => size < vcpus && isOpen(size)) ?? null;
    const above = sizes.find((size) => size > vcpus && isOpen(size)) ?? null;
    const size = below ?? above;
    const coresPerSocket = size === null ? 0 : Math.min(size, host.coresPerSocket);
    const isSafe = coresPerSocket <= safeCoresPerSocket(hardwareVersion);
    const socketSize = coresPerSocketOf(vm);
    const fits = [below, above].every(
      (count) => count === null || !tooManySockets(count, socketSize ?? coresPerSocket, hardwareVersion ?? 0),
    );
    // Default sockets stay unless the VM would have too many.
    const stays = socketSize === undefined || socketSize === coresPerSocket || (vm.coresPerSocket === undefined && fits);
    const instead = size === null || stays || !isSafe ? null : coresPerSocket;
    yield {
      messageId: "between",
      data: {
        vcpus,
        sockets: Math.round((vcpus / (threadsPerSocket ?? host.coresPerSocket)) * 1000) / 1000,
        coresPerSocket: host.coresPerSocket,
        threadsPerSocket,
        hostSockets: host.sockets,
        halves: sharesSockets(host),
        below,
        above,
        instead,
      },
      at: vm.vcpus.range,
      fixes: [below, above].flatMap((count) => {
        if (count === null || !isSafe) return [];
        return [unsafeFix(useVcpus(count).title, { vcpus: count, ...(instead !== null && { coresPerSocket: instead }) })];
      }),
    };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "SAP HANA on neither half a socket nor whole sockets",
  why: "Production systems are sized, tested and supported in whole sockets and in half sockets of at least 8 cores, so that no other VM shares a NUMA node's memory bandwidth in a way that was not measured.",
  whenNot: "For systems that are not production: declare `environment: test`.",
  evidence: {
    figure: 'Sockets of 28 cores: 14, 28, 56 and 84 vCPUs; "configurations with 1.5 or 2.5 sockets are not allowed"',
    source: DELL_HANA,
  },
  sources: [HANA_12TB],
  shared: { host: "4x28x2:6144@7.0", workload: "hana, production" },
  bad: [{ title: "One and a half sockets", vmx: `numvcpus = "42"\ncpuid.coresPerSocket = "21"` }],
  good: [
    { title: "Half a socket", vmx: `numvcpus = "14"` },
    { title: "Three sockets", vmx: `numvcpus = "84"` },
    { title: "All threads of eight sockets", host: "8x28x2:12288@7.0", vmx: `numvcpus = "448"` },
    { title: "A test system", workload: "hana, test", vmx: `numvcpus = "42"` },
    { title: "Not declared", workload: "hana", vmx: `numvcpus = "42"` },
  ],
});
