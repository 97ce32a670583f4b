import { DIRECTPATH_65, FT_DEVICES_80 } from "../../model/sources.ts";
import { names } from "../../model/words.ts";
import { isFaultTolerant } from "../../model/workload.ts";
import { builtinRule, type PageOf } from "../define.ts";
import { hostDevices } from "../host-devices.ts";

export const rule = builtinRule({
  id: "ft/passthrough",
  severity: "error",
  needs: ["workload"],
  presets: ["ft"],
  messages: {
    unprotected: (d: { devices: readonly string[] }) =>
      `Fault Tolerance cannot protect a VM with a passthrough device (${names(d.devices)}). Replace it with a virtual device, or turn Fault Tolerance off.`,
  },
  applies: (_, __, workload) => isFaultTolerant(workload),
  *check({ vm }) {
    const devices = hostDevices(vm);
    const [first] = devices;
    if (first) yield { messageId: "unprotected", data: { devices: devices.map(({ id }) => id) }, at: first.range };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "Fault Tolerance can't protect a VM with a passthrough device",
  why: "Fault Tolerance keeps a second VM on another host in the same state, checkpoint by checkpoint. ESXi does not see the state of a passthrough device, so it cannot protect such a VM.",
  whenNot: "Never: replace the device, or protect the service in another way.",
  evidence: {
    figure: '"NIC passthrough. This feature is not supported by Fault Tolerance so it must be turned off"',
    source: FT_DEVICES_80,
  },
  sources: [DIRECTPATH_65],
  bad: [{ title: "A passed-through card", workload: "ft", vmx: `memSize = "4096"\nsched.mem.pin = "TRUE"\npciPassthru0.present = "TRUE"` }],
  good: [
    { title: "VMXNET3", workload: "ft", vmx: `ethernet0.present = "TRUE"\nethernet0.virtualDev = "vmxnet3"` },
    { title: "Without Fault Tolerance", workload: "latency", vmx: `pciPassthru0.present = "TRUE"` },
  ],
});
