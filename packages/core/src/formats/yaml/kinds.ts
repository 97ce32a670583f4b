import { ansible } from "../ansible/ansible.ts";
import { capv } from "../kubernetes/capv.ts";
import { eksAnywhere } from "../kubernetes/eks-anywhere.ts";
import { hive } from "../kubernetes/hive.ts";
import { installConfig } from "../kubernetes/install-config.ts";
import { machineController } from "../kubernetes/machine-controller.ts";
import { openshift } from "../kubernetes/openshift.ts";
import { rancher } from "../kubernetes/rancher.ts";
import { vmClass } from "../kubernetes/vm-class.ts";
import { vmOperator } from "../kubernetes/vm-operator.ts";
import { pulumi } from "../pulumi/pulumi.ts";
import { spec } from "../spec/read-specs.ts";
import type { Kind } from "./kind.ts";

/** Every kind of document that vmlint reads from YAML and JSON. */
export const KINDS: readonly Kind[] = [
  spec,
  capv,
  vmOperator,
  vmClass,
  openshift,
  installConfig,
  hive,
  eksAnywhere,
  machineController,
  rancher,
  ansible,
  pulumi,
];
