import { check, type Question } from "./check.ts";
import { checkEstate, type EstateQuestion } from "./estate.ts";

/**
 * The parts of a worker's scope that this file uses. TypeScript's own type needs a library that contradicts the one for pages.
 */
interface Worker {
  onmessage: (event: { readonly data: Question | EstateQuestion }) => void;
  readonly postMessage: (reply: Reply | EstateReply) => void;
}

/** The reply to a question: an answer, or the text of a bug. */
export type Reply = { readonly answer: Awaited<ReturnType<typeof check>> } | { readonly bug: string };

/** The reply to a question about an export. */
export type EstateReply = { readonly estate: Awaited<ReturnType<typeof checkEstate>> } | { readonly bug: string };

const worker = globalThis as unknown as Worker;

worker.onmessage = ({ data }) => {
  const reply = "files" in data ? checkEstate(data).then((estate) => ({ estate })) : check(data).then((answer) => ({ answer }));
  reply.then(
    (found) => worker.postMessage(found),
    (error: unknown) => worker.postMessage({ bug: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
  );
};
