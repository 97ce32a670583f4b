/** Whether whole sockets hold the vCPUs. A single vCPU starts with any number: ESXi then ignores the setting (solori.net, 2010). */
export const dividesIntoSockets = (vcpus: number, coresPerSocket: number): boolean => vcpus === 1 || vcpus % coresPerSocket === 0;

/** Whether whole cores hold the vCPUs (vmware-vmx: "not a multiple of cpuid.numSMT"). */
export const dividesIntoCores = (vcpus: number, threadsPerCore: number): boolean => vcpus % threadsPerCore === 0;

/**
 * Whether manual NUMA nodes of a size, 0 for none, divide the vCPUs (vm-operator, validateComputeTopology). The check covers nodes up to
 * the size of the VM; no source shows that a larger size is refused.
 */
export const dividesIntoNodes = (vcpus: number, coresPerNode: number): boolean =>
  coresPerNode === 0 || vcpus % Math.min(coresPerNode, vcpus) === 0;

/** Whether a node consists of whole sockets, or divides one (the same check; otherwise the VM fails to power on). */
export const nodeFitsSockets = (coresPerNode: number, coresPerSocket: number): boolean =>
  coresPerNode % coresPerSocket === 0 || coresPerSocket % coresPerNode === 0;

/**
 * Returns the size of the fewest nodes of at most `most` vCPUs if they are equal; 0 for ESXi's own choice otherwise, or if the sockets do
 * not divide into them. More and smaller nodes would be another shape than requested.
 */
export function sizeOfFewestNodes(vcpus: number, max: number, coresPerSocket?: number): number {
  const size = vcpus / Math.ceil(vcpus / max);
  return Number.isInteger(size) && (coresPerSocket === undefined || nodeFitsSockets(size, coresPerSocket)) ? size : 0;
}

/** Returns the largest accepted divisor of `count` up to `most`; 1 if there is none. */
export function largestDivisor(count: number, max: number, accept: (divisor: number) => boolean = () => true): number {
  let divisor = Math.min(count, max);
  while (divisor > 1 && !(count % divisor === 0 && accept(divisor))) divisor--;
  return divisor;
}
