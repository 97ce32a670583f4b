import { type CpuFields, type CpuSettings, fieldsFromCpu, nodeSettingOf } from "../hosts/host-from-cpu.ts";

/** The processor settings of a host in the configuration. */
export interface WrittenProcessors extends CpuSettings {
  readonly cpu?: string | undefined;
}

export type Processors =
  | { readonly fields: Partial<CpuFields> }
  /** The key to point at, and a function that returns the sentence for a host name. */
  | { readonly key: string; readonly reason: (host: string) => string };

/**
 * Returns sockets, cores and nodes of a host. Explicit settings win, and the catalogue fills the gaps. For an unknown processor, `cpu` is
 * only a label and `sockets` and `coresPerSocket` are required.
 */
export function processorsOf(written: WrittenProcessors): Processors {
  const { cpu, sockets, coresPerSocket, numaNodes } = written;
  const asked = nodeSettingOf(written);
  const refuse = (key: string, reason: string): Processors => ({ key, reason: () => reason });
  const [, second] = (["snc", "nps", "cod"] as const).filter((key) => written[key] !== undefined);
  if (second) return refuse(second, "Only one of snc, nps and cod fits a processor.");
  if (asked && numaNodes !== undefined) {
    return refuse(asked.setting, `numaNodes and ${asked.setting} both set the number of NUMA nodes. Keep one.`);
  }
  const made = cpu === undefined ? undefined : fieldsFromCpu(cpu, written);
  if (made && "fields" in made) return made;
  if (made?.setting) return refuse(made.setting, made.reason);
  if (sockets !== undefined && coresPerSocket !== undefined) {
    const label = cpu === undefined ? {} : { cpu };
    return { fields: { sockets, coresPerSocket, threadsPerCore: 1, numaNodes: sockets * (asked?.nodes ?? 1), ...label } };
  }
  if (made) return refuse("cpu", made.reason);
  const missing = sockets === undefined ? "sockets" : "coresPerSocket";
  return { key: missing, reason: (host) => `hosts.${host}.${missing} is missing.` };
}
