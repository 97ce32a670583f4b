import { guestMemory, kubevirtText } from "./kubevirt-text.ts";

interface HarvesterSizes {
  readonly sockets: number;
  readonly cores: number;
  readonly limit: number;
  readonly memoryMiB: number | undefined;
}

/** Returns the VM of `NewVirtualMachineSpec`. It writes MiB as M, which is a million bytes. */
export const harvesterText = (name: string, { sockets, cores, limit, memoryMiB }: HarvesterSizes): string =>
  kubevirtText(name, [
    "cpu:",
    `  cores: ${cores}`,
    `  sockets: ${sockets}`,
    "  threads: 1",
    ...guestMemory(memoryMiB, "M"),
    "resources:",
    "  limits:",
    `    cpu: "${limit}"`,
    ...(memoryMiB === undefined ? [] : [`    memory: ${memoryMiB}M`]),
  ]);
