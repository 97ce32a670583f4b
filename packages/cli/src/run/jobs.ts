import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import { type Flags, jobsOf } from "../args/options.ts";
import { STDIN } from "../files/find-files.ts";
import { statsOf } from "../files/read-files.ts";
import type { Io } from "../io.ts";
import type { LintRequest } from "./lint-files.ts";

/** The least files for each thread of `auto`: on two cores, a second thread takes 4 % longer for 1,000 `.vmx` files and 9 % less for 2,000. */
const FILES_OF_THREAD = 1000;
/** The most threads of `auto`. Each takes 30 MB or more, and the main thread alone finds the files and writes the reports. */
const MOST_THREADS = 4;

/** Returns a function that shares many files between threads, or `undefined` if one thread checks all files. */
export function sharing(flags: Flags, isAlone: boolean, io: Io): LintRequest["share"] {
  const jobs = jobsOf(flags);
  // A thread cannot get the code of plugins and staged contents. --anonymise needs all VMs, and --timing times one thread.
  if (jobs === 1 || isAlone || flags.plugins || io.staged || flags.anonymise !== undefined || flags.timing) return undefined;
  const threadsFor = (files: number): number =>
    jobs === "auto" ? Math.min(availableParallelism(), MOST_THREADS, Math.floor(files / FILES_OF_THREAD)) : jobs;
  return async (files) =>
    threadsFor(files) < 2 || isReadOnce(flags, io) ? undefined : (await import("./threads.ts")).shareOfMain(threadsFor, io);
}

/** Whether the host or the configuration comes through a pipe: a second thread would wait for its content for ever. */
const isReadOnce = ({ host: [host = ""] = [], config = "" }: Flags, { cwd }: Io): boolean =>
  [host, host.replace(/@[^@]*$/, ""), config].some((word) => word === STDIN || statsOf(resolve(cwd, word))?.isFIFO());
