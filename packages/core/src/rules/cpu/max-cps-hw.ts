import { nearestAlignedCores } from "../../advice/aligned-size.ts";
import { MAX_SOCKETS } from "../../limits/hardware.ts";
import { CONFIG_OPTION_9, HARDWARE_DOC, HARDWARE_DOC_65, HARDWARE_DOC_67 } from "../../model/sources.ts";
import { builtinRule, holds, type PageOf, vcpusOf } from "../define.ts";
import { beyond, overDocumentedLimit, overLimit } from "../limit.ts";
import { chooseForSockets, setCoresPerSocket } from "../shape-advice.ts";

/** `fits`: the largest divisor of the vCPUs within the limit; null if it makes more sockets than a VM may have. */
const setCores = (fits: number | null): string => (fits === null ? chooseForSockets(MAX_SOCKETS) : setCoresPerSocket(fits).title);

export const rule = builtinRule({
  id: "cpu/max-cps-hw",
  severity: "error",
  severities: { documented: "warning" },
  refused: ["over"],
  on: ["coresPerSocket"],
  reads: ["vcpus", "coresPerSocket", "hardwareVersion"],
  messages: { over: overLimit("cores per socket", setCores), documented: overDocumentedLimit("cores per socket", setCores) },
  applies: ({ coresPerSocket }) => holds(coresPerSocket, (cores) => typeof cores === "number" && cores > 1),
  *check({ vm, host, workload, ifKnown, whatIf }) {
    if (!vm.coresPerSocket || !vm.hardwareVersion || vm.coresPerSocket.value === "auto") return;
    const { value, range } = vm.coresPerSocket;
    const excess = beyond("coresPerSocket", { value, range }, vm.hardwareVersion, host);
    if (!excess) return;
    const { documented } = excess.data;
    const fits =
      nearestAlignedCores({ vcpus: vcpusOf(vm), cores: documented, max: documented, guestOs: ifKnown("guestOs"), workload }, (cores) =>
        whatIf({ coresPerSocket: cores, coresPerNumaNode: 0 }),
      ) ?? null;
    yield { ...excess, data: { ...excess.data, fits }, fixes: fits === null ? [] : [setCoresPerSocket(fits)] };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "More cores per socket than the hardware version allows",
  why: "Each virtual hardware version has a maximum number of cores per socket, and ESXi will not power on a VM above it. For 11 to 19 the documentation has 64, but an ESX 9 host reports 128, as does the documentation of 6.5 for 11 and 13. Between the two values, a host may refuse.",
  whenNot:
    "When every host the VM runs on is ESX 9.0 or later, or ESXi 6.0 or 6.5: name it as the host, and 65 to 128 cores are not reported.",
  evidence: {
    figure: "64 cores per socket for hardware version 9 to 19, 256 from 20 on",
    source: HARDWARE_DOC,
    against:
      "For 11 and 13, the page of vSphere 6.5 has 128, but the pages of 6.7 to 8.0 have 64 cores. For 11 to 19, an ESX 9 host reports 128 cores. For these versions it lists only guests with up to 64, and for 20 and 21 only Windows with up to 128.",
  },
  sources: [HARDWARE_DOC_65, HARDWARE_DOC_67, CONFIG_OPTION_9],
  shared: { vmx: `virtualHW.version = "19"` },
  bad: [
    {
      title: "40 cores per socket on hardware version 8",
      vmx: `virtualHW.version = "8"\nnumvcpus = "40"\ncpuid.coresPerSocket = "40"`,
      expect: "over",
    },
    { title: "96 cores per socket on hardware version 19", vmx: `numvcpus = "96"\ncpuid.coresPerSocket = "96"`, expect: "documented" },
  ],
  good: [
    { title: "64 cores per socket on hardware version 19", vmx: `numvcpus = "64"\ncpuid.coresPerSocket = "64"` },
    {
      title: "96 cores per socket on hardware version 19 of ESX 9.0",
      host: "2x96x2@9.0",
      vmx: `numvcpus = "96"\ncpuid.coresPerSocket = "96"`,
    },
    {
      title: "96 cores per socket on hardware version 13 of ESXi 6.5, whose documentation says 128",
      host: "2x48x2@6.5",
      vmx: `virtualHW.version = "13"\nnumvcpus = "96"\ncpuid.coresPerSocket = "96"`,
    },
  ],
});
