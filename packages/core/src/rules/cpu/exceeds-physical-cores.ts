import { isHanaSize } from "../../limits/hana.ts";
import { givesExclusiveCores } from "../../limits/latency.ts";
import { coresOf, threadsOf } from "../../model/host.ts";
import { HANA_12TB, LATENCY_DOC, SQL55, VHT_RESERVATION_DOC } from "../../model/sources.ts";
import { plural } from "../../model/words.ts";
import { builtinRule, holds, type PageOf } from "../define.ts";
import { useVcpus } from "../shape-advice.ts";

export const rule = builtinRule({
  id: "cpu/exceeds-physical-cores",
  severity: "warning",
  severities: { exclusive: "error" },
  on: ["vcpus"],
  needs: ["host"],
  onlyWiderThan: "host",
  reads: ["vcpus", "preferHt", "threadsPerCore"],
  messages: {
    shared: (d: { vcpus: number; cores: number; threads: number }) =>
      `${d.vcpus} vCPUs share this host's ${plural(d.cores, "core")} (${d.threads} threads) when all are busy. Use at most ${d.cores} to give each a core.`,
    exclusive: (d: { vcpus: number; cores: number }) =>
      `${d.vcpus} vCPUs with latency sensitivity High need an exclusive core each; this host has ${d.cores}. Use at most ${d.cores}, or set it back to normal.`,
  },
  applies: ({ vcpus }) => holds(vcpus, (count = 1) => count > 1),
  *check({ vm, host, workload, ifKnown }) {
    const cores = coresOf(host);
    const threads = threadsOf(host);
    if (!vm.vcpus || (vm.threadsPerCore?.value ?? 1) > 1) return;
    const { value: vcpus, range: at } = vm.vcpus;
    // Another rule reports more vCPUs than threads.
    if (vcpus <= cores || vcpus > threads) return;
    const fixes = [useVcpus(cores)] as const;
    // Without its value, the VMs at least share cores.
    const isExclusive = ifKnown("latencySensitivity") === "high" && host.esxi && givesExclusiveCores(host.esxi);
    if (isExclusive) yield { messageId: "exclusive", data: { vcpus, cores }, at, fixes };
    else if (!(vm.preferHt?.value ?? host.preferHt) && !(workload?.kind === "hana" && isHanaSize(vcpus, host)))
      yield { messageId: "shared", data: { vcpus, cores, threads }, at, fixes };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "More vCPUs than the host has cores",
  why: "If all vCPUs are busy, two of them share a core, and each gets much less than a core. The guest treats them as equal processors and waits for the slower ones. With latency sensitivity High, each vCPU needs an exclusive core.",
  whenNot:
    "When total throughput matters more than the speed of each vCPU, and you measured both sizes. VMs with numa.vcpu.preferHT or cpuid.numSMT are not reported, nor is SAP HANA on all threads of whole sockets, a supported shape. Latency sensitivity High always needs cores.",
  evidence: {
    figure:
      "8 vCPUs did 92,712 operations a minute on 8 cores, and 58,145 on the 8 hyper-threads of 4 cores (SQL Server 2012, 4 x Xeon E7-4870)",
    source: SQL55,
    against: "Hyper-threading itself gained 27 % in the same study: with all cores busy, the second threads still help.",
  },
  sources: [VHT_RESERVATION_DOC, LATENCY_DOC, HANA_12TB],
  bad: [
    { title: "41 vCPUs on 40 cores", host: "dl580g7", vmx: `numvcpus = "41"`, expect: "shared" },
    {
      title: "Latency sensitivity High, on a host of 5.5 and later",
      host: "2x24x2:768@7.0",
      vmx: `numvcpus = "60"\nsched.cpu.latencySensitivity = "high"`,
      expect: "exclusive",
    },
  ],
  good: [
    { title: "40 vCPUs on 40 cores", host: "dl580g7", vmx: `numvcpus = "40"` },
    {
      title: "Virtual hyper-threads, which share a core by design",
      host: "r640",
      vmx: `virtualHW.version = "20"\nnumvcpus = "64"\ncpuid.numSMT = "2"`,
    },
    { title: "SAP HANA on all threads of eight sockets", host: "8x28x2:12288@7.0", workload: "hana, production", vmx: `numvcpus = "448"` },
    { title: "Sized to threads on purpose", host: "dl580g7", vmx: `numvcpus = "64"\nnuma.vcpu.preferHT = "TRUE"` },
  ],
});
