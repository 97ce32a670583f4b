import type { HostStatistics, SchedulingGroup } from "../formats/host-statistics/host-statistics.ts";
import { folderOf } from "../model/files.ts";
import { addTo } from "../model/maps.ts";
import type { RunningVm, VmSpec } from "../model/spec.ts";

/** The statistics of a file. */
export interface FileStatistics extends HostStatistics {
  readonly path: string;
}

interface NamedGroup extends SchedulingGroup {
  readonly host: string | undefined;
}

/** Returns a function that finds the measurements of a VM: by its name, and by the name of its host if both are known. */
export function runningVms(files: readonly FileStatistics[]): (vm: VmSpec, hostName: string | undefined) => RunningVm | undefined {
  const byName = new Map<string, NamedGroup[]>();
  for (const file of files) {
    const clients = clientsBeside(file, files);
    for (const group of file.groups)
      if (group.name !== undefined) addTo(byName, group.name, { ...group, ...clients?.get(group.id), host: file.host });
  }
  return ({ name, alias = name, off }, hostName) => {
    const groups = off ? [] : (byName.get(alias) ?? []).filter(({ host }) => !host || !hostName || isSameHost(host, hostName));
    const [group, another] = groups;
    if (!group || another) return undefined;
    const { readyPercent, numaClients } = group;
    return { ...(readyPercent !== undefined && { readyPercent }), ...(numaClients && { numaClients }) };
  };
}

/**
 * Returns the NUMA clients of each group of esxtop, from the one file in the same folder that has only groups of this batch. Groups of
 * two hosts may have the same id.
 */
function clientsBeside(batch: FileStatistics, files: readonly FileStatistics[]): ReadonlyMap<string, SchedulingGroup> | undefined {
  const ids = new Set(batch.groups.map(({ id }) => id));
  const [file, another] = files.filter(
    ({ path, groups }) => folderOf(path) === folderOf(batch.path) && groups.every(({ id, numaClients }) => numaClients && ids.has(id)),
  );
  return file && !another ? new Map(file.groups.map((group) => [group.id, group])) : undefined;
}

/** One of the names may be without its domain. */
function isSameHost(a: string, b: string): boolean {
  const [short, long] = [a.toLowerCase(), b.toLowerCase()].sort((x, y) => x.length - y.length);
  return short === long || long?.startsWith(`${short}.`) === true;
}
