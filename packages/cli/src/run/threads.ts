import { dirname } from "node:path";
import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker, workerData } from "node:worker_threads";
import { type EarlierResult, earlierResult, formats } from "@vmlint/core/program";
import type { Io } from "../io.ts";
import { outside } from "../process-io.ts";
import type { Chosen } from "./choose.ts";
import { type LintRequest, lintFiles, type ThreadShare } from "./lint-files.ts";

/*
 * The main thread checks the list of files from its beginning, and the helper threads check it from its end. When they meet, the main thread
 * uses the results of the helpers. It checks each file itself that has no such result, so a helper that fails costs
 * only time.
 */

/** The most files of a batch. A thread takes a batch at a time. */
const MOST_IN_BATCH = 256;
/** The number of batches for each thread, if the files are few. */
const LEAST_BATCHES = 16;
/** The most milliseconds that the main thread waits for a batch. Then it checks the batch itself. */
const PATIENCE = 10_000;

/** The states of a batch. */
const FREE = 0;
const TAKEN = 1;
const DONE = 2;

interface ThreadResult {
  /** The path in reports, and the format. */
  readonly name: string;
  readonly format: string;
  readonly kept: EarlierResult;
}

/** The results of one batch, and the files that were read besides the checked files. */
interface BatchResults {
  readonly results: readonly ThreadResult[];
  readonly noted: readonly string[];
}

type SentFile = Pick<Chosen, "path" | "isNamed"> & { readonly format: string | undefined };

/** Everything that a thread needs, as data. */
interface ThreadTask {
  readonly request: Pick<LintRequest, "patterns" | "host" | "workload" | "config" | "together">;
  readonly cwd: string;
  readonly files: readonly SentFile[];
  readonly inBatch: number;
  /** The state of each batch, shared by all threads. */
  readonly states: Int32Array;
  readonly port: MessagePort;
}

const takes = (states: Int32Array, batch: number): boolean => Atomics.compareExchange(states, batch, FREE, TAKEN) === FREE;

/** Returns the share of the main thread. It starts the other threads when it takes its first batch. */
export function shareOfMain(threadsFor: (files: number) => number, io: Io): ThreadShare {
  const results = new Map<string, ThreadResult>();
  const ports: MessagePort[] = [];
  const receive = (): void => {
    for (const port of ports)
      for (let next = receiveMessageOnPort(port); next; next = receiveMessageOnPort(port)) {
        const batch: BatchResults = next.message;
        for (const path of batch.noted) io.noted?.(path);
        for (const result of batch.results) results.set(result.name, result);
      }
  };
  return {
    results: {
      find: (name, format) => {
        const result = results.get(name);
        results.delete(name);
        return { kept: result?.format === format ? result.kept : undefined };
      },
    },
    *filesOf({ patterns, host, workload, config, together }, files) {
      const threads = threadsFor(files.length);
      const inBatch = Math.min(Math.max(Math.ceil(files.length / (threads * LEAST_BATCHES)), 1), MOST_IN_BATCH);
      const states = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT * Math.ceil(files.length / inBatch)));
      const request = { patterns, host, workload, config, together };
      const task = { request, cwd: io.cwd, files: files.map(sent), inBatch, states };
      for (let thread = 1; thread < Math.min(threads, states.length); thread++) ports.push(startThread(task));
      for (let batch = 0; batch < states.length; batch++) {
        if (!takes(states, batch)) {
          Atomics.wait(states, batch, TAKEN, PATIENCE);
          receive();
        }
        yield* files.slice(batch * inBatch, (batch + 1) * inBatch);
      }
    },
  };
}

const sent = ({ path, isNamed, entry }: Chosen): SentFile => ({ path, isNamed, format: entry?.name });

function startThread(task: Omit<ThreadTask, "port">): MessagePort {
  const { port1, port2 } = new MessageChannel();
  const worker = new Worker(__filename, { workerData: { threadTask: { ...task, port: port2 } }, transferList: [port2] });
  // The main thread checks the files of a thread that fails.
  worker.on("error", () => {});
  worker.unref();
  return port1;
}

/** Checks batches of files until none is left. */
async function checkBatches({ request, cwd, files, inBatch, states, port }: ThreadTask): Promise<void> {
  let results: ThreadResult[] = [];
  let noted: string[] = [];
  const clean = new Map<string, EarlierResult>();
  const keep = (name: string, format: string, kept: EarlierResult): void => {
    // The main thread names the first file that a rule fails on, with an error of its own.
    if (kept.skipped.some(({ fault }) => fault !== undefined)) return;
    // A message holds an object once, however many refer to it.
    const text = kept.diagnostics.length > 0 ? "" : JSON.stringify(kept);
    const same = clean.get(text) ?? kept;
    if (text) clean.set(text, same);
    results.push({ name, format, kept: same });
  };
  const share: ThreadShare = {
    results: { find: (name, format) => ({ keep: (text, result) => keep(name, format, earlierResult(text, result)) }) },
    *filesOf(_, chosen) {
      for (let batch = states.length - 1; batch >= 0; batch--) {
        if (!takes(states, batch)) continue;
        yield* chosen.slice(batch * inBatch, (batch + 1) * inBatch);
        port.postMessage({ results, noted } satisfies BatchResults);
        results = [];
        noted = [];
        Atomics.store(states, batch, DONE);
        Atomics.notify(states, batch);
      }
    },
  };
  const io = { ...outside({ cwd, env: {}, isTerminal: false, print: () => {} }), noted: (path: string) => void noted.push(path) };
  const options = { onlyFindings: true, chosen: files.map(received), share: async () => share };
  const run = await lintFiles({ ...request, ...options, tolerates: ["lost", "mistakes", "faults", "over"] }, io);
  for (const _ of run.files());
  port.close();
}

const received = ({ path, isNamed, format }: SentFile): Chosen => ({
  path,
  folder: dirname(path),
  formats: [],
  isNamed,
  entry: formats.find(({ name }) => name === format),
});

const task: ThreadTask | undefined = workerData?.threadTask;
if (task) void checkBatches(task);
