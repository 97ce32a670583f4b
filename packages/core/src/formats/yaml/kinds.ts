import type { Problem } from "../../model/problem.ts";
import { get, itemsOf, textOf, type Value } from "../../syntax/yaml/tree.ts";
import { ansible } from "../ansible/ansible.ts";
import { libvirtTasks } from "../ansible/libvirt-virt.ts";
import { capv } from "../kubernetes/capv.ts";
import { eksAnywhere } from "../kubernetes/eks-anywhere.ts";
import { hive } from "../kubernetes/hive.ts";
import { installConfig } from "../kubernetes/install-config.ts";
import { machineController } from "../kubernetes/machine-controller.ts";
import { openshift } from "../kubernetes/openshift.ts";
import { rancher } from "../kubernetes/rancher.ts";
import { vmClass } from "../kubernetes/vm-class.ts";
import { vmOperator } from "../kubernetes/vm-operator.ts";
import { kubevirt } from "../kubevirt/kubevirt.ts";
import { openstack } from "../openstack/openstack.ts";
import { proxmoxApi } from "../proxmox/api.ts";
import { pulumi } from "../pulumi/pulumi.ts";
import { spec } from "../spec/read-specs.ts";
import type { DocumentContext, Kind, ReadVm } from "./kind.ts";

/** Every kind of document that vmlint reads from YAML and JSON. */
export const KINDS: readonly Kind[] = [
  spec,
  capv,
  vmOperator,
  vmClass,
  kubevirt,
  openshift,
  installConfig,
  hive,
  eksAnywhere,
  machineController,
  rancher,
  ansible,
  libvirtTasks,
  pulumi,
  openstack,
  proxmoxApi,
];

/** Returns the VMs of a document's objects, each by the first kind that knows it; `undefined` if none does. */
export function readDocument(root: Value, report: (problem: Problem) => void, context: DocumentContext): readonly ReadVm[] | undefined {
  const vmsByObject = objectsOf(root).flatMap((object) => {
    for (const kind of KINDS) {
      const vms = kind.read(object, report, context);
      if (vms) return [vms];
    }
    return [];
  });
  return vmsByObject.length > 0 ? vmsByObject.flat() : undefined;
}

/** Objects that contain others: lists printed by Kubernetes, and templates of OpenShift. */
const HOLDERS: Readonly<Record<string, string>> = { List: "items", Template: "objects" };

export function objectsOf(root: Value): readonly Value[] {
  const key = HOLDERS[textOf(get(root, "kind")) ?? ""];
  return key === undefined ? [root] : itemsOf(get(root, key));
}
