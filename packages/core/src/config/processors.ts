import { type CpuFields, type CpuSettings, fieldsFromCpu, nodeSettingOf } from "../hosts/host-from-cpu.ts";

/** The processor settings of a host in the configuration. */
interface WrittenProcessors extends CpuSettings {
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
export function processorsOf(raw: WrittenProcessors): Processors {
  const { cpu, sockets, coresPerSocket, numaNodes } = raw;
  const nodeSetting = nodeSettingOf(raw);
  const refuse = (key: string, reason: string): Processors => ({ key, reason: () => reason });
  const [, second] = (["snc", "nps", "cod"] as const).filter((key) => raw[key] !== undefined);
  if (second) return refuse(second, "Only one of snc, nps and cod fits a processor.");
  if (nodeSetting && numaNodes !== undefined) {
    return refuse(nodeSetting.setting, `numaNodes and ${nodeSetting.setting} both set the number of NUMA nodes. Keep one.`);
  }
  const fields = cpu === undefined ? undefined : fieldsFromCpu(cpu, raw);
  if (fields && "fields" in fields) return fields;
  if (fields?.setting) return refuse(fields.setting, fields.reason);
  if (sockets !== undefined && coresPerSocket !== undefined) {
    const label = cpu === undefined ? {} : { cpu };
    return { fields: { sockets, coresPerSocket, threadsPerCore: 1, numaNodes: sockets * (nodeSetting?.nodes ?? 1), ...label } };
  }
  if (fields) return refuse("cpu", fields.reason);
  const missing = sockets === undefined ? "sockets" : "coresPerSocket";
  return { key: missing, reason: (host) => `hosts.${host}.${missing} is missing.` };
}
