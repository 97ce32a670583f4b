import { mostPassthrough } from "../../limits/power-on.ts";
import { formatEsxi } from "../../model/esxi.ts";
import { sequence } from "../../model/sequence.ts";
import { HARDWARE_DOC, KB_309986 } from "../../model/sources.ts";
import { builtinRule, type PageOf } from "../define.ts";
import { hostDevices } from "../host-devices.ts";

const cards = (count: number): string => sequence(count, (i) => `pciPassthru${i}.present = "TRUE"`).join("\n");

export const rule = builtinRule({
  id: "power-on/too-many-devices",
  severity: "error",
  refused: ["many"],
  messages: {
    many: (d: { devices: number; most: number; esxi: string | null; hardwareVersion: number | null }) =>
      `${d.devices} passthrough devices are more than the ${d.most} that a VM${d.hardwareVersion === null ? "" : ` of hardware version ${d.hardwareVersion}`} can have${d.esxi === null ? "" : ` on ESXi ${d.esxi}`}. Remove ${d.devices - d.most}, or use a newer version.`,
  },
  *check({ vm, host, ifKnown }) {
    const devices = hostDevices(vm);
    const hardwareVersion = ifKnown("hardwareVersion");
    const most = mostPassthrough(host?.esxi, hardwareVersion);
    const first = devices[most];
    if (!first) return;
    yield {
      messageId: "many",
      data: { devices: devices.length, most, esxi: host?.esxi ? formatEsxi(host.esxi) : null, hardwareVersion: hardwareVersion ?? null },
      at: first.range,
    };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "More passthrough devices than ESXi gives a VM",
  why: "Each release of ESXi gives a VM a limited number of devices of the host, and the larger numbers need newer virtual hardware too.",
  whenNot: "Never: split the devices over several VMs, or upgrade the host and the virtual hardware.",
  evidence: { figure: "16 on 7.x, 32 on 8.0, 64 on 8.0 U1 with hardware version 20, 128 on 8.0 U2 with 21", source: KB_309986 },
  sources: [HARDWARE_DOC],
  bad: [
    { title: "17 on 7.0", host: "2x20x2@7.0", vmx: `virtualHW.version = "19"\n${cards(17)}` },
    { title: "65 with hardware version 20", host: "2x20x2@8.0 U2", vmx: `virtualHW.version = "20"\n${cards(65)}` },
  ],
  good: [
    { title: "16 on 7.0", host: "2x20x2@7.0", vmx: `virtualHW.version = "19"\n${cards(16)}` },
    { title: "128 on 8.0 U2", host: "2x20x2@8.0 U2", vmx: `virtualHW.version = "21"\n${cards(128)}` },
  ],
});
