import { AUTO_TOPOLOGY_HARDWARE, excess, hasVirtualThreads, MAX_SOCKETS, runs, tooManySockets } from "../../limits/hardware.ts";
import { type EsxiVersion, formatEsxi } from "../../model/esxi.ts";
import type { HostModel } from "../../model/host.ts";
import {
  CLOUD_DIRECTOR_API,
  CONFIG_OPTION_9,
  GOVMOMI,
  HARDWARE_DOC,
  VCPU_LIMITS_DOC_67,
  VM_OPERATOR,
  VMX_MESSAGES,
} from "../../model/sources.ts";
import type { VmSpec } from "../../model/spec.ts";
import { plural } from "../../model/words.ts";
import { dividesIntoCores, dividesIntoNodes, dividesIntoSockets, nodeFitsSockets } from "./divide.ts";
import { type Read, reader } from "./input.ts";
import { documented, type NumaInput, type Reason } from "./layout.ts";

/** The settings of a VM that ESXi refuses to start in some combinations. */
type Startable = Pick<NumaInput, "vcpus" | "coresPerSocket" | "threadsPerCore" | "hardwareVersion" | "coresPerNumaNode"> & {
  readonly host?: HostModel | undefined;
  readonly esxi?: EsxiVersion | undefined;
};

/** Whether no setting makes vSphere refuse a VM of a known size. */
export function canExist({ settings, defaults }: VmSpec, host: HostModel | undefined): boolean {
  const get = reader({ settings, defaults }, {});
  const [threadsPerCore = 1, hardwareVersion] = [get("threadsPerCore"), get("hardwareVersion")];
  if (threadsPerCore > 1 && !hasVirtualThreads(host?.esxi, hardwareVersion)) return false;
  if (get("memoryReservationLocked") && contradictsLock(get)) return false;
  const sockets = { coresPerSocket: get("coresPerSocket") ?? ("auto" as const), coresPerNumaNode: get("coresPerNumaNode") ?? 0 };
  return powerOnErrors({ vcpus: get("vcpus") ?? 1, threadsPerCore, hardwareVersion, ...sockets, host, esxi: host?.esxi }).length === 0;
}

/** Whether a reservation or a limit is below the memory. All memory is reserved, so vSphere refuses it (VM_OPERATOR). */
function contradictsLock(get: Read): boolean {
  const memory = get("memoryMiB");
  const sizes = [get("memoryReservationMiB"), get("memoryLimitMiB")];
  return sizes.some((size) => memory !== undefined && typeof size === "number" && size > 0 && size < memory);
}

/** Returns why ESXi would refuse to start the VM; empty if vmlint knows no reason. */
export function powerOnErrors(input: Startable): readonly Reason[] {
  const { vcpus, coresPerSocket, threadsPerCore, hardwareVersion, esxi, host } = input;
  const errors: Reason[] = [];
  if (coresPerSocket !== "auto" && !dividesIntoSockets(vcpus, coresPerSocket)) {
    errors.push(documented(`${vcpus} vCPUs do not divide into sockets of ${coresPerSocket}`, CLOUD_DIRECTOR_API));
  }
  if (!dividesIntoCores(vcpus, threadsPerCore)) {
    errors.push(
      documented(
        `${plural(vcpus, "vCPU")} ${vcpus === 1 ? "is" : "are"} not a multiple of ${threadsPerCore} threads per core`,
        VMX_MESSAGES,
      ),
    );
  }
  if (host && threadsPerCore > host.threadsPerCore) {
    const text = `cpuid.numSMT asks for ${threadsPerCore} threads per core, and the host's cores have ${plural(host.threadsPerCore, "thread")}`;
    errors.push(documented(text, VMX_MESSAGES));
  }
  // For older virtual hardware, no source shows the effect of such nodes.
  const nodes = (hardwareVersion ?? AUTO_TOPOLOGY_HARDWARE) < AUTO_TOPOLOGY_HARDWARE ? 0 : input.coresPerNumaNode;
  if (!dividesIntoNodes(vcpus, nodes)) {
    errors.push(documented(`${vcpus} vCPUs do not divide into NUMA nodes of ${nodes}`, VM_OPERATOR));
  }
  if (coresPerSocket !== "auto" && !nodeFitsSockets(nodes, coresPerSocket)) {
    errors.push(documented(`NUMA nodes of ${nodes} are neither a multiple nor a divisor of sockets of ${coresPerSocket}`, VM_OPERATOR));
  }
  if (hardwareVersion === undefined) return errors;
  if (esxi && runs(esxi, hardwareVersion) === false) {
    errors.push(documented(`hardware version ${hardwareVersion} is newer than ESXi ${formatEsxi(esxi)} supports`, GOVMOMI));
  }
  const wide = excess("vcpus", vcpus, hardwareVersion);
  if (wide?.certain) errors.push(documented(`hardware version ${hardwareVersion} has at most ${wide.most} vCPUs`, HARDWARE_DOC));
  const deep = coresPerSocket === "auto" ? undefined : excess("coresPerSocket", coresPerSocket, hardwareVersion);
  if (deep?.certain)
    errors.push(documented(`hardware version ${hardwareVersion} has at most ${deep.most} cores per socket`, CONFIG_OPTION_9));
  if (coresPerSocket !== "auto" && tooManySockets(vcpus, coresPerSocket, hardwareVersion))
    errors.push(documented(`a VM has at most ${MAX_SOCKETS} virtual sockets`, VCPU_LIMITS_DOC_67));
  return errors;
}
