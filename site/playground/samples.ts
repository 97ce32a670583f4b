/// <reference path="./raw.d.ts" />
import ansible from "../../examples/ansible/databases.yml?raw";
import kubevirt from "../../examples/kubevirt/sql01.yaml?raw";
import libvirt from "../../examples/libvirt/pinned.xml?raw";
import pinned from "../../examples/pinning/8-on-4-cores.vmx?raw";
import spec from "../../examples/specs/plan.yaml?raw";
import licence from "../../examples/sql-licences/standard-8x1.vmx?raw";
import wide from "../../examples/wide/64-default.vmx?raw";
import terraform from "../samples/main.tf?raw";
import type { Shared } from "./share.ts";

interface Sample extends Shared {
  readonly title: string;
}

const ANYTHING = { file: "", esxi: "", preset: "recommended", workload: {} };
/** The server of VMware's study of SQL Server on vSphere 5.5. */
const STUDY_55 = { ...ANYTHING, host: "dl580g7", workload: { kind: "mssql", edition: "enterprise", version: "2012", licensing: "core" } };
/** The processors of Broadcom's study of virtual topology. */
const STUDY_80 = { ...ANYTHING, host: "2x Xeon Gold 6148:768@8.0" };
const SQL_STANDARD = { kind: "mssql", edition: "standard", version: "2022", licensing: "core" };

/** Files of the examples, each with the settings of its vmlint.yaml. */
export const SAMPLES: readonly Sample[] = [
  { title: ".vmx: SQL Server Standard", text: licence, ...ANYTHING, host: "2x20x2@8.0", workload: SQL_STANDARD },
  { title: ".vmx: 64 vCPUs", text: wide, ...STUDY_55 },
  { title: ".vmx: pinned", text: pinned, ...STUDY_55 },
  { title: "Terraform", text: terraform, ...STUDY_80 },
  { title: "VM specs in YAML", text: spec, ...STUDY_80 },
  { title: "KubeVirt: SQL Server Standard", text: kubevirt, ...ANYTHING, host: "", workload: SQL_STANDARD },
  { title: "Ansible", text: ansible, ...ANYTHING, host: "2x20x2@8.0" },
  { title: "libvirt: pinned", text: libvirt, ...ANYTHING, host: "" },
];
