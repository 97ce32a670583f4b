import { esxi } from "./esxi.ts";
import type { HostModel } from "./host.ts";

const host = (
  name: string,
  sockets: number,
  coresPerSocket: number,
  details: Pick<HostModel, "cpu" | "memoryGiB" | "mhz" | "esxi" | "source" | "coresPerL3">,
): HostModel => {
  if (details.esxi) Object.freeze(details.esxi);
  return Object.freeze({ name, sockets, coresPerSocket, threadsPerCore: 2, numaNodes: sockets, ...details });
};

const SQL55 = "vmware-sql-5.5, Appendix A (ESXi 5.5 Update 1)";
const VTOPO80 = "broadcom-vtopology-8.0";

/**
 * The machines of the published studies vmlint quotes. Facts a study does not print (NUMA nodes per socket,
 * hyper-threading of some) are the processor's defaults: one node per socket, two threads per core. Who is handed one is handed the same
 * as all others, and cannot change it.
 *
 * @example
 * console.log(builtinHosts.map(({ name }) => name));
 */
export const builtinHosts: readonly HostModel[] = [
  host("dl580g7", 4, 10, { cpu: "Intel Xeon E7-4870", memoryGiB: 1024, mhz: 2400, esxi: esxi(5, 5), source: SQL55 }),
  host("dl580g7-e7-4850", 4, 10, {
    cpu: "Intel Xeon E7-4850",
    memoryGiB: 512,
    mhz: 2000,
    esxi: esxi(5, 0),
    source: "House of Brick, vCPU over-allocation (ESXi 5.0 Update 1)",
  }),
  host("broadwell-4x24", 4, 24, { cpu: "Intel Broadwell, 24 cores", memoryGiB: 2048, esxi: esxi(8, 0), source: VTOPO80 }),
  host("r930", 4, 22, { cpu: "Intel Xeon E7-8880 v4", memoryGiB: 1024, mhz: 2200, esxi: esxi(8, 0), source: VTOPO80 }),
  host("r740xd", 2, 14, { cpu: "Intel Xeon Gold 5120", memoryGiB: 128, mhz: 2200, esxi: esxi(8, 0), source: VTOPO80 }),
  host("r640", 2, 24, { cpu: "Intel Xeon Platinum 8260C", memoryGiB: 768, mhz: 2400, esxi: esxi(8, 0), source: VTOPO80 }),
  host("dl380gen9", 2, 16, { cpu: "Intel Xeon E5-2698 v3", memoryGiB: 192, esxi: esxi(6, 0), source: "dakic-2019" }),
  host("r720", 2, 8, {
    cpu: "Intel Xeon E5-2665",
    memoryGiB: 128,
    mhz: 2400,
    esxi: esxi(6, 0),
    source: "VROOM! VAIO study (ESXi 6.0 Update 1)",
  }),
  host("dual-8380", 2, 40, { cpu: "Intel Xeon Platinum 8380", memoryGiB: 1024, mhz: 2300, esxi: esxi(8, 0), source: VTOPO80 }),
  host("dual-epyc-7763", 2, 64, { cpu: "AMD EPYC 7763", esxi: esxi(8, 0), coresPerL3: 8, source: `${VTOPO80}, socket count assumed` }),
];
