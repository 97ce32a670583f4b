import type { ResourceType } from "./resource-type.ts";

/** hashicorp/kubernetes, `kubernetes_manifest`: no VM as long as the reader of Kubernetes objects is not loaded. */
export const kubernetesManifest: ResourceType = {
  providers: ["hashicorp/kubernetes"],
  arguments: {},
  isVm: () => false,
  vm() {
    throw new Error("no manifest is read here");
  },
};
