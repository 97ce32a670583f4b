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

const machine = async (name, args) =>
  new VirtualMachine(name, await checked(name, { memory: 65536, guestId: "windows2019srv_64Guest", ...args }, HOST));

const size = { numCpus: config.getNumber("cpus") ?? 20, numCoresPerSocket: 10 };
export const ids = [(await machine("a", size)).id, (await machine("b", size)).id];
// How many cores is known once the first machine is there.
export const last = (await machine("c", { numCpus: 20, numCoresPerSocket: ids[0].apply(() => 10) })).id;
