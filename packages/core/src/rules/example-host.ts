import { esxi } from "../model/esxi.ts";
import type { HostModel, PowerPolicy } from "../model/host.ts";

/** A host of examples. */
export const EXAMPLE_HOST: HostModel = { name: "esx01", sockets: 2, coresPerSocket: 20, threadsPerCore: 2, numaNodes: 2 };

/** A host of examples that may have memory tiering, with release 9.0 or 9.1. */
export const tieredHost = (minor: number, nvmeTierGiB?: number): HostModel => ({
  ...EXAMPLE_HOST,
  memoryGiB: 512,
  ...(nvmeTierGiB && { nvmeTierGiB }),
  esxi: esxi(9, minor),
});

/** A host of examples with a power policy. */
export const hostWithPolicy = (powerPolicy: PowerPolicy): HostModel => ({ ...EXAMPLE_HOST, powerPolicy });
