import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from "node:worker_threads";
import { inject } from "vitest";

/** The built command. */
export const COMMAND = join(built(inject("build")), "vmlint.cjs");

export interface Run {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Builds the command into a folder, unless it is there. If two processes build at once, the first one wins, and both builds are equal. */
function built(folder: string): string {
  if (existsSync(folder)) return folder;
  mkdirSync(dirname(folder), { recursive: true });
  const own = mkdtempSync(`${folder}-`);
  const { status, stderr } = spawnSync(process.execPath, [fileURLToPath(new URL("../../scripts/build.mjs", import.meta.url)), own], {
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(stderr);
  try {
    renameSync(own, folder);
  } catch {
    rmSync(own, { recursive: true });
  }
  return folder;
}

let started: Thread | undefined;

interface Thread {
  readonly port: MessagePort;
  /** Turns from 0 to 1 when a run has ended. */
  readonly done: Int32Array;
}

/** Starts a thread that loads the built command, and runs it once for each message. */
function startThread(): Thread {
  const { port1: port, port2 } = new MessageChannel();
  const done = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(new URL("./command-thread.cjs", import.meta.url), {
    workerData: { command: join(dirname(COMMAND), "command.cjs"), port: port2, done },
    transferList: [port2],
    execArgv: [],
    // As that of a process.
    resourceLimits: { stackSizeMb: 1 },
  });
  worker.unref();
  port.unref();
  return { port, done };
}

/** The timeout in milliseconds of an endless run. */
const PATIENCE = 120_000;

/** Runs the built command in a folder, in a thread of this process. Use `spawned` for a real process. */
export function vmlint(cwd: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): Run {
  started ??= startThread();
  const { port, done } = started;
  done[0] = 0;
  port.postMessage({ cwd, args, env: { ...plainEnvironment(), ...env } });
  if (Atomics.wait(done, 0, 0, PATIENCE) === "timed-out") {
    // Its answer may still come, and would pass for that of the next run.
    started = undefined;
    throw new Error(`vmlint ${args.join(" ")} does not end`);
  }
  return receiveMessageOnPort(port)?.message as Run;
}

/** Runs the built command in a real process, for tests of standard input, exit, memory or plugins. */
export const spawned = (cwd: string, args: readonly string[], env: Readonly<Record<string, string>> = {}, input = ""): Run =>
  runCommand(COMMAND, cwd, args, env, input);

/** The same with another build of it. */
export function runCommand(
  command: string,
  cwd: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  input = "",
): Run {
  const run = spawnSync(process.execPath, [command, ...args], { cwd, env: { ...plainEnvironment(), ...env }, encoding: "utf8", input });
  return { code: run.status, out: run.stdout, err: run.stderr };
}

/** The environment of this process, without the variables that colour the output. */
function plainEnvironment(): NodeJS.ProcessEnv {
  const { NO_COLOR: _, FORCE_COLOR: __, ...rest } = process.env;
  return rest;
}
