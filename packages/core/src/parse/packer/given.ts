import type { GivenOption } from "../project.ts";

/** `-var` counts more than any `-var-file`, wherever it stands (Packer's command/meta.go; hcl2template, collectInputVariableValues). */
export const valuesLast = (options: readonly GivenOption[]): readonly GivenOption[] => [
  ...options.filter(({ kind }) => kind === "file"),
  ...options.filter(({ kind }) => kind === "value"),
];
