/** The CPUs of a host as the node reports them: nodes, in them cores, in them CPU numbers. */
export type HostCpus = readonly (readonly (readonly number[])[])[];

/**
 * Returns the host CPU of each vCPU with dedicated CPUs, or why KubeVirt refuses. It fills host cores with as many free threads as a guest
 * core has, then takes the rest of one node, and at last of any node, but not if the guest gets the nodes of its CPUs
 * (https://github.com/kubevirt/kubevirt/blob/d923fdb815cd/pkg/virt-launcher/virtwrap/converter/vcpu/vcpu.go#L105-L295).
 */
export function pinsOf(
  { cores, threads }: { readonly cores: number; readonly threads: number },
  host: HostCpus,
  cpus: ReadonlySet<number>,
  keepsNodes: boolean,
): readonly number[] | string {
  const wanted = cores * threads;
  const pins: number[] = [];
  const takeCores = (free: number[]): number[] => {
    while (free.length >= threads && pins.length < wanted) pins.push(...free.splice(0, threads));
    return free;
  };
  const loose = host.map((node) => {
    const free = node.map((core) => core.filter((cpu) => cpus.has(cpu)));
    const rests = free.map((core) => (core.length < threads ? core : []));
    return [...rests.flat(), ...free.filter((core) => core.length >= threads).flatMap(takeCores)];
  });
  for (const rest of loose) takeCores(rest);
  if (!keepsNodes) for (const rest of loose) pins.push(...rest.splice(0, wanted - pins.length));
  const missing = Math.ceil((wanted - pins.length) / threads);
  // The code divides by the threads and rounds down: less than one core goes unnoticed.
  if (wanted - pins.length < (keepsNodes ? 1 : threads)) return pins;
  return keepsNodes && cpus.size >= wanted
    ? `could not fit ${missing} core(s) without crossing numa cell boundaries for individual cores`
    : `not enough exclusive threads provided, could not fit ${missing} core(s)`;
}
