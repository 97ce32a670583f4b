import type { Disk } from "../model/spec.ts";

/**
 * Returns the lowest unit of the lowest SCSI bus. The VM may boot from a disk on another kind of bus, but this assumption is the safe side.
 */
export function bootDisk(disks: readonly Disk[]): Disk | undefined {
  const position = (disk: Disk): number => {
    const [, bus, unit] = /^scsi(\d+):(\d+)$/.exec(disk.id) ?? [];
    return bus === undefined ? Number.POSITIVE_INFINITY : Number(bus) * 1000 + Number(unit);
  };
  const [first] = disks.toSorted((a, b) => position(a) - position(b));
  return first;
}

/** Returns the data disks: disks declared for data or log, if any; otherwise every disk except the boot disk. */
export function dataDisks(disks: readonly Disk[], declaredIds: readonly string[]): readonly Disk[] {
  if (declaredIds.length > 0) return disks.filter(({ id }) => declaredIds.includes(id));
  const boot = bootDisk(disks);
  return disks.filter((disk) => disk !== boot);
}
