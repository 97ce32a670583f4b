// Stands for test/support/cli.ts: runs the command, with all mutants in it, in a thread of the process that runs the tests.
import { fileURLToPath } from "node:url";
import { MessageChannel, receiveMessageOnPort, Worker } from "node:worker_threads";

export const COMMAND = fileURLToPath(new URL("command.cjs", import.meta.url));

/** The active mutant, the number of the run, and for each mutant whether the command met it. */
const shared = new Int32Array(new SharedArrayBuffer(4 * (2 + MUTANT_COUNT)));
let started;

function startThread(thread) {
  const { port1: port, port2 } = new MessageChannel();
  const done = new Int32Array(new SharedArrayBuffer(4));
  const workerData = { command: COMMAND, port: port2, done, shared };
  const worker = new Worker(thread, { workerData, transferList: [port2], execArgv: [], resourceLimits: { stackSizeMb: 1 } });
  worker.unref();
  port.unref();
  return { worker, port, done };
}

export function vmlint(cwd, args, env = {}) {
  started ??= startThread(MUTANT_THREAD);
  const { worker, port, done } = started;
  const { NO_COLOR: _, FORCE_COLOR: __, ...own } = process.env;
  done[0] = 0;
  shared[0] = MUTANT_ACTIVE();
  shared[1] = MUTANT_RUN;
  port.postMessage({ cwd, args, env: { ...own, ...env } });
  if (Atomics.wait(done, 0, 0, 10_000) === "timed-out") {
    worker.terminate();
    started = undefined;
    throw new Error("the command does not end");
  }
  for (let id = 0; id < MUTANT_COUNT; id++) if (shared[2 + id]) MUTANT(id);
  shared.fill(0);
  return receiveMessageOnPort(port).message;
}

const needsProcess = () => {
  throw new Error("NEEDS_PROCESS");
};

export { needsProcess as runCommand, needsProcess as spawned };
