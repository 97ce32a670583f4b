import { sqlLimits } from "../limits/sql-server.ts";
import { plural } from "../model/words.ts";
import type { Edition, Workload } from "../model/workload.ts";
import {
  builtinRule,
  hasVirtualThreads,
  holds,
  type MissingInput,
  type ProposedFix,
  shownCoresPerSocket,
  unsafeFix,
  type View,
} from "./define.ts";
import { type SocketFacts, socketsWithin } from "./idle-sockets.ts";
import { setCoresPerSocket } from "./shape-advice.ts";

/** The data of a message about an edition with a socket limit and a core limit. */
interface EditionLimitData {
  readonly vcpus: number;
  readonly usable: number;
  readonly maxSockets: number;
  readonly maxCores: number;
  /** Null if ESXi chooses the cores per socket and the host is unknown. */
  readonly sockets: number | null;
  /** The largest VM that the edition uses fully, and its sockets. */
  readonly fits: { readonly vcpus: number; readonly sockets: number };
}

interface EditionLimit {
  /** `cores` if other sockets would not let the edition use more. */
  readonly messageId: "capped" | "cores";
  readonly data: EditionLimitData;
  readonly at: View<"vcpus">["range"];
  readonly fixes: readonly ProposedFix[];
}

interface EditionFacts extends SocketFacts {
  readonly vm: View<"vcpus" | "coresPerSocket" | "hardwareVersion">;
  readonly workload: Workload;
}

/** Describes an edition that uses the lesser of a number of sockets and of cores. */
const editionLimitWords =
  (edition: string) =>
  ({ vcpus, usable, maxSockets, maxCores, sockets, fits }: EditionLimitData): string =>
    `${edition} edition can use ${sockets === null ? "at most " : ""}${usable} of these ${vcpus} vCPUs: it takes at most ${plural(maxSockets, "socket")} and ${plural(maxCores, "core")}${
      sockets === null ? "" : `, and sees ${plural(sockets, "socket")}`
    }. ${
      fits.vcpus === vcpus
        ? `Set ${plural(vcpus / fits.sockets, "core")} per socket (${plural(fits.sockets, "socket")})`
        : `Use ${plural(fits.vcpus, "vCPU")} as ${plural(fits.sockets, "socket")} x ${plural(fits.vcpus / fits.sockets, "core")}`
    }.`;

/** Returns the rule about a VM with more vCPUs than an edition can use; up to a number of them always fit. */
export const editionRule = (edition: Edition, name: string, alwaysFit: number) =>
  builtinRule({
    id: `mssql/${edition}`,
    severity: "error",
    severities: { cores: "warning" },
    for: ["esxi", "kvm"],
    on: ["vcpus"],
    needs: ["workload"],
    about: "mssql",
    reads: ["vcpus", "coresPerSocket", "hardwareVersion"],
    messages: { capped: editionLimitWords(name), cores: editionLimitWords(name) },
    applies: ({ vcpus }, _, workload) => (workload?.edition === edition ? holds(vcpus, (count = 1) => count > alwaysFit) : false),
    *check(facts) {
      const limit = editionLimit(edition, facts);
      if (limit) yield limit;
    },
  });

/** Returns by how much a VM exceeds an edition whose limits are both known. */
function editionLimit(edition: Edition, { vm, host, topology, workload, ifKnown }: EditionFacts): EditionLimit | MissingInput | undefined {
  const vcpus = vm.vcpus?.value;
  if (workload.edition !== edition || vcpus === undefined) return undefined;
  const [limit, ...others] = sqlLimits(workload);
  if (!limit || limit.sockets === null || limit.cores === null) return undefined;
  const { sockets: maxSockets, cores: maxCores } = limit;
  if (others.some((other) => other.sockets !== maxSockets || other.cores !== maxCores))
    return { skip: "workload-incomplete", lacks: ["version"] };

  const shown = shownCoresPerSocket(vm, topology);
  // Above the core limit, sockets only change the amount.
  if (typeof shown === "object" && vcpus <= maxCores) return vcpus > maxSockets ? shown : undefined;
  const coresPerSocket = typeof shown === "number" ? shown : undefined;
  if (coresPerSocket === undefined && vcpus <= maxCores) return vcpus > maxSockets ? { skip: "no-host" } : undefined;
  const usable = Math.min(vcpus, maxCores, coresPerSocket === undefined ? maxCores : maxSockets * coresPerSocket);
  if (usable === vcpus) return undefined;
  // No source says whether the threads of a virtual core count once or twice.
  if (hasVirtualThreads(ifKnown)) return { skip: "layout-unknown" };

  const fits = largest(Math.min(vcpus, maxCores), maxSockets, { host, topology, ifKnown });
  return {
    messageId: usable === maxCores ? "cores" : "capped",
    data: { vcpus, usable, maxSockets, maxCores, sockets: coresPerSocket === undefined ? null : Math.ceil(vcpus / coresPerSocket), fits },
    at: (usable < maxCores ? vm.coresPerSocket?.range : undefined) ?? vm.vcpus?.range ?? vm.range,
    fixes: [
      fits.vcpus === vcpus
        ? setCoresPerSocket(vcpus / fits.sockets)
        : unsafeFix(`Use ${plural(fits.vcpus, "vCPU")} as ${plural(fits.sockets, "socket")}`, {
            vcpus: fits.vcpus,
            coresPerSocket: fits.vcpus / fits.sockets,
          }),
    ],
  };
}

/** Returns the largest VM within a number of vCPUs and a number of sockets. */
function largest(vcpus: number, maxSockets: number, facts: SocketFacts): EditionLimitData["fits"] {
  const sockets = socketsWithin(maxSockets, vcpus, facts);
  return sockets === undefined ? largest(vcpus - 1, maxSockets, facts) : { vcpus, sockets };
}
