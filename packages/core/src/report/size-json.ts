import { formatEsxi } from "../model/esxi.ts";
import type { Shape } from "../size/shape.ts";
import type { Sizing } from "../size/size.ts";
import { writings } from "../size/write.ts";
import { SCHEMA_VERSION, topologyFields } from "./json.ts";
import type { Tool } from "./result.ts";

/** `vmlint size --format json`. */
export function sizeJson({ wish, hosts, asked, preferHt, proposals, flawless, nodesForMemory, steps, notes }: Sizing, tool: Tool) {
  const shape = (one: Shape) => ({
    vcpus: one.vcpus,
    difference: one.vcpus - wish.vcpus,
    sockets: one.sockets,
    coresPerSocket: one.coresPerSocket,
    usableVcpus: one.usableVcpus,
    settings: one.settings,
    flaws: one.flaws,
    placements: one.placements.map(({ topology, ...rest }) => ({ ...rest, topology: topology && topologyFields(topology) })),
    write: writings(one, wish),
  });
  return {
    schemaVersion: SCHEMA_VERSION,
    tool,
    wish: {
      vcpus: wish.vcpus,
      memoryMiB: wish.memoryMiB ?? null,
      hardwareVersion: wish.hardwareVersion,
      workload: wish.workload ? { edition: null, version: null, licensing: null, ...wish.workload } : null,
      range: wish.range ?? null,
    },
    hosts: hosts.map(({ name, esxi }) => ({ name, esxi: esxi ? formatEsxi(esxi) : null })),
    asked: shape(asked),
    preferHt: preferHt && shape(preferHt),
    proposals: proposals.map(shape),
    flawless,
    nodesForMemory,
    steps,
    notes,
  };
}
