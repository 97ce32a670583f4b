import type { ResourceType } from "./resource-type.ts";

/** Resources with Kubernetes objects are no VMs as long as the reader of these objects is not loaded. */
const unread = (provider: string): ResourceType => ({
  providers: [provider],
  arguments: {},
  isVm: () => false,
  vm() {
    throw new Error("no manifest is read here");
  },
});

export const kubernetesManifest = unread("hashicorp/kubernetes");
export const harvesterVirtualMachine = unread("harvester/harvester");
