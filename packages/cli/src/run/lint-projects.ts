import { dirname } from "node:path";
import {
  type CheckRun,
  configuredInputs,
  type Files,
  type Format,
  grouped,
  type HostModel,
  hint,
  isAlone,
  openSound,
  type ProjectRequest,
  printable,
  type VariableOption,
  type WithoutVm,
  withoutDerived,
} from "@vmlint/core";
import type { Inventory } from "@vmlint/core/inventory";
import type { ProjectFile } from "@vmlint/core/project";
import { diskFiles, filesWithin } from "../files/disk.ts";
import { fromSlashes, isWithin, shownPath, toSlashes } from "../files/read-files.ts";
import { repositoryAround } from "../files/read-named.ts";
import type { Io } from "../io.ts";
import { secondsAtOnce } from "./budget.ts";
import type { Shared } from "./checking.ts";
import type { Chosen } from "./choose.ts";
import { noteFault, orFault } from "./fault.ts";
import type { Folders } from "./folders.ts";
import { tellAssumptions } from "./host-finder.ts";
import { inTime } from "./time-limit.ts";

interface Request extends Shared {
  readonly variables: readonly VariableOption[];
  readonly source: string | undefined;
  readonly inventory: Inventory | undefined;
  /** The names in folders that were searched. */
  readonly listed: ReadonlyMap<string, readonly string[]>;
  /** Filled with named files that hold no VM, and the reason. */
  readonly empty: Map<string, string>;
  /** Filled with resources and module calls that create no VM. */
  readonly withoutVm: WithoutVm[];
}

/** The projects of a run, with a function that opens one. */
export interface Projects extends Pick<CheckRun, "projects" | "openProject"> {
  /** Called when all projects are open. */
  readonly opened: () => void;
}

/** Finds the files of each project format, which are read together. */
export async function projectsOf(inputs: readonly Chosen[], folders: Folders, request: Request, io: Io): Promise<Projects> {
  const wanted = wantedFiles(inputs, request, io);
  if (wanted.length === 0) return { projects: [], openProject: async () => undefined, opened: () => {} };
  const texts = new Map(wanted.map(({ path, text }) => [path, text]));
  const lists = new Map([...request.listed].map(([folder, names]) => [toSlashes(folder), names]));
  const files = withinRepository(
    diskFiles({ texts, lists }, io),
    wanted.map(({ folder }) => folder),
    request,
    io,
  );
  const named = request.variables.flatMap((option) => (option.kind === "value" ? option.name : []));
  const declared = new Set<string>();
  const configured = configuredInputs((folder) => {
    const found = folders.byPath.get(fromSlashes(folder))?.config;
    return found && { config: found.config, folder: toSlashes(found.folder) };
  });
  const topOf = (folder: string): string | undefined => {
    const own = fromSlashes(folder);
    const top = repositoryAround(own) ?? (isWithin(own, io.cwd) ? io.cwd : undefined);
    return top === undefined ? undefined : toSlashes(top);
  };
  const projects: ProjectRequest[] = [];
  for (const [entry, some] of grouped(wanted, (one) => one.entry)) {
    const format = await entry.load();
    const inputs = {
      environment: environmentOf(format, io),
      options: request.variables,
      source: request.source,
      ...configured,
      topOf,
    };
    projects.push({ entry, format, paths: some.map(({ path }) => path), files, inputs });
  }

  const openProject: Projects["openProject"] = async ({ entry, format, paths }, open) => {
    const tellHosts = hostTeller(io);
    const own = paths.map(fromSlashes);
    if (!request.within(...own)) return undefined;
    const readInTime: Format["read"] = (reading) => inTime(secondsAtOnce(), () => format.read(reading));
    const opened = await openSound(
      { paths, separate: entry.separate },
      {
        open: (some) => open({ format: { ...format, read: readInTime }, paths: some }),
        failed: (path, error) => noteFault([fromSlashes(path)], request.faults, error),
      },
    );
    if (!opened) return undefined;
    const { project } = opened;
    request.withoutVm.push(...(project.withoutVm ?? []));
    for (const name of named.length > 0 ? (project.variables?.() ?? []) : []) declared.add(name);
    return (fixer) => tellHosts(orFault(own, request.faults, () => inTime(secondsAtOnce(), () => opened.check(fixer))) ?? []);
  };
  return { projects, openProject, opened: () => tellUndeclared(named, declared, io) };
}

/**
 * Limits a project to the repositories of its files. Without a repository, the end of a project is unknown, so there is no limit.
 */
function withinRepository(files: Files, folders: readonly string[], { variables, source }: Request, io: Io): Files {
  const tops = [...new Set(folders)].map((folder) => repositoryAround(folder));
  if (tops.some((top) => top === undefined)) return files;
  const named = variables.flatMap((option) => (option.kind === "file" ? dirname(fromSlashes(option.path)) : []));
  const reached = [io.cwd, ...tops.flatMap((top) => top ?? []), ...named, ...(source === undefined ? [] : [fromSlashes(source)])];
  return { ...filesWithin([...new Set(reached)], files, io.staged), ...(files.real && { real: files.real }) };
}

/** Says which values of the command line no configuration has a variable for. */
function tellUndeclared(names: readonly string[], declared: ReadonlySet<string>, io: Io): void {
  for (const name of new Set(names)) {
    if (declared.has(name)) continue;
    const near = hint(name, [...declared], String);
    io.err(`vmlint: --var ${printable(name)} has no effect: no configuration with a VM declares it.${printable(near)}\n`);
  }
}

/** Returns the environment variables that a format may read. */
function environmentOf({ environment: start }: Format, { env }: Io): Readonly<Record<string, string | undefined>> {
  return start === undefined ? {} : Object.fromEntries(Object.entries(env).filter(([name]) => name.startsWith(start)));
}

/** Returns a function that prints the assumptions about the hosts of files. */
function hostTeller(io: Io): (linted: readonly ProjectFile[]) => readonly ProjectFile[] {
  const reportedHosts = new Set<HostModel>();
  return (linted) => {
    for (const { vms } of linted) for (const { target } of vms) if (target.host) tellAssumptions(target.host, reportedHosts, io);
    return linted;
  };
}

/** Returns the files that may declare a VM. A named file that does not gets a note. */
function wantedFiles(inputs: readonly Chosen[], { empty }: Request, io: Io) {
  const found = inputs.flatMap(({ path, folder, format, isNamed, text }) => {
    if (!format || isAlone(format)) return [];
    if (text !== undefined) return [{ path: toSlashes(path), folder, entry: format, isNamed, text }];
    empty.set(path, "there is no VM in it");
    io.err(`vmlint: ${shownPath(path, io.cwd)} is not checked: there is no VM in it.\n`);
    return [];
  });
  return withoutDerived(found, diskFiles(undefined, io));
}
