import { parseEsxi } from "../model/esxi.ts";
import { type HostModel, invalidHost } from "../model/host.ts";
import { list } from "../model/words.ts";
import { type Cpu, findCpu } from "./cpu.ts";
import type { NodeSetting } from "./cpu-table.ts";

/** Settings of the machine, which override the catalogue. */
export interface CpuSettings {
  readonly sockets?: number | undefined;
  /** Fewer than the processor has if firmware disables cores. */
  readonly coresPerSocket?: number | undefined;
  /** 1 if hyper-threading is off. */
  readonly threadsPerCore?: number | undefined;
  /** For the whole host, from any setting. */
  readonly numaNodes?: number | undefined;
  readonly coresPerL3?: number | undefined;
  readonly mhz?: number | undefined;
  readonly snc?: number | undefined;
  readonly nps?: number | undefined;
  readonly cod?: boolean | undefined;
}

/** The fields of a host that a processor decides. */
export type CpuFields = Pick<
  HostModel,
  "sockets" | "coresPerSocket" | "threadsPerCore" | "numaNodes" | "mhz" | "coresPerL3" | "cpu" | "source" | "assumed"
>;

export type FieldsFromCpu =
  | { readonly fields: CpuFields }
  /** `setting` is present if the sentence is about it rather than the processor. */
  | { readonly reason: string; readonly setting?: NodeSetting };

/** Returns the host fields for `2x Xeon Gold 6148` and the machine's settings, or the reason why there are none. */
export function fieldsFromCpu(text: string, settings: CpuSettings = {}): FieldsFromCpu {
  const match = findCpu(text);
  if ("reason" in match) return { reason: match.reason };
  const { cpu } = match;
  const sockets = settings.sockets ?? match.sockets;
  if (sockets === undefined) return { reason: `How many ${cpu.name} are there? Write "2x ${cpu.name}".` };
  if (sockets < 1) return { reason: `${sockets} processors are not a valid host.` };
  // With more than two sockets, a vendor's node controller may join more than the processor's own links do.
  if (cpu.maxSockets !== undefined && cpu.maxSockets <= 2 && sockets > cpu.maxSockets) return { reason: tooMany(cpu, sockets) };
  const coresPerSocket = settings.coresPerSocket ?? cpu.cores;
  if (coresPerSocket > cpu.cores) return { reason: `${cpu.name} has ${cpu.cores} cores, not ${coresPerSocket}.` };
  const nodeSetting = nodeSettingOf(settings);
  const nodes = settings.numaNodes === undefined ? nodesPerSocket(cpu, coresPerSocket, nodeSetting) : 1;
  if (typeof nodes === "string") return { reason: nodes, ...(nodeSetting && { setting: nodeSetting.setting }) };
  const numaNodes = settings.numaNodes ?? sockets * nodes;
  const isAssumed = cpu.doubt !== undefined && settings.numaNodes === undefined && !nodeSetting;
  const mhz = settings.mhz ?? cpu.mhz;
  const coresPerL3 = settings.coresPerL3 ?? l3Group(cpu, coresPerSocket, (sockets * coresPerSocket) / numaNodes);
  return {
    fields: {
      sockets,
      coresPerSocket,
      threadsPerCore: settings.threadsPerCore ?? cpu.threadsPerCore,
      numaNodes,
      ...(mhz !== undefined && { mhz }),
      ...(coresPerL3 !== undefined && { coresPerL3 }),
      cpu: `${cpu.vendor} ${cpu.name}`,
      source: cpu.sources.map(({ key }) => key).join(", "),
      ...(isAssumed && {
        assumed: [`${nodes} NUMA nodes a socket of ${cpu.name}: ${cpu.doubt}; if it is off, write ${cpu.setting}: 1, or /1 after the name`],
      }),
    },
  };
}

const tooMany = ({ name, maxSockets }: Cpu, sockets: number): string =>
  maxSockets === 1
    ? `${name} is for machines with one processor, not ${sockets}.`
    : `${name} is for machines with up to ${maxSockets} processors, not ${sockets}.`;

/** The advice for a processor outside of the catalogue. */
const instead = ": write numaNodes, the NUMA nodes of the whole host.";

/** Returns the NUMA nodes of a socket, by default or by a setting, or a sentence about why they are unknown. */
export function nodesPerSocket(cpu: Cpu, cores: number, nodeSetting?: NodeSettingValue): number | string {
  if (nodeSetting && nodeSetting.setting !== cpu.setting) return `${cpu.name} has no ${nodeSetting.setting} setting${offered(cpu)}.`;
  if (nodeSetting && !cpu.nodesPerSocket)
    return nodeSetting.nodes === 1 ? 1 : `No known source shows how ${cpu.name} divides under ${nodeSetting.setting}${instead}`;
  if (nodeSetting && !cpu.nodesPerSocket?.includes(nodeSetting.nodes)) {
    const mode = nodeSetting.setting.toUpperCase();
    if (cpu.mayShowOthers) return `No source vmlint knows says whether ${cpu.name} offers ${mode} ${nodeSetting.nodes}${instead}`;
    return `${cpu.name} offers ${mode} ${list([...(cpu.nodesPerSocket ?? [])].sort(), "or")}, not ${nodeSetting.nodes}.`;
  }
  const nodes = nodeSetting?.nodes ?? cpu.nodesPerSocket?.[0] ?? 1;
  if (cores % nodes === 0) return nodes;
  const uneven = `${cores} cores do not divide into ${nodes} equal ones.`;
  if (nodeSetting) return `${cpu.name} shows ${nodes} NUMA nodes a socket, and ${uneven}`;
  const off = cpu.nodesPerSocket?.includes(1) ? ` If it is set to one, write ${cpu.setting}: 1, or /1 after the name in a short form.` : "";
  return `${cpu.name} shows ${nodes} NUMA nodes a socket unless set otherwise, and ${uneven}${off}`;
}

function offered({ setting, nodesPerSocket }: Cpu): string {
  if (setting === "cod") return nodesPerSocket ? ": it has cod, true or false" : "";
  return setting ? `: it has ${setting}${nodesPerSocket ? ` ${list([...nodesPerSocket].sort(), "or")}` : ""}` : "";
}

interface NodeSettingValue {
  readonly setting: NodeSetting;
  readonly nodes: number;
}

/** Returns the setting for the NUMA nodes of a socket, with its value. */
export function nodeSettingOf({ snc, nps, cod }: CpuSettings): NodeSettingValue | undefined {
  if (snc !== undefined) return { setting: "snc", nodes: snc };
  if (nps !== undefined) return { setting: "nps", nodes: nps };
  return cod === undefined ? undefined : { setting: "cod", nodes: cod ? 2 : 1 };
}

/** The disabled cores decide how many remain in each L3 group, so the groups are unknown. */
const l3Group = ({ coresPerL3, cores }: Cpu, coresPerSocket: number, coresPerNode: number): number | undefined =>
  coresPerL3 !== undefined && coresPerSocket === cores && coresPerL3 < coresPerNode ? coresPerL3 : undefined;

export type HostFromCpu = { readonly host: HostModel } | { readonly reason: string };

const FORM = /^(.+?)(?:\/(\d{1,3}))?(?::([^:@]*))?(?:@([^@]+))?$/;

/** Reads `2x Xeon Gold 6148/2:768@8.0`: processors, NUMA nodes per socket, memory in GiB, ESXi version. */
export function hostFromCpu(text: string): HostFromCpu {
  const [, name = "", nodes, memory, version] = FORM.exec(text.replace(/@\s*[\d.]+\s*[GM]Hz/i, "").trim()) ?? [];
  if (memory !== undefined && !/^0*[1-9]\d*$/.test(memory))
    return { reason: `Host "${text}": the GiB of memory must be a whole number above 0, not "${memory}".` };
  const match = findCpu(name);
  const sockets = match.sockets;
  const fromName = fieldsFromCpu(name, nodes !== undefined && sockets !== undefined ? { numaNodes: sockets * Number(nodes) } : {});
  if ("reason" in fromName) return fromName;
  const esxi = version === undefined ? undefined : parseEsxi(version);
  if (version !== undefined && !esxi) {
    return { reason: `Host "${text}" names no ESXi version vmlint can read: write 6.7, 7.0 or 8.0 U2.` };
  }
  const host = { name: text, ...fromName.fields, ...(memory !== undefined && { memoryGiB: Number(memory) }), ...(esxi && { esxi }) };
  const wrong = invalidHost(host);
  return wrong ? { reason: `Host "${text}" cannot exist: ${wrong}.` } : { host };
}
