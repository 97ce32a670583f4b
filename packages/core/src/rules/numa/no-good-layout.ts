import { faultWords, type LayoutFault, layoutFault } from "../../advice/layout-faults.ts";
import { atLeast, esxi } from "../../model/esxi.ts";
import { DENNEMAN_2016_NUMA5, DENNEMAN_2021_CPS, SQL55, VNUMA_DOC_65 } from "../../model/sources.ts";
import type { SettingName } from "../../model/spec.ts";
import { capitalized, list, plural } from "../../model/words.ts";
import { groupText } from "../../platforms/esxi/layout.ts";
import type { Case } from "../../platforms/esxi/possible.ts";
import { builtinRule, holds, type PageOf, unsafeFix } from "../define.ts";
import { bestShape, missingIn, shapeWords } from "../shape-advice.ts";

export const rule = builtinRule({
  id: "numa/no-good-layout",
  severity: "warning",
  severities: { one: "info" },
  on: ["vcpus"],
  needs: ["host"],
  onlyWiderThan: "node",
  reads: ["vcpus", "coresPerNumaNode", "maxVcpusPerVnumaNode"],
  messages: {
    all: (d: Bad) => allBad(d),
    one: (d: Bad & { good: readonly number[] }) =>
      `Of ${d.layouts.length + 1} possible layouts of the ${vm(d)} on NUMA nodes of ${d.capacity}, only ${groupText(d.good)} is good: ${listed(d.layouts)}.${remedy(d)}`,
  },
  unless: [
    "numa/wide-uneven",
    "numa/cps-misaligned",
    "numa/cps-defines-vnuma",
    "numa/more-nodes-than-host",
    "numa/vpd-spans-ppd",
    "numa/maxpervnode-uneven",
    "numa/maxpervnode-with-cps",
    "numa/prefer-ht-no-fit",
    "numa/followcps",
    "numa/autosize-stale-host",
    "numa/node-affinity-size",
    "cpu/cps-exceeds-pnode",
    "cpu/exceeds-physical-cores",
    "cpu/exceeds-host-threads",
  ],
  applies: ({ vcpus }) => holds(vcpus, (count = 1) => count > 1),
  *check(facts) {
    const { vm, host, advise, layouts, ifKnown } = facts;
    const possible = layouts();
    // Other rules are about nodes set by hand. ESX 4 fills one node before the next, with any shape.
    if (!vm.vcpus || !possible || (vm.coresPerNumaNode?.value ?? 0) > 0 || vm.maxVcpusPerVnumaNode) return;
    const [{ topology }] = possible.cases;
    if (!atLeast(topology.esxi, esxi(5, 0))) return;
    const cases = possible.cases.map((one): Judged => {
      const statesSockets = typeof (ifKnown("coresPerSocket") ?? one.when.coresPerSocket) === "number";
      return { ...one, fault: layoutFault(one.topology, host, statesSockets) };
    });
    const judged = new Map(cases.map((one) => [`${groupText(one.topology.numaClients)} ${one.fault ?? ""}`, one]));
    const bad = [...judged.values()].flatMap((one) => (one.fault ? [{ ...one, fault: one.fault }] : []));
    const [good, ...more] = [...judged.values()].filter(({ fault }) => fault === undefined);
    if (bad.length === 0 || more.length > 0) return;
    // Rules about one cause grade slight differences.
    if (!good && bad.some(({ fault }) => fault === "slight")) return;
    // A layout that is bad on nodes of 1 vCPU may be good on nodes of 4.
    const capacities = new Set(possible.completions().map((one) => one.topology.nodeCapacity));
    if (!possible.isComplete || capacities.size > 1) return yield { skip: "layout-unknown" };
    const best = advise(() => bestShape(facts, topology)) ?? null;
    const settings = missingIn(best?.settings ?? {}, ifKnown);
    const data = {
      vcpus: topology.vcpus,
      coresPerSocket: ifKnown("coresPerSocket") ?? null,
      capacity: topology.nodeCapacity,
      layouts: bad.map((one) => ({ clients: one.topology.numaClients, fault: faultWords(one.topology, host, one.fault) })),
      toBeSure: goodValues(possible.deciding, cases),
      best: best && { words: shapeWords(settings), nodes: best.topology.numaClients },
    };
    const fixes = best ? [unsafeFix(capitalized(shapeWords(settings)), settings)] : [];
    const at = vm.vcpus.range;
    if (good) yield { messageId: "one", data: { ...data, good: good.topology.numaClients }, at, fixes };
    else yield { messageId: "all", data, at, fixes };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "Every possible layout on the host is bad",
  why: "Sources leave open how ESXi divides some VMs. If each of the possible layouts has clients of unequal size, a client wider than a node, a virtual socket on two nodes or more clients than nodes, no answer makes the VM a good one, and another shape does.",
  whenNot: "When a licence needs this number of sockets, or the VM is so lightly loaded that no node fills up.",
  evidence: {
    figure: "64 vCPUs on 4 x 10 cores: 16+16+16+16 (preferHT) gave 30 % more throughput than 10+10+10+10+10+10+4",
    source: SQL55,
    against: "The cost of a socket on two nodes was not measured, and Denneman does not expect 16+14 to be noticed.",
  },
  sources: [DENNEMAN_2021_CPS, VNUMA_DOC_65, DENNEMAN_2016_NUMA5],
  bad: [
    {
      title: "Sockets of 16 fit a node of 24, but three of them do not fit two nodes",
      host: "2x24x2@7.0",
      vmx: `virtualHW.version = "17"\nnumvcpus = "48"\ncpuid.coresPerSocket = "16"`,
      expect: "all",
    },
    {
      title: "Sockets of 4 on nodes of 10",
      host: "2x10x2@8.0",
      vmx: `virtualHW.version = "20"\nnumvcpus = "20"\ncpuid.coresPerSocket = "4"`,
      expect: "all",
    },
    {
      title: "Four sockets of 6, which only four nodes hold well",
      host: "4x10x2@7.0",
      vmx: `virtualHW.version = "17"\nnumvcpus = "24"\ncpuid.coresPerSocket = "6"`,
      expect: "one",
    },
  ],
  good: [
    {
      title: "One socket for each node",
      host: "2x24x2@7.0",
      vmx: `virtualHW.version = "17"\nnumvcpus = "48"\ncpuid.coresPerSocket = "24"`,
    },
    {
      title: "Sockets of 5: two fill a node",
      host: "2x10x2@8.0",
      vmx: `virtualHW.version = "20"\nnumvcpus = "20"\ncpuid.coresPerSocket = "5"`,
    },
    {
      title: "Nodes set by hand to the groups of 8 cores that share a cache",
      host: "dual-epyc-7763",
      vmx: `virtualHW.version = "20"\nnumvcpus = "64"\ncpuid.coresPerSocket = "8"\nnuma.vcpu.coresPerNode = "8"`,
    },
  ],
});

interface Judged extends Pick<Case, "topology" | "when"> {
  readonly fault: LayoutFault | undefined;
}

/** Returns an unknown setting with the values that leave only good layouts. */
function goodValues(deciding: readonly SettingName[], cases: readonly Judged[]): Bad["toBeSure"] {
  for (const setting of deciding) {
    const values = [...new Set(cases.flatMap(({ when }) => when[setting] ?? []))];
    const good = values.filter((value) => cases.every(({ when, fault }) => !fault || (when[setting] ?? value) !== value));
    if (good.length > 0) return { setting, values: good };
  }
  return null;
}

interface Bad {
  readonly vcpus: number;
  readonly coresPerSocket: number | "auto" | null;
  readonly capacity: number;
  readonly layouts: readonly { readonly clients: readonly number[]; readonly fault: string }[];
  readonly toBeSure: { readonly setting: SettingName; readonly values: readonly unknown[] } | null;
  readonly best: { readonly words: string; readonly nodes: readonly number[] } | null;
}

const vm = ({ vcpus, coresPerSocket }: Bad): string =>
  `${vcpus} vCPUs${typeof coresPerSocket === "number" && coresPerSocket > 1 ? ` in sockets of ${coresPerSocket}` : ""}`;

/** The most layouts in a message. */
const MOST_LAYOUTS = 4;

function listed(layouts: Bad["layouts"]): string {
  const more = layouts.length - MOST_LAYOUTS;
  const shown = layouts.slice(0, MOST_LAYOUTS).map(({ fault }) => fault);
  return [...shown, ...(more > 0 ? [`${more} more`] : [])].join(", ");
}

const allBad = (d: Bad): string =>
  `${d.layouts.length === 1 ? "The layout" : `Each of ${d.layouts.length} possible layouts`} of the ${vm(d)} on NUMA nodes of ${d.capacity} is bad: ${listed(d.layouts)}.${remedy(d)}`;

const remedy = ({ best, toBeSure }: Bad): string =>
  toBeSure
    ? ` Set ${toBeSure.setting} to ${list(toBeSure.values.map(String), "or")}.`
    : best
      ? ` ${capitalized(best.words)}: ${best.nodes.length === 1 ? "the VM stays on one node" : `${groupText(best.nodes)} on ${plural(best.nodes.length, "node")}`}.`
      : "";
