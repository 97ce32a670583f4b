import * as pulumi from "@pulumi/pulumi";
import { lintResource } from "@vmlint/core";

/** Returns the arguments. An error in them ends the program before anything is made; the rest is logged. */
export async function checked(name, args, host) {
  const resource = { type: "vsphere:index/virtualMachine:VirtualMachine", name, values: opened(args) };
  const { findings } = await lintResource(resource, { host });
  const errors = findings.filter(({ severity }) => severity === "error");
  if (errors.length > 0) throw new pulumi.RunError(errors.map(({ ruleId, message }) => `${name}: ${ruleId}: ${message}`).join("\n"));
  for (const { path, message } of findings) pulumi.log.warn(`${name}.${path.join(".")}: ${message}`);
  return args;
}

/** A value that Pulumi knows later stays unknown. What depends on it is not checked. */
function opened(value) {
  if (pulumi.Output.isInstance(value)) return { unknown: "Pulumi knows it later" };
  if (Array.isArray(value)) return value.map(opened);
  return typeof value === "object" && value !== null
    ? Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, opened(inner)]))
    : value;
}
