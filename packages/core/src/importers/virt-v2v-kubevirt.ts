import { V2V_KUBEVIRT, V2V_VMX } from "../model/sources.ts";
import type { Importer } from "./importer.ts";
import { kubevirtText } from "./kubevirt-text.ts";
import { ofVmx, V2V_DEVICES, V2V_VERSION } from "./virt-v2v.ts";

/** No topology is one socket. KubeVirt knows no field `thread`, which virt-v2v writes. */
export const virtV2vKubevirt: Importer = {
  name: "virt-v2v",
  title: "virt-v2v -i vmx -o kubevirt",
  target: "kubevirt",
  version: V2V_VERSION,
  sources: [V2V_KUBEVIRT, V2V_VMX],
  reads: ".vmx",
  devices: V2V_DEVICES,
  addsDrivers: true,
  make: ofVmx(({ name, vcpus = 1, memoryMiB }, topology) =>
    kubevirtText(name, [
      "cpu:",
      ...(topology ? [`  sockets: ${topology.sockets}`, `  cores: ${topology.cores}`, "  thread: 1"] : [`  cores: ${vcpus}`]),
      ...(memoryMiB === undefined ? [] : ["resources:", "  requests:", `    memory: ${memoryMiB}Mi`]),
    ]),
  ),
};
