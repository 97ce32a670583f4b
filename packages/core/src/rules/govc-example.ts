/** Returns the output of govc for a running VM of examples. */
export const govcVm = (config: object, about: object = {}): string =>
  JSON.stringify({
    virtualMachines: [{ name: "app", runtime: { powerState: "poweredOn" }, ...about, config: { name: "app", ...config } }],
  });

/** Returns the hardware of a VM with one socket, in the names of the API. */
export const govcHardware = (numCPU: number) => ({ numCPU, memoryMB: 8192, numCoresPerSocket: numCPU, device: [] });
