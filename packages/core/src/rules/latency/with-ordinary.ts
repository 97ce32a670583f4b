import { PLACES_LATENCY_SENSITIVE } from "../../limits/releases.ts";
import { atLeast, esxi } from "../../model/esxi.ts";
import { KB_430776 } from "../../model/sources.ts";
import { plural } from "../../model/words.ts";
import { builtinRule, type Neighbour, type PageOf } from "../define.ts";

type Vm = Neighbour<"latencySensitivity">;

const isHigh = ({ vm }: Vm): boolean => vm.latencySensitivity?.value === "high";

export const rule = builtinRule({
  id: "latency/with-ordinary",
  severity: "info",
  presets: ["latency"],
  over: "host",
  needs: ["host"],
  reads: ["latencySensitivity"],
  messages: {
    mixed: (d: { high: number; ordinary: number; nodes: number }) =>
      `${plural(d.high, "VM")} with latency sensitivity High ${d.high === 1 ? "shares" : "share"} this host of ${d.nodes} NUMA nodes with ${plural(d.ordinary, "ordinary VM")}. ESXi can place them all on one node when they power on together. Set the host option Numa.InitialPlacementLoadThreshold to 100.`,
  },
  *check({ host, vms }) {
    const [first, ...otherVms] = vms.filter(isHigh);
    const ordinary = vms.filter((vm) => !isHigh(vm));
    if (!first || ordinary.length === 0 || host.numaNodes === 1) return;
    if (!host.esxi) return void (yield { skip: "no-esxi-version" });
    if (!atLeast(host.esxi, OLDEST) || atLeast(host.esxi, PLACES_LATENCY_SENSITIVE)) return;
    yield {
      messageId: "mixed",
      data: { high: otherVms.length + 1, ordinary: ordinary.length, nodes: host.numaNodes },
      on: first,
      at: first.vm.latencySensitivity?.range ?? first.vm.range,
      related: ordinary.map((on) => ({ on, at: on.vm.range, message: on.name })),
    };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "Latency sensitivity High next to ordinary VMs",
  why: "When several VMs power on shortly after each other, ESXi can place all of them on one NUMA node. It then underestimates the load of VMs with latency sensitivity High, so it leaves ordinary VMs on the full node. They can crash, or fail to boot.",
  whenNot:
    "When the host already has Numa.InitialPlacementLoadThreshold = 100, or these VMs never power on together. The article names no release and promises a repair in a later 9.x, so vmlint reports it only for 8.0 and 9.0.",
  evidence: { figure: "The workaround is a load threshold of 100 for initial placement", source: KB_430776 },
  bad: [
    {
      title: "One VM with High and one without on 8.0",
      host: "r640",
      vmx: [`numvcpus = "8"\nsched.cpu.latencySensitivity = "high"`, `numvcpus = "8"`],
    },
  ],
  good: [
    {
      title: "All VMs have High",
      host: "r640",
      vmx: [`numvcpus = "8"\nsched.cpu.latencySensitivity = "high"`, `numvcpus = "8"\nsched.cpu.latencySensitivity = "high"`],
    },
    {
      title: "A host of one NUMA node",
      host: "1x24x2@8.0",
      vmx: [`numvcpus = "8"\nsched.cpu.latencySensitivity = "high"`, `numvcpus = "8"`],
    },
    {
      title: "A release older than the article",
      host: "2x24x2@7.0",
      vmx: [`numvcpus = "8"\nsched.cpu.latencySensitivity = "high"`, `numvcpus = "8"`],
    },
    {
      title: "A release that may have the repair",
      host: "2x24x2@9.1",
      vmx: [`numvcpus = "8"\nsched.cpu.latencySensitivity = "high"`, `numvcpus = "8"`],
    },
  ],
});

/** The oldest release that was supported when the article appeared in 2026. */
const OLDEST = esxi(8, 0);
