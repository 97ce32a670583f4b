import { atLeast, type EsxiVersion, esxi } from "../model/esxi.ts";
import type { HostModel } from "../model/host.ts";

interface LatencyRequirement {
  /** Least CPU reservation. */
  readonly cpuReservationMHz: number;
  /** Physical cores reserved for the VM alone. */
  readonly exclusiveCores: number;
}

/**
 * Returns the requirement of latency sensitivity High: a full core for every vCPU or, with virtual hyper-threading, for every pair (vSphere
 * 8.0, "Full CPU Reservation with Virtual Hyperthreading": 20 vCPUs at 2.0 GHz = 40 GHz, with vHT 20 GHz).
 */
export function latencyRequirement(vcpus: number, threadsPerCore: number, mhz: number): LatencyRequirement {
  const cores = exclusiveCores(vcpus, threadsPerCore);
  return { cpuReservationMHz: cores * mhz, exclusiveCores: cores };
}

/** Returns the physical cores that a VM with latency sensitivity High has for itself. */
export const exclusiveCores = (vcpus: number, threadsPerCore: number): number => Math.ceil(vcpus / threadsPerCore);

/** Since 5.5, a VM with High has exclusive cores ("Deploying Extremely Latency-Sensitive Applications in vSphere 5.5"). */
export const givesExclusiveCores = (release: EsxiVersion): boolean => atLeast(release, esxi(5, 5));

/** From 7.0 on, possibly earlier, ESXi does not start such a VM without its full CPU reservation (LATENCY_REFUSED). */
export const requiresCpuReservation = (host: HostModel): boolean => host.esxi !== undefined && atLeast(host.esxi, esxi(7, 0));

/**
 * Whether a reservation is full. ESXi requires the frequency that it measures, which may be slightly lower than in the processor's name:
 * the 8396 MHz in LATENCY_REFUSED would be four cores of 2099 MHz on a processor of 2.1 GHz.
 */
export const isFullReservation = (reservedMHz: number, requiredMHz: number): boolean => reservedMHz >= requiredMHz * 0.99;

/** Hardware version that the documentation of 8.0 makes a prerequisite of High ("Configure ... High Latency Sensitivity"). */
export const LATENCY_HARDWARE = 20;
export const asksForLatencyHardware = (release: EsxiVersion): boolean => atLeast(release, esxi(8, 0));
