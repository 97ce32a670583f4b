import { atLeast, type EsxiVersion, esxi } from "../model/esxi.ts";
import type { HostModel } from "../model/host.ts";

export interface LatencyRequirement {
  /** Least CPU reservation. */
  readonly cpuReservationMHz: number;
  /** Physical cores the VM then owns alone. */
  readonly exclusiveCores: number;
}

/**
 * What latency sensitivity High asks of a VM: every vCPU's full core, or, with virtual hyper-threading, every pair's
 * (vSphere 8.0, "Full CPU Reservation with Virtual Hyperthreading": 20 vCPUs at 2.0 GHz = 40 GHz, with vHT 20 GHz).
 */
export function latencyRequirement(vcpus: number, threadsPerCore: number, mhz: number): LatencyRequirement {
  const cores = exclusiveCores(vcpus, threadsPerCore);
  return { cpuReservationMHz: cores * mhz, exclusiveCores: cores };
}

/** Physical cores a VM with latency sensitivity High is given alone. */
export const exclusiveCores = (vcpus: number, threadsPerCore: number): number => Math.ceil(vcpus / threadsPerCore);

/** Since 5.5 High gives a VM cores of its own ("Deploying Extremely Latency-Sensitive Applications in vSphere 5.5"). */
export const givesExclusiveCores = (release: EsxiVersion): boolean => atLeast(release, esxi(5, 5));

/** From 7.0 on, which may not be the first, ESXi does not start such a VM without its full CPU reservation (LATENCY_REFUSED). */
export const requiresCpuReservation = (host: HostModel): boolean => host.esxi !== undefined && atLeast(host.esxi, esxi(7, 0));

/**
 * Whether a reservation is the full one. ESXi asks for the frequency it measures, which may be a little less than the processor's name says:
 * the 8396 MHz that LATENCY_REFUSED names would be four cores of 2099 MHz, of a processor of 2.1 GHz.
 */
export const isFullReservation = (reservedMHz: number, requiredMHz: number): boolean => reservedMHz >= requiredMHz * 0.99;

/** Hardware version that the documentation of 8.0 makes a prerequisite of High ("Configure ... High Latency Sensitivity"). */
export const LATENCY_HARDWARE = 20;
export const asksForLatencyHardware = (release: EsxiVersion): boolean => atLeast(release, esxi(8, 0));
