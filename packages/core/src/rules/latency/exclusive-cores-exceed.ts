import { exclusiveCores, givesExclusiveCores } from "../../limits/latency.ts";
import { coresOf } from "../../model/host.ts";
import { LATENCY_55, LATENCY_DOC, VHT_RESERVATION_DOC } from "../../model/sources.ts";
import { plural } from "../../model/words.ts";
import { builtinRule, holds, type Neighbour, type PageOf, vcpusOf } from "../define.ts";

type Vm = Neighbour<"latencySensitivity" | "vcpus" | "threadsPerCore">;

const coresFor = ({ vm }: Vm): number => exclusiveCores(vcpusOf(vm), vm.threadsPerCore?.value ?? 1);

export const rule = builtinRule({
  id: "latency/exclusive-cores-exceed",
  severity: "error",
  presets: ["latency"],
  over: "host",
  on: ["latencySensitivity"],
  needs: ["host"],
  reads: ["latencySensitivity", "vcpus", "threadsPerCore"],
  messages: {
    exceed: (d: { vms: number; needed: number; cores: number; atLeast: boolean }) =>
      `${d.vms} VMs with latency sensitivity High need ${d.atLeast ? "at least " : ""}${d.needed} exclusive cores; this host has ${d.cores}. Free ${plural(d.needed - d.cores, "core")}: move a VM, take vCPUs away, or set one back to normal.`,
  },
  applies: ({ latencySensitivity }) => holds(latencySensitivity, (level) => level === "high"),
  *check({ host, vms, complete }) {
    const [first, ...otherVms] = vms;
    const needed = vms.reduce((sum, vm) => sum + coresFor(vm), 0);
    const cores = coresOf(host);
    if (!first || otherVms.length === 0 || needed <= cores) return;
    if (!host.esxi) return void (yield { skip: "no-esxi-version" });
    if (!givesExclusiveCores(host.esxi)) return;
    yield {
      messageId: "exceed",
      data: { vms: vms.length, needed, cores, atLeast: !complete },
      on: first,
      at: placeOf(first),
      related: otherVms.map((on) => ({ on, at: placeOf(on), message: `${on.name}: ${plural(coresFor(on), "core")}` })),
    };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "VMs with latency sensitivity High need too many exclusive cores",
  why: "Latency sensitivity High gives every vCPU an exclusive core, or every pair of vCPUs with virtual hyper-threading. No source states how many cores ESXi keeps for itself, so only a sum above all cores is reported.",
  whenNot: "Never while these VMs run at the same time: move one, shrink one, or set its latency sensitivity back to normal.",
  evidence: { figure: "20 vCPUs own 20 cores; with two virtual threads per core 10", source: VHT_RESERVATION_DOC },
  sources: [LATENCY_DOC, LATENCY_55],
  shared: { host: "dl580g7" },
  bad: [
    {
      title: "24 + 17 cores on a host of 40",
      vmx: [`numvcpus = "24"\nsched.cpu.latencySensitivity = "high"`, `numvcpus = "17"\nsched.cpu.latencySensitivity = "high"`],
    },
  ],
  good: [
    {
      title: "24 + 16 cores on a host of 40",
      vmx: [`numvcpus = "24"\nsched.cpu.latencySensitivity = "high"`, `numvcpus = "16"\nsched.cpu.latencySensitivity = "high"`],
    },
    {
      title: "48 virtual threads on 24 cores, and 24 more cores",
      host: "r640",
      vmx: [
        `virtualHW.version = "20"\nnumvcpus = "48"\ncpuid.numSMT = "2"\nsched.cpu.latencySensitivity = "high"`,
        `virtualHW.version = "20"\nnumvcpus = "24"\nsched.cpu.latencySensitivity = "high"`,
      ],
    },
    {
      title: "Only one VM has latency sensitivity High",
      vmx: [`numvcpus = "24"\nsched.cpu.latencySensitivity = "high"`, `numvcpus = "24"`],
    },
  ],
});

const placeOf = ({ vm }: Vm) => vm.latencySensitivity?.range ?? vm.range;
