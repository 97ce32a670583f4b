/** A variable without a value. */
export interface UnsetVariable {
  /** As the language refers to it: `var.cpus`. */
  readonly name: string;
  /** Files that set it and that nothing loads, relative to the folder of the configuration. */
  readonly foundIn: readonly string[];
}

/** Returns why the value of a variable is unknown, with the files that set it. */
export const unsetReason = (name: string, foundIn: readonly string[] = []): string =>
  `variable ${name} has no default and is given no value${foundIn.length > 0 ? ` (set in ${foundIn.join(", ")})` : ""}`;

/** Returns why the value of a variable is unknown if only a run of Terragrunt finds it. */
export const runReason = (name: string, file: string): string => `variable ${name} gets its value from ${file} when Terragrunt runs`;

/** Returns the variable that a reason is about; `undefined` for another reason. */
export function unsetVariable(reason: string): UnsetVariable | undefined {
  const [, name, files] =
    /^variable (\S+) (?:has no default and is given no value(?: \(set in (.+)\))?|gets its value from .+ when Terragrunt runs)$/.exec(
      reason,
    ) ?? [];
  return name === undefined ? undefined : { name: `var.${name}`, foundIn: files?.split(", ") ?? [] };
}
