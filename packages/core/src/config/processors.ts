import { askedNodes, type CpuFields, type CpuSettings, fieldsFromCpu } from "../hosts/host-from-cpu.ts";

/** What a host of the configuration says of its processors. */
export interface WrittenProcessors extends CpuSettings {
  readonly cpu?: string | undefined;
}

export type Processors =
  | { readonly fields: Partial<CpuFields> }
  /** The key to point at, and the sentence for a host of that name. */
  | { readonly key: string; readonly reason: (host: string) => string };

/**
 * Sockets, cores and nodes of a host. With `sockets` and `coresPerSocket` written, `cpu` is a label and adds nothing;
 * otherwise the catalogue decides what was left out. What is written always counts.
 */
export function processorsOf(written: WrittenProcessors): Processors {
  const { cpu, sockets, coresPerSocket, numaNodes } = written;
  const asked = askedNodes(written);
  const refuse = (key: string, reason: string): Processors => ({ key, reason: () => reason });
  const [, second] = (["snc", "nps", "cod"] as const).filter((key) => written[key] !== undefined);
  if (second) return refuse(second, "Only one of snc, nps and cod fits a processor.");
  if (asked && numaNodes !== undefined) {
    return refuse(asked.setting, `numaNodes and ${asked.setting} both say how many NUMA nodes there are: keep one.`);
  }
  if (sockets !== undefined && coresPerSocket !== undefined) {
    const known = asked && cpu !== undefined ? fieldsFromCpu(cpu, written) : undefined;
    if (known && "setting" in known && known.setting) return refuse(known.setting, known.reason);
    const label = cpu === undefined ? {} : { cpu };
    return { fields: { sockets, coresPerSocket, threadsPerCore: 1, numaNodes: sockets * (asked?.nodes ?? 1), ...label } };
  }
  if (cpu === undefined) {
    const missing = sockets === undefined ? "sockets" : "coresPerSocket";
    return { key: missing, reason: (host) => `hosts.${host}.${missing} is missing.` };
  }
  const made = fieldsFromCpu(cpu, written);
  return "reason" in made ? refuse(made.setting ?? "cpu", made.reason) : made;
}
