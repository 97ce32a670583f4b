import type { ReadVm } from "./importer.ts";
import { guestMemory, kubevirtText } from "./kubevirt-text.ts";

/** Returns the whole sockets of a VM. */
export const socketsAndCores = ({ name, vcpus = 1, coresPerSocket = 1, memoryMiB }: ReadVm): string =>
  kubevirtText(name, ["cpu:", `  sockets: ${Math.floor(vcpus / coresPerSocket)}`, `  cores: ${coresPerSocket}`, ...guestMemory(memoryMiB)]);
