/** The JSON of a Terraform plan with one vSphere VM; `resource` and `plan` add to both. */
export const planOf = (values: object, resource: object = {}, plan: object = {}): string =>
  JSON.stringify({
    format_version: "1.2",
    terraform_version: "1.9.0",
    planned_values: {
      root_module: {
        resources: [
          {
            address: "vsphere_virtual_machine.a",
            mode: "managed",
            type: "vsphere_virtual_machine",
            name: "a",
            provider_name: "registry.terraform.io/hashicorp/vsphere",
            values,
            ...resource,
          },
        ],
      },
    },
    resource_changes: [],
    configuration: {},
    ...plan,
  });
