import * as pulumi from "@pulumi/pulumi";
import { lintVm } from "@vmlint/core";

/** Arguments of a vsphere.VirtualMachine, with the settings that vmlint calls them. */
const SETTINGS = {
  numCpus: "vcpus",
  numCoresPerSocket: "coresPerSocket",
  memory: "memoryMiB",
  hardwareVersion: "hardwareVersion",
  cpuHotAddEnabled: "cpuHotAdd",
  memoryHotAddEnabled: "memoryHotAdd",
  memoryReservation: "memoryReservationMiB",
};

/** Returns the arguments. An error in them ends the program before anything is made; the rest is logged. */
export function checked(name, args, host) {
  // What is known only later stays unknown, and what depends on it is not checked.
  const known = (value) => (pulumi.Output.isInstance(value) ? { unknown: "Pulumi knows it later" } : value);
  const stated = Object.entries(SETTINGS).map(([argument, setting]) => [setting, known(args[argument])]);
  const { findings } = lintVm({ name, ...Object.fromEntries(stated) }, { host });
  const errors = findings.filter(({ severity }) => severity === "error");
  if (errors.length > 0) throw new pulumi.RunError(errors.map(({ ruleId, message }) => `${name}: ${ruleId}: ${message}`).join("\n"));
  for (const { ruleId, message } of findings) pulumi.log.warn(`${name}: ${ruleId}: ${message}`);
  return args;
}
