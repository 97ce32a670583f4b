import * as pulumi from "@pulumi/pulumi";
import { checked } from "./check.js";

/** As @pulumi/vsphere declares it. */
class VirtualMachine extends pulumi.CustomResource {
  constructor(name, args) {
    super("vsphere:index/virtualMachine:VirtualMachine", name, args);
  }
}

const HOST = "4x10x2:1024@7.0";
const config = new pulumi.Config();

const machine = (name, args) =>
  new VirtualMachine(name, checked(name, { memory: 65536, guestId: "windows2019srv_64Guest", ...args }, HOST));

export const ids = ["a", "b"].map((name) => machine(name, { numCpus: config.getNumber("cpus") ?? 20, numCoresPerSocket: 10 }).id);
// How many cores is known once the first machine is there.
export const last = machine("c", { numCpus: 20, numCoresPerSocket: ids[0].apply(() => 10) }).id;
