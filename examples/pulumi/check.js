import * as pulumi from "@pulumi/pulumi";
import { lint } from "@vmlint/core";
import { yaml } from "@vmlint/core/yaml";

/**
 * The arguments of a vsphere.VirtualMachine, once vmlint has nothing against them: an error ends the program before anything is made, the
 * rest is logged. What is known only later (an Output) stays unknown, and what depends on it is not checked.
 */
export function checked(name, args, target) {
  const program = {
    name: "program",
    runtime: "yaml",
    resources: { [name]: { type: "vsphere:VirtualMachine", properties: written(args) } },
  };
  const { diagnostics } = lint(JSON.stringify(program), { format: yaml, target });
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  if (errors.length > 0) throw new pulumi.RunError(errors.map(({ ruleId, message }) => `${name}: ${ruleId}: ${message}`).join("\n"));
  for (const { ruleId, message } of diagnostics) pulumi.log.warn(`${name}: ${ruleId}: ${message}`);
  return args;
}

/** As Pulumi's YAML has them: there, what is known later is an expression. */
function written(value) {
  if (pulumi.Output.isInstance(value)) return "${later}";
  if (Array.isArray(value)) return value.map(written);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, written(inner)]));
}
