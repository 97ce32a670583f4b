import { check, type Question } from "./check.ts";

/**
 * The parts of a worker's scope that this file uses. TypeScript's own type needs a library that contradicts the one for pages.
 */
interface Worker {
  onmessage: (event: { readonly data: Question }) => void;
  readonly postMessage: (reply: Reply) => void;
}

/** The reply to a question: an answer, or the text of a bug. */
export type Reply = { readonly answer: Awaited<ReturnType<typeof check>> } | { readonly bug: string };

const worker = globalThis as unknown as Worker;

worker.onmessage = ({ data }) => {
  check(data).then(
    (answer) => worker.postMessage({ answer }),
    (error: unknown) => worker.postMessage({ bug: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
  );
};
