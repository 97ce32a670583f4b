import { sequence } from "../model/sequence.ts";
/** A kind of server by its processors, each a NUMA node. */
export interface Server {
  readonly sockets: number;
  readonly coresPerSocket: number;
}

/**
 * Servers at least as large as those of the last ten years: 2 x EPYC 9965, and the 32 sockets of an HPE Superdome Flex with the largest Xeon
 * whose most sockets are 8 or without a source. Node controllers join more sockets than a processor does by itself.
 */
export const LARGEST_SERVERS: readonly Server[] = [
  { sockets: 2, coresPerSocket: 192 },
  { sockets: 32, coresPerSocket: 86 },
];

/** Whether some server holds a VM in one NUMA node, or in equal nodes that each have whole virtual sockets. */
export const fitsSomeServer = (vcpus: number, coresPerSocket = 1): boolean =>
  LARGEST_SERVERS.some((server) =>
    sequence(server.sockets, (i) => vcpus / (i + 1)).some(
      (nodeSize) => nodeSize <= server.coresPerSocket && Number.isInteger(nodeSize) && nodeSize % coresPerSocket === 0,
    ),
  );
