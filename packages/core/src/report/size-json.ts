import { formatEsxi } from "../model/esxi.ts";
import type { Shape } from "../size/shape.ts";
import type { Sizing } from "../size/size.ts";
import { writings } from "../size/write.ts";
import { SCHEMA_VERSION, topologyFields } from "./json-report.ts";
import type { Tool } from "./result.ts";

/** `vmlint size --format json`. */
export function sizeJson(
  { request, hosts, requestedShape, preferHt, proposals, flawless, nodesForMemory, steps, notes }: Sizing,
  tool: Tool,
) {
  const shape = (candidate: Shape) => ({
    vcpus: candidate.vcpus,
    difference: candidate.vcpus - request.vcpus,
    sockets: candidate.sockets,
    coresPerSocket: candidate.coresPerSocket,
    usableVcpus: candidate.usableVcpus,
    settings: candidate.settings,
    flaws: candidate.flaws.map(({ ruleId, severity, host, message }) => ({ kind: ruleId, severity, host, text: message })),
    placements: candidate.placements.map(({ topology, ...rest }) => ({ ...rest, topology: topology && topologyFields(topology) })),
    write: writings(candidate, request),
  });
  return {
    schemaVersion: SCHEMA_VERSION,
    tool,
    request: {
      vcpus: request.vcpus,
      memoryMiB: request.memoryMiB ?? null,
      hardwareVersion: request.hardwareVersion,
      workload: request.workload ? { edition: null, version: null, licensing: null, ...request.workload } : null,
      range: request.range ?? null,
    },
    hosts: hosts.map(({ name, esxi }) => ({ name, esxi: esxi ? formatEsxi(esxi) : null })),
    requested: shape(requestedShape),
    preferHt: preferHt && shape(preferHt),
    proposals: proposals.map(shape),
    flawless,
    nodesForMemory,
    steps,
    notes,
  };
}
