import { known, type Range, unknown } from "../../model/source.ts";
import type { Devices, OtherController, Provisioning, ScsiController } from "../../model/spec.ts";
import type { TableRow } from "../table/rows.ts";
import { SCSI_SUMMARIES } from "../vi-json/devices.ts";

/** The devices of a VM in an export: only controllers with disks are listed. */
interface ExportDevices {
  readonly scsiControllers: readonly ScsiController[];
  readonly otherDevices: Devices;
}

/** The adapter names of vNetwork. */
const ADAPTERS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    vmxnet3: "vmxnet3",
    e1000: "e1000",
    e1000e: "e1000e",
    pcnet32: "vlance",
    vmxnet2: "vmxnet",
    vmxnet: "vmxnet",
    sriovethernetcard: "sriov",
  }),
);

const KINDS: readonly (readonly [RegExp, OtherController["kind"]])[] = [
  [/nvme/i, "nvme"],
  [/sata|ahci/i, "sata"],
  [/\bide\b/i, "ide"],
];

/** Versions of RVTools before 4 write the number of the value in the API's list (vSphere API, VirtualSCSISharing). */
const NOT_SHARED = /^(?:noSharing|0)$/i;

/** Reads the rows of a VM in vDisk and vNetwork. */
export function exportDevices(disks: readonly TableRow[] | undefined, nics: readonly TableRow[] | undefined): ExportDevices {
  const scsi = new Map<number, ScsiController>();
  const controllers = new Map<string, OtherController>();
  const diskList: Devices["disks"][number][] = [];
  for (const row of disks ?? []) {
    // Newer versions have the kind in one column and the number in another.
    const cells = [row.cell("Controller"), row.cell("Label")].filter((cell) => cell !== undefined);
    const numbered = cells.find(({ value }) => /controller\s*\d+$/i.test(value));
    if (!numbered) continue;
    const { value: label, range } = numbered;
    const bus = Number(/\d+$/.exec(label)?.[0]);
    const kind = KINDS.find(([pattern]) => pattern.test(label))?.[1];
    if (kind) controllers.set(`${kind}${bus}`, { kind, bus, range });
    else if (/scsi/i.test(label)) {
      const named = cells.find(({ value }) => SCSI_SUMMARIES.has(value));
      const type = named && SCSI_SUMMARIES.get(named.value);
      const shared = row.cell("Shared Bus")?.value;
      scsi.set(bus, {
        id: `scsi${bus}`,
        bus,
        type: type ? known(type, named.range) : unknown("the export does not name its type", range),
        ...(shared !== undefined && !NOT_SHARED.test(shared) && { shared: true as const }),
        range,
      });
    } else continue;
    const unit = row.cell("Unit #", "SCSI Unit #")?.value;
    const controller = `${kind ?? "scsi"}${bus}`;
    if (unit !== undefined) diskList.push({ id: `${controller}:${unit}`, controller, range, ...provisioningOf(row, range) });
  }
  const adapters = (nics ?? []).map((row, index) => {
    const { value, range } = row.cell("Adapter") ?? { value: "", range: row.range };
    const type = ADAPTERS.get(value.toLowerCase().replace(/^virtual/, ""));
    return { index, type: type ? known(type, range) : unknown("the export does not name its type", range) };
  });
  return {
    scsiControllers: [...scsi.values()].sort((a, b) => a.bus - b.bus),
    otherDevices: {
      otherControllers: [...controllers.values()],
      disks: diskList,
      nics: adapters,
      missing: "the export lists no controller without disks",
    },
  };
}

function provisioningOf(row: TableRow, range: Range) {
  const [thin, eager] = [row.cell("Thin")?.value, row.cell("Eagerly Scrub")?.value];
  const kind: Provisioning | undefined = /^true$/i.test(thin ?? "") ? "thin" : /^true$/i.test(eager ?? "") ? "eager" : undefined;
  if (kind) return { provisioning: known(kind, range) };
  if (/^false$/i.test(thin ?? "") && /^false$/i.test(eager ?? "")) return { provisioning: known("lazy" as const, range) };
  return { provisioning: unknown("the export does not contain it", range) };
}
