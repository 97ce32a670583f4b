import { VmlintError } from "../model/errors.ts";
import type { ImportedHost, ImportRequest } from "./combine.ts";
import { coreinfo } from "./coreinfo.ts";
import { esxcliCpuGlobal, esxcliCpuList, esxcliMemory, esxiVersion, schedStats } from "./esxcli.ts";
import type { DumpFormat } from "./facts.ts";
import { importWith } from "./host-of-text.ts";
import { vimCmd, vsphereJson } from "./host-systems.ts";
import { hwlocXml } from "./hwloc.ts";
import { kubeletConfiguration, kubernetesNode } from "./kubernetes-node.ts";
import { proxmoxNode, resourceProvider, virshNodeInfo } from "./kvm-node.ts";
import { lscpuExtended, lscpuExtendedJson, lscpuJson, lscpuParsable, lscpuTable } from "./lscpu.ts";
import { numactl } from "./numactl.ts";
import { siblings } from "./siblings.ts";
import { synthetic } from "./synthetic.ts";
import { virshCapabilities } from "./virsh.ts";

export type { ImportedHost, ImportRequest, StatedHost } from "./combine.ts";
export type { DumpFormat } from "./facts.ts";
export { isSynthetic } from "./synthetic.ts";

/** All supported kinds of dumps. */
export const dumpFormats: readonly DumpFormat[] = [
  // First: it names the update, which the API's version number does not below 7.0.
  esxiVersion,
  vimCmd,
  vsphereJson,
  esxcliCpuGlobal,
  esxcliCpuList,
  esxcliMemory,
  schedStats,
  lscpuTable,
  lscpuJson,
  lscpuParsable,
  lscpuExtended,
  lscpuExtendedJson,
  hwlocXml,
  siblings,
  virshCapabilities,
  virshNodeInfo,
  proxmoxNode,
  resourceProvider,
  kubernetesNode,
  kubeletConfiguration,
  numactl,
  coreinfo,
  synthetic,
];

/**
 * Reads a host model from a dump. Throws HOST_UNREADABLE, with the line if possible, for any other text, and for a dump that is truncated,
 * contradictory, of a machine with unequal parts, or without a required fact.
 */
export const importHost = (text: string, request: ImportRequest): ImportedHost => {
  const { name, file, stated = {} } = request ?? {};
  if ([text, name, file].some((one) => typeof one !== "string") || typeof stated !== "object" || stated === null)
    throw new VmlintError(
      "USAGE",
      "importHost takes the text of a dump, and { name, file, stated } with two texts and the facts of a host.",
    );
  return importWith(dumpFormats, text, request);
};
