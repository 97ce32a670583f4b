/** The file of a module with one VM, whose vCPUs a variable says. */
export const RESOURCE = `resource "vsphere_virtual_machine" "vm" {
  name                 = "a"
  num_cpus             = var.cpus
  num_cores_per_socket = 1
  memory               = 4096
  hardware_version     = 10
}
`;

/** On a DL580 G7, a VM breaks this rule with 64 vCPUs, but not with 20. */
export const WIDE = "numa/wide-uneven";

/** The variable that says the vCPUs. */
export const variable = (value: number | string): string => `variable "cpus" {\n  default = ${value}\n}\n`;

/** Tasks for a VM whose vCPUs a file says. */
export const playbookWith = (file: string): string =>
  `- hosts: all\n  vars_files: [${file}]\n  tasks:\n    - community.vmware.vmware_guest:\n        name: a\n        hardware: { num_cpus: "{{ cpus }}", version: 10, memory_mb: 1024 }\n        guest_id: g\n`;
