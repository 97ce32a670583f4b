import type { Disk } from "../model/spec.ts";

/** The lowest unit of the lowest SCSI bus. A disk on another kind of bus may boot instead; to assume this one is the safe side. */
export function bootDisk(disks: readonly Disk[]): Disk | undefined {
  const place = (disk: Disk): number => {
    const [, bus, unit] = /^scsi(\d+):(\d+)$/.exec(disk.id) ?? [];
    return bus === undefined ? Number.POSITIVE_INFINITY : Number(bus) * 1000 + Number(unit);
  };
  const [first] = disks.toSorted((a, b) => place(a) - place(b));
  return first;
}

/** The disks that hold data: those declared to hold data or log where some are, else all but the one that boots. */
export function dataDisks(disks: readonly Disk[], declared: readonly string[]): readonly Disk[] {
  if (declared.length > 0) return disks.filter(({ id }) => declared.includes(id));
  const boot = bootDisk(disks);
  return disks.filter((disk) => disk !== boot);
}
