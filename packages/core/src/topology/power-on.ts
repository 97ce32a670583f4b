import { formatEsxi } from "../model/esxi.ts";
import { CONFIG_OPTION_90, GOVMOMI, HARDWARE_DOC, VM_OPERATOR } from "../model/sources.ts";
import { certainLimits, runs } from "./hardware.ts";
import { documented, type NumaInput, type Reason } from "./layout.ts";

/** Why ESXi would refuse to start the VM; empty when nothing vmlint knows stands against it. */
export function powerOnErrors(input: NumaInput, threadsPerCore: number): readonly Reason[] {
  const { vcpus, coresPerSocket, coresPerNumaNode, hardwareVersion, esxi } = input;
  const errors: Reason[] = [];
  if (coresPerSocket !== "auto" && vcpus % coresPerSocket !== 0) {
    errors.push(documented(`${vcpus} vCPUs do not divide into sockets of ${coresPerSocket}`, VM_OPERATOR));
  }
  if (vcpus % threadsPerCore !== 0) {
    errors.push(documented(`${vcpus} vCPUs are not a multiple of ${threadsPerCore} threads per core`, VM_OPERATOR));
  }
  if (coresPerNumaNode > 0 && vcpus % coresPerNumaNode !== 0) {
    errors.push(documented(`${vcpus} vCPUs do not divide into NUMA nodes of ${coresPerNumaNode}`, VM_OPERATOR));
  }
  if (
    coresPerNumaNode > 0 &&
    coresPerSocket !== "auto" &&
    coresPerNumaNode % coresPerSocket !== 0 &&
    coresPerSocket % coresPerNumaNode !== 0
  ) {
    errors.push(
      documented(`NUMA nodes of ${coresPerNumaNode} are neither a multiple nor a divisor of sockets of ${coresPerSocket}`, VM_OPERATOR),
    );
  }
  if (hardwareVersion === undefined) return errors;
  if (runs(esxi, hardwareVersion) === false) {
    errors.push(documented(`hardware version ${hardwareVersion} is newer than ESXi ${formatEsxi(esxi)} runs`, GOVMOMI));
  }
  const limits = certainLimits(hardwareVersion);
  if (limits && vcpus > limits.vcpus) {
    errors.push(documented(`hardware version ${hardwareVersion} has at most ${limits.vcpus} vCPUs`, HARDWARE_DOC));
  }
  if (limits && coresPerSocket !== "auto" && coresPerSocket > limits.coresPerSocket) {
    errors.push(documented(`hardware version ${hardwareVersion} has at most ${limits.coresPerSocket} cores per socket`, CONFIG_OPTION_90));
  }
  return errors;
}
