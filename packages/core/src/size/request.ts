import { HARDWARE_VERSIONS, MAX_VCPUS, MEMORY_STEP_MIB, newestHardware } from "../limits/hardware.ts";
import { VmlintError } from "../model/errors.ts";
import { checkHost, type HostModel } from "../model/host.ts";
import type { SettingValues } from "../model/spec.ts";
import { valueWords } from "../model/words.ts";
import { reservesMemory, sqlServerName, type Workload, workloadOf } from "../model/workload.ts";

/** A requested VM without a shape. */
export interface SizeRequest {
  readonly vcpus: number;
  readonly memoryMiB?: number;
  readonly workload?: Workload;
  /** By default the newest that every host supports. */
  readonly hardwareVersion?: number;
  /** The range of vCPUs for proposals; by default up to the cores of the smallest host. */
  readonly range?: readonly [least: number, most: number];
  /** Settings of an existing VM that stay as they are and that its shapes depend on, such as its guest. */
  readonly keeps?: SettingValues;
}

/** A request after defaults: with a hardware version, and memory that a VM may have. */
export type CompleteSizeRequest = SizeRequest & { readonly hardwareVersion: number };

/** Throws USAGE for an unusable request. */
export function checkRequest(request: SizeRequest, hosts: readonly HostModel[]): void {
  if (typeof request !== "object" || request === null || !Array.isArray(hosts))
    throw new VmlintError("USAGE", "size takes a request such as { vcpus: 16 }, and a list of hosts.");
  hosts.forEach(checkHost);
  const { vcpus, memoryMiB, hardwareVersion, range, workload } = request;
  const usage = (message: string): never => {
    throw new VmlintError("USAGE", message);
  };
  if (hosts.length === 0) usage("Sizing needs a host: pass --host or add host: to vmlint.yaml.");
  for (const { name, esxi, runs } of hosts) {
    if (runs && !esxi) usage(`Host "${name}" runs ${runs.platform.toUpperCase()}: vmlint size proposes shapes for ESXi only.`);
    if (!esxi) usage(`Host "${name}" does not state its ESXi version: add @8.0 to the short form or esxi: to the host.`);
  }
  const isCount = (count: number): boolean => Number.isInteger(count) && count >= 1 && count <= MAX_VCPUS;
  if (!isCount(vcpus)) usage(`A VM has 1 to ${MAX_VCPUS} vCPUs, not ${valueWords(vcpus)}.`);
  if (memoryMiB !== undefined && !(Number.isInteger(memoryMiB) && memoryMiB > 0))
    usage("The memory must be a whole number of MiB, more than 0.");
  if (hardwareVersion !== undefined && !HARDWARE_VERSIONS.includes(hardwareVersion))
    usage(`No ESXi release has hardware version ${valueWords(hardwareVersion)}. There are ${HARDWARE_VERSIONS.join(", ")}.`);
  if (range !== undefined && !(Array.isArray(range) && range.length === 2 && range.every(isCount) && range[0] <= range[1]))
    usage(
      `A range is two vCPU counts, the smaller first, not ${Array.isArray(range) ? range.map(valueWords).join("-") : valueWords(range)}.`,
    );
  const known =
    workload === undefined
      ? undefined
      : typeof workload === "object" && workload !== null
        ? workloadOf({ ...workload })
        : valueWords(workload);
  if (typeof known === "string") usage(`workload: ${known}`);
}

/** Returns the settings of the requested memory. */
export const memoryOf = ({ memoryMiB, workload }: SizeRequest): SettingValues =>
  memoryMiB === undefined ? {} : { memoryMiB, ...(reservesMemory(workload) && { memoryReservationMiB: memoryMiB }) };

/** Fills in the defaults of a request, and rounds its memory up. SAP HANA is in production unless the request says otherwise. */
export const completed = (request: SizeRequest, hosts: readonly HostModel[]): CompleteSizeRequest => ({
  ...request,
  ...(request.workload?.kind === "hana" && { workload: { environment: "production", ...request.workload } }),
  ...(request.memoryMiB !== undefined && { memoryMiB: Math.ceil(request.memoryMiB / MEMORY_STEP_MIB) * MEMORY_STEP_MIB }),
  hardwareVersion: request.hardwareVersion ?? Math.min(...hosts.map(({ esxi }) => (esxi ? newestHardware(esxi) : Infinity))),
});

/** Returns `SQL Server 2019 Standard` without undeclared parts; for any other workload its kind. */
export function workloadName({ kind, version, edition, licensing }: Workload): string {
  if (kind !== "mssql") return kind;
  const licence = licensing === "server-cal" ? "with Server+CAL licences" : undefined;
  return [sqlServerName({ version, edition }), licence].filter(Boolean).join(" ");
}
