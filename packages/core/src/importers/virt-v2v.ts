import { DIVIDES_BY_ZERO, type Made, type ReadVm } from "./importer.ts";

/** Sockets and cores as virt-v2v keeps them between its input and its output. */
interface Topology {
  readonly sockets: number;
  readonly cores: number;
}

type Write = (vm: ReadVm, topology: Topology | undefined) => string;

/** A .vmx without cores per socket, or with more than vCPUs, has no topology. The rest of an uneven division is lost. */
export const ofVmx =
  (write: Write) =>
  (vm: ReadVm): Made =>
    vm.coresPerSocket === 0 ? DIVIDES_BY_ZERO : { text: write(vm, topologyOf(vm)) };

/** Like a .vmx, but 0 cores per socket count as none. */
export const ofOva =
  (write: Write) =>
  (vm: ReadVm): Made => ({ text: write(vm, topologyOf(vm)) });

function topologyOf({ vcpus = 1, coresPerSocket = 0 }: ReadVm): Topology | undefined {
  const sockets = coresPerSocket > 0 ? Math.floor(vcpus / coresPerSocket) : 0;
  return sockets > 0 ? { sockets, cores: coresPerSocket } : undefined;
}

export const V2V_DEVICES = "It puts drivers into the guest, and makes VirtIO disks and network cards if the guest has drivers for them.";
export const V2V_VERSION = "2.13.3";
