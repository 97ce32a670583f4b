import { lintResource } from "@vmlint/core";
import { App, TerraformResource, TerraformStack } from "cdktn";

// node main.js && vmlint cdktn.out
const type = "vsphere_virtual_machine";
const app = new App({ outdir: process.argv[2] ?? "cdktn.out" });
const stack = new TerraformStack(app, "fleet");
for (const [name, cpus] of [
  ["web", 4],
  ["db", 22],
]) {
  const values = { name, num_cpus: cpus, memory: 65536, hardware_version: 17 };
  const { findings } = await lintResource({ type, values }, { host: "4x10x2:1024@7.0" });
  for (const { path, message } of findings) console.log(`${name}.${path.join(".")}: ${message}`);
  // As the classes that `cdktn get` writes for a provider do it.
  const machine = new TerraformResource(stack, name, { terraformResourceType: type });
  for (const [argument, value] of Object.entries(values)) machine.addOverride(argument, value);
}
app.synth();
