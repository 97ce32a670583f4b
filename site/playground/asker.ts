import type { Question } from "./check.ts";
import type { Reply } from "./worker.ts";

/** After so many milliseconds an answer is no longer waited for once there is a newer question. */
const PATIENCE = 4000;

/** Checks texts in a worker, so that typing never waits. If several questions arrive meanwhile, only the last is answered. */
export function asker(reply: (question: Question, reply: Reply) => void) {
  let worker = start();
  let pending: { readonly question: Question; readonly at: number } | undefined;
  let next: Question | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function start(): Worker {
    const started = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
    const done = (found: Reply) => {
      const question = pending?.question;
      pending = undefined;
      if (question) reply(question, found);
      send();
    };
    started.onmessage = ({ data }: MessageEvent<Reply>) => done(data);
    started.onerror = ({ message }) => done({ bug: message || "The worker could not be loaded." });
    return started;
  }
  function send(): void {
    if (pending || !next) return;
    pending = { question: next, at: performance.now() };
    next = undefined;
    worker.postMessage(pending.question);
  }
  /** Begins anew where a newer question waits for an answer that takes too long. */
  function hurry(): void {
    clearTimeout(timer);
    if (!pending || !next) return;
    const left = pending.at + PATIENCE - performance.now();
    if (left > 0) {
      timer = setTimeout(hurry, left);
      return;
    }
    worker.terminate();
    worker = start();
    pending = undefined;
    send();
  }
  return {
    ask(question: Question): void {
      next = question;
      send();
      hurry();
    },
    stop(): void {
      clearTimeout(timer);
      worker.terminate();
    },
  };
}
