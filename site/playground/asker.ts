import type { Question } from "./check.ts";
import type { Reply } from "./worker.ts";

/** After so many milliseconds an answer is no longer waited for when there is a newer question. */
const PATIENCE = 4000;

/** Checks texts in a worker, so that typing never waits. Of the questions that come meanwhile only the last is answered. */
export function asker(reply: (question: Question, reply: Reply) => void) {
  let worker = start();
  let asked: { readonly question: Question; readonly at: number } | undefined;
  let next: Question | undefined;

  function start(): Worker {
    const started = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
    const done = (found: Reply) => {
      const question = asked?.question;
      asked = undefined;
      if (question) reply(question, found);
      send();
    };
    started.onmessage = ({ data }: MessageEvent<Reply>) => done(data);
    started.onerror = ({ message }) => done({ bug: message || "The worker could not be loaded." });
    return started;
  }
  function send(): void {
    if (asked || !next) return;
    asked = { question: next, at: performance.now() };
    next = undefined;
    worker.postMessage(asked.question);
  }
  return {
    ask(question: Question): void {
      next = question;
      if (asked && performance.now() - asked.at > PATIENCE) {
        worker.terminate();
        worker = start();
        asked = undefined;
      }
      send();
    },
    stop: () => worker.terminate(),
  };
}
