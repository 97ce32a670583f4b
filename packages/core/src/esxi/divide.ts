/** Whether whole sockets hold the vCPUs. A single vCPU starts with any number: ESXi then ignores the setting (solori.net, 2010). */
export const dividesIntoSockets = (vcpus: number, coresPerSocket: number): boolean => vcpus === 1 || vcpus % coresPerSocket === 0;

/** Whether whole cores hold the vCPUs (vmware-vmx: "not a multiple of cpuid.numSMT"). */
export const dividesIntoCores = (vcpus: number, threadsPerCore: number): boolean => vcpus % threadsPerCore === 0;

/**
 * Whether NUMA nodes of a size set by hand, 0 for none, divide the vCPUs (vm-operator, validateComputeTopology). It
 * speaks of nodes no larger than the VM; nothing says that a larger size is refused.
 */
export const dividesIntoNodes = (vcpus: number, coresPerNode: number): boolean =>
  coresPerNode === 0 || coresPerNode > vcpus || vcpus % coresPerNode === 0;

/** Whether such a node is whole sockets, or a whole part of one (the same check; otherwise the VM fails to power on). */
export const nodeFitsSockets = (coresPerNode: number, coresPerSocket: number): boolean =>
  coresPerNode % coresPerSocket === 0 || coresPerSocket % coresPerNode === 0;

/**
 * The size of the nodes where as few as hold the vCPUs in at most `most` each are all equal; 0, ESXi's own choice, where they are not, or
 * the sockets do not go into them. More of them, of a smaller size, are no shape that anybody asked for.
 */
export function sizeOfFewestNodes(vcpus: number, most: number, coresPerSocket = 1): number {
  const size = vcpus / Math.ceil(vcpus / most);
  return Number.isInteger(size) && nodeFitsSockets(size, coresPerSocket) ? size : 0;
}

/** The largest whole number up to `most` that divides `count`, of those that are accepted; 1 where none is. */
export function largestDivisor(count: number, most: number, accept: (divisor: number) => boolean = () => true): number {
  let divisor = Math.min(count, most);
  while (divisor > 1 && !(count % divisor === 0 && accept(divisor))) divisor--;
  return divisor;
}
