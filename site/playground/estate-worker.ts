import type { EstateQuestion } from "./estate.ts";
import type { EstateReply } from "./worker.ts";

/** Checks the files of an export in a worker of its own, which ends with the reply. `stop` ends it before. */
export function askForEstate(question: EstateQuestion, reply: (reply: EstateReply) => void): { readonly stop: () => void } {
  const worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
  const done = (found: EstateReply): void => {
    worker.terminate();
    reply(found);
  };
  worker.onmessage = ({ data }: MessageEvent<EstateReply>) => done(data);
  worker.onerror = ({ message }) => done({ bug: message || "The worker could not be loaded." });
  worker.postMessage(question);
  return { stop: () => worker.terminate() };
}
