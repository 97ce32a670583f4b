import type { ValueFiles } from "../hcl/inputs.ts";

/** Terraform, values/variables, "Variable Definition Precedence". */
export const VALUE_FILES: ValueFiles = {
  prefix: "TF_VAR_",
  isValues: (name) => /\.tfvars(?:\.json)?$/.test(name),
  automatic: (names) => [
    ...["terraform.tfvars", "terraform.tfvars.json"].filter((name) => names.includes(name)),
    ...names.filter((name) => /\.auto\.tfvars(\.json)?$/.test(name)).toSorted(),
  ],
};
