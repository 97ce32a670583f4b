import { guestLimit, usableByGuest } from "../../limits/guest-limits.ts";
import { usableVcpus } from "../../limits/sql-server.ts";
import { checkHost, coresPerNode, type HostModel } from "../../model/host.ts";
import { sequence } from "../../model/sequence.ts";
import { valueIfKnown } from "../../model/source.ts";
import { CPU_MANAGER, KUBEVIRT_ADMISSION, KUBEVIRT_DEFAULTS, KUBEVIRT_NUMA, KUBEVIRT_VCPU } from "../../model/sources.ts";
import type { KvmFacts, SettingValues, VmSpec } from "../../model/spec.ts";
import type { Certainty, GuestSets, Step } from "../../model/topology.ts";
import { plural } from "../../model/words.ts";
import type { Workload } from "../../model/workload.ts";
import type { Answer, Platform } from "../platform.ts";
import { cellsOf, guestOf } from "./guest.ts";
import { viewOf } from "./machine.ts";

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
  const nodes = kvm?.hostNodes ? hostNodes(kvm, vcpus, host) : undefined;
  const machine = { cores: perSocket / threads, threads, present: sequence(vcpus, (i) => i) };
  const shown = guestOf({ ...machine, cells: nodes?.sizes ? cellsOf(nodes.sizes) : [] });
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
 * The static policy of the kubelet packs: whole nodes first. It reserves CPUs of the first node, so only one node, or a part of the first
 * and all of the second, are certain enough to show.
 */
function hostNodes({ moreCpus }: KvmFacts, vcpus: number, host: HostModel | undefined): HostNodes {
  const source = KUBEVIRT_NUMA;
  if (!host) return { step: { text: "the guest gets the nodes of its host CPUs, which depend on the host", source, certainty: "unknown" } };
  const perNode = coresPerNode(host) * host.threadsPerCore;
  const { numaNodes } = host;
  const wanted = vcpus + moreCpus;
  const derived = (text: string): Step => ({ text: `${text}: the kubelet packs CPUs`, source: CPU_MANAGER, certainty: "derived" });
  if (numaNodes === 1 || wanted <= perNode) return { sizes: [vcpus], step: derived(`${plural(wanted, "CPU")} fit a node of ${perNode}`) };
  if (numaNodes === 2 && wanted < 2 * perNode) {
    const first = wanted - perNode;
    return {
      sizes: [first, vcpus - first],
      step: derived(`${plural(wanted, "CPU")} take a node of ${perNode}, and ${first} of the other`),
    };
  }
  return {
    step: { text: `no source shows how the kubelet spreads ${wanted} CPUs over this host`, source: CPU_MANAGER, certainty: "unknown" },
  };
}

export const kvm: Platform = { name: "kvm", runs: ({ platform }) => platform === "kvm", settings: SETTINGS, needsHost: false, answer };
