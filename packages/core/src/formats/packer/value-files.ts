import type { ValueFiles } from "../hcl/inputs.ts";
import type { VariableOption } from "../project.ts";

/** `-var` counts more than any `-var-file`, wherever it stands (Packer's command/meta.go; hcl2template, collectInputVariableValues). */
export const valuesLast = (options: readonly VariableOption[]): readonly VariableOption[] => [
  ...options.filter(({ kind }) => kind === "file"),
  ...options.filter(({ kind }) => kind === "value"),
];

/** After the environment all `*.auto.pkrvars.hcl` by name, then all of `.json`, then the command line (Packer's hcl2template, Parse). */
export const VALUE_FILES: ValueFiles = {
  prefix: "PKR_VAR_",
  isValues: (name) => /\.pkrvars\.(?:hcl|json)$/.test(name),
  automatic: (names) =>
    [".auto.pkrvars.hcl", ".auto.pkrvars.json"].flatMap((ending) => names.filter((name) => name.endsWith(ending)).toSorted()),
  inOrder: valuesLast,
};
