/** Returns a VM of Terraform for examples. */
export const vsphereVm = (body: string): string => `resource "vsphere_virtual_machine" "sql" {\n  ${body}\n}\n`;
