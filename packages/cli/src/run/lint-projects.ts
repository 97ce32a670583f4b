import { dirname } from "node:path";
import type { Files, HostModel } from "@vmlint/core";
import { hint, type ParsedProject, printable, type RunHost, type VariableOption, withoutDerived } from "@vmlint/core/program";
import { diskFiles, filesWithin } from "../files/disk.ts";
import { fromSlashes, isWithin, shownPath, toSlashes } from "../files/read-files.ts";
import { repositoryAround } from "../files/read-named.ts";
import type { Io } from "../io.ts";
import { secondsAtOnce } from "./budget.ts";
import type { Shared } from "./checking.ts";
import type { Chosen } from "./choose.ts";
import { noteFault, orFault } from "./fault.ts";
import { tellAssumptions } from "./host-finder.ts";
import { inTime } from "./time-limit.ts";

interface Request extends Shared {
  readonly variables: readonly VariableOption[];
  readonly source: string | undefined;
  /** The names in folders that were searched. */
  readonly listed: ReadonlyMap<string, readonly string[]>;
}

type ForProjects = Pick<RunHost<Chosen>, "projectFiles" | "mayCheck" | "failed" | "inTime" | "guarded">;

/** Returns how projects are read and checked. */
export const projectsOf = (request: Request, io: Io): ForProjects => ({
  projectFiles(joint) {
    const texts = new Map(joint.flatMap(({ path, text }) => (text === undefined ? [] : [[path, text] as const])));
    const lists = new Map([...request.listed].map(([folder, names]) => [toSlashes(folder), names]));
    const folders = joint.map(({ folder }) => folder);
    return withinRepository(diskFiles({ texts, lists }, io), folders, request, io);
  },
  mayCheck: (paths) => request.within(...paths.map(fromSlashes)),
  failed: (path, error) => noteFault([fromSlashes(path)], request.faults, error),
  inTime: (work) => inTime(secondsAtOnce(), work),
  guarded(paths, check) {
    const linted = orFault(paths.map(fromSlashes), request.faults, () => inTime(secondsAtOnce(), check)) ?? [];
    const reportedHosts = new Set<HostModel>();
    for (const { file } of linted) for (const { target } of file.vms) if (target.host) tellAssumptions(target.host, reportedHosts, io);
    return linted;
  },
});

/** Returns the repository around a folder, whose sources of Packer make templates. */
export function topOf(folder: string, { cwd }: Io): string | undefined {
  const own = fromSlashes(folder);
  const top = repositoryAround(own) ?? (isWithin(own, cwd) ? cwd : undefined);
  return top === undefined ? undefined : toSlashes(top);
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
export function tellUndeclared(variables: readonly VariableOption[], projects: readonly ParsedProject[], io: Io): void {
  const names = new Set(variables.flatMap((option) => (option.kind === "value" ? option.name : [])));
  if (names.size === 0) return;
  const declared = new Set(projects.flatMap((project) => [...(project.variables?.() ?? [])]));
  for (const name of names) {
    if (declared.has(name)) continue;
    const near = hint(name, [...declared], String);
    io.err(`vmlint: --var ${printable(name)} has no effect: no configuration with a VM declares it.${printable(near)}\n`);
  }
}

/** Returns the files that may declare a VM, by paths with forward slashes. A named file that does not gets a note. */
export function wantedFiles(inputs: readonly Chosen[], empty: Map<string, string>, io: Io): readonly Chosen[] {
  const found = inputs.flatMap((input) => {
    const { path, text } = input;
    if (text !== undefined) return [{ ...input, path: toSlashes(path), text }];
    empty.set(path, "there is no VM in it");
    io.err(`vmlint: ${shownPath(path, io.cwd)} is not checked: there is no VM in it.\n`);
    return [];
  });
  return withoutDerived(found, diskFiles(undefined, io));
}
