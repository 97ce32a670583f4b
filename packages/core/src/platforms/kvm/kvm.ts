import { guestLimit, usableByGuest } from "../../limits/guest-limits.ts";
import { usableVcpus } from "../../limits/sql-server.ts";
import { checkHost, coresPerNode, type HostModel } from "../../model/host.ts";
import { consecutive, sequence } from "../../model/sequence.ts";
import { valueIfKnown } from "../../model/source.ts";
import { CPU_MANAGER, KUBEVIRT_ADMISSION, KUBEVIRT_DEFAULTS, KUBEVIRT_NUMA, KUBEVIRT_VCPU } from "../../model/sources.ts";
import type { KvmFacts, SettingValues, VmSpec } from "../../model/spec.ts";
import type { Certainty, GuestSets, Step } from "../../model/topology.ts";
import { plural } from "../../model/words.ts";
import type { Workload } from "../../model/workload.ts";
import type { Answer, Platform } from "../platform.ts";
import { guestOf } from "./guest.ts";
import { viewOf } from "./machine.ts";
import { SPREAD_OVER_NODES } from "./starts.ts";

/** More vCPUs than QEMU starts (q35 and pseries: 4,096). */
const MOST_VCPUS = 4096;

const SETTINGS = ["vcpus", "coresPerSocket", "threadsPerCore"] as const;

/** Returns the view of a guest on KVM. A host decides only the nodes of guestMappingPassthrough. */
function answer(vm: VmSpec, host: HostModel | undefined, workload: Workload | undefined, override: SettingValues): Answer {
  if (host) checkHost(host);
  const { kvm, settings } = vm;
  if (kvm?.refused)
    return {
      ok: false,
      because: "no-power-on",
      reasons: [{ ...step(kvm.refused.message), source: kvm.refused.source ?? KUBEVIRT_ADMISSION }],
    };
  for (const name of SETTINGS) {
    const setting = settings[name];
    if (setting.state === "unknown" && !(name in override))
      return { ok: false, because: "unknown-value", reasons: [step(`${name} is unknown: ${setting.reason}`, "unknown")] };
  }
  if (kvm?.unknown !== undefined) return { ok: false, because: "unknown-value", reasons: [step(kvm.unknown, "unknown")] };
  if (kvm?.machine && Object.keys(override).length === 0) return { ok: true, topology: viewOf(vm, kvm.machine, workload) };
  const [vcpus = 1, perSocket = 1, threads = 1] = SETTINGS.map((name) =>
    Number(override[name] ?? valueIfKnown<unknown>(settings[name]) ?? 1),
  );
  if (vcpus > MOST_VCPUS)
    return { ok: false, because: "no-power-on", reasons: [step(`${vcpus} vCPUs are more than the ${MOST_VCPUS} that QEMU starts`)] };
  if (kvm && !kvm.byCounts && !kvm.machine) return { ok: false, because: "unknown-value", reasons: [openPart(vm)] };
  const nodes = kvm?.hostNodes ? hostNodes(kvm, { vcpus, threads }, host) : undefined;
  const machine = { cores: perSocket / threads, threads, present: sequence(vcpus, (i) => i) };
  const shown = guestOf({ ...machine, cells: nodes?.sizes ? consecutive(nodes.sizes) : [] });
  const isKnown = !nodes || nodes.sizes !== undefined;
  const memoryMiB = valueIfKnown(settings.memoryMiB);
  const certainty: Certainty = nodes ? nodes.step.certainty : "documented";
  const sets: GuestSets = {
    possibleVcpus: possibleVcpus(kvm, vcpus, perSocket),
    nodes: isKnown ? shown.nodes.map((ids) => ({ vcpus: ids, memoryMiB: ofNode(memoryMiB, shown.nodes.length) })) : [],
    sharedL3: shown.sharedL3,
    placement: null,
  };
  return {
    ok: true,
    topology: {
      vcpus,
      sockets: shown.sockets,
      coresPerSocket: perSocket,
      threadsPerCore: shown.threadsPerCore,
      vnumaNodes: isKnown ? shown.nodes.map(({ length }) => length) : [],
      sets,
      usableVcpus: threads > 1 && workload?.kind === "mssql" ? null : (usableVcpus(workload, vcpus, perSocket) ?? null),
      guestUsableVcpus: usableByGuest(guestLimit(valueIfKnown(settings.guestOs) ?? ""), vcpus, perSocket),
      certainty,
      certainties: { sockets: "documented", vnumaNodes: certainty },
      reasons: [
        {
          ...step(`${plural(shown.sockets, "socket")} of ${plural(perSocket, "vCPU")}, as the definition and KubeVirt's defaults say`),
          source: KUBEVIRT_DEFAULTS,
        },
        nodes?.step ?? { ...step("no NUMA cells: the guest has one node with all vCPUs"), source: KUBEVIRT_VCPU },
      ],
    },
  };
}

/** Returns why the machine is unknown though its counts are known. */
function openPart({ settings: { memoryMiB } }: VmSpec): Step {
  const part = memoryMiB.state === "unknown" ? `memoryMiB is unknown: ${memoryMiB.reason}` : "a part of its definition is unknown";
  return step(part, "unknown");
}

const step = (text: string, certainty: Step["certainty"] = "documented"): Step => ({ text, source: null, certainty });

/** Memory is equal on each node, in whole pages (vcpu.go, appendDomainNUMA). */
const ofNode = (memoryMiB: number | undefined, nodes: number): number | null =>
  memoryMiB !== undefined && Number.isInteger(memoryMiB / nodes) ? memoryMiB / nodes : null;

function possibleVcpus(kvm: KvmFacts | undefined, vcpus: number, perSocket: number): number | null {
  const { maxSockets } = kvm ?? { maxSockets: { state: "absent" } as const };
  if (maxSockets.state === "absent") return vcpus;
  return maxSockets.state === "known" ? Math.max(maxSockets.value * perSocket, vcpus) : null;
}

/** The nodes of guestMappingPassthrough; without sizes if they are unknown. */
interface HostNodes {
  readonly sizes?: readonly number[];
  readonly step: Step;
}

/**
 * The static policy of the kubelet packs: a node that the VM fills first, then the node with the fewest free CPUs. It reserves CPUs of the
 * first node. So only one node, or a part of the first and the rest of the second, are certain enough to show.
 */
function hostNodes(
  { moreCpus }: KvmFacts,
  { vcpus, threads }: { readonly vcpus: number; readonly threads: number },
  host: HostModel | undefined,
): HostNodes {
  const source = KUBEVIRT_NUMA;
  if (!host) return { step: { text: "the guest gets the nodes of its host CPUs, which depend on the host", source, certainty: "unknown" } };
  const perNode = coresPerNode(host) * host.threadsPerCore;
  const { numaNodes } = host;
  const { options = [], reservedCpus = 0 } = host.kvm?.kubernetes ?? {};
  const wanted = vcpus + moreCpus;
  const ofFirst = perNode - reservedCpus;
  const derived = (text: string): Step => ({ text, source: CPU_MANAGER, certainty: "derived" });
  const packed = (text: string): Step => derived(`${text}: the kubelet packs CPUs`);
  const unknown: Step = { ...derived(`no source shows how the kubelet spreads ${wanted} CPUs over this host`), certainty: "unknown" };
  if (numaNodes === 1 || wanted <= ofFirst || wanted === perNode)
    return { sizes: [vcpus], step: packed(`${plural(wanted, "CPU")} fit a node of ${perNode}`) };
  if (numaNodes !== 2 || wanted > perNode + ofFirst) return { step: unknown };
  if (options.includes(SPREAD_OVER_NODES)) {
    const half = wanted / 2;
    const isEven = half % host.threadsPerCore === 0 && half <= ofFirst && moreCpus === 0;
    return isEven ? { sizes: [half, half], step: derived(`${SPREAD_OVER_NODES} gives ${half} CPUs of each node`) } : { step: unknown };
  }
  const ofNode = wanted > perNode ? wanted - perNode : ofFirst;
  // The threads of a guest core stay on one node, and the CPU of the emulator is taken last.
  const first = ofNode - (ofNode % threads);
  if (first === 0 || vcpus - first > perNode) return { step: unknown };
  const text = `${plural(wanted, "CPU")} take ${plural(ofNode, "CPU")} of the first node, and ${wanted - ofNode} of the other`;
  return { sizes: [first, vcpus - first], step: packed(text) };
}

export const kvm: Platform = {
  name: "kvm",
  runs: ({ platform }) => platform === "kvm",
  settings: SETTINGS,
  needsHost: false,
  // Rules about pins need the numbers of CPUs, which 2x16x2 lacks.
  hostHint: "save what virsh capabilities or lscpu -p prints there as node.txt, and add --host node.txt",
  answer,
};
