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

interface RunningVms {
  /** Returns the measurements of a VM: by its name, and by the name of its host if both are known. */
  readonly find: (vm: VmSpec, hostName: string | undefined) => RunningVm | undefined;
  /** Sentences about files that no VM of another file matches. They lack their full stops. */
  readonly notes: readonly string[];
}

/** Joins the files of each host, so that their measurements belong to VMs by name. */
export function runningVms(files: readonly FileStatistics[]): RunningVms {
  const byName = new Map<string, NamedGroup[]>();
  const nameless = new Set(files.filter(({ groups }) => groups.every(({ name }) => name === undefined)));
  for (const file of files) {
    if (nameless.has(file)) continue;
    const clients = clientsOf(file, files);
    if (clients) nameless.delete(clients);
    const byId = new Map(clients?.groups.map((group) => [group.id, group]));
    for (const group of file.groups)
      if (group.name !== undefined) addTo(byName, group.name, { ...group, ...byId.get(group.id), host: file.host });
  }
  const find: RunningVms["find"] = ({ name, alias = name, off }, hostName) => {
    const groups = off ? [] : (byName.get(alias) ?? []).filter(({ host }) => !host || !hostName || isSameHost(host, hostName));
    const [group, another] = groups;
    if (!group || another) return undefined;
    const { readyPercent, observed } = group;
    return { ...(readyPercent !== undefined && { readyPercent }), ...(observed && { observed }) };
  };
  const notes = Array.from(
    nameless,
    ({ path }) => `${path.replace(/^.*\//, "")} has no names of VMs: put the output of esxtop -b of the same time in its folder`,
  );
  return { find, notes };
}

/**
 * Returns the file with the NUMA clients of a batch of esxtop: the one file in its folder that has only groups of this batch. Groups of two
 * hosts may have the same id.
 */
function clientsOf(batch: FileStatistics, files: readonly FileStatistics[]): FileStatistics | undefined {
  const ids = new Set(batch.groups.map(({ id }) => id));
  const [file, another] = files.filter(
    ({ path, groups }) => folderOf(path) === folderOf(batch.path) && groups.every(({ id, observed }) => observed && ids.has(id)),
  );
  return another ? undefined : file;
}

/** One of the names may be without its domain. */
function isSameHost(a: string, b: string): boolean {
  const [short, long] = [a.toLowerCase(), b.toLowerCase()].sort((x, y) => x.length - y.length);
  return short === long || long?.startsWith(`${short}.`) === true;
}
