import { App, TerraformResource, TerraformStack } from "cdktf";

// node main.js && vmlint cdktf.out
const app = new App({ outdir: process.argv[2] ?? "cdktf.out" });
const stack = new TerraformStack(app, "fleet");
for (const [name, cpus] of [
  ["web", 4],
  ["db", 22],
]) {
  // As the classes that `cdktf get` writes for a provider do it.
  const machine = new TerraformResource(stack, name, { terraformResourceType: "vsphere_virtual_machine" });
  for (const [argument, value] of Object.entries({ name, num_cpus: cpus, memory: 65536, hardware_version: 17 }))
    machine.addOverride(argument, value);
}
app.synth();
