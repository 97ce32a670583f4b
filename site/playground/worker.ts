import { check, type Question } from "./check.ts";

/** What a worker is here: TypeScript's own type of it needs a library that contradicts the one of pages. */
interface Worker {
  onmessage: (event: { readonly data: Question }) => void;
  readonly postMessage: (reply: Reply) => void;
}

/** What a question leads to: an answer, or a bug. */
export type Reply = { readonly answer: Awaited<ReturnType<typeof check>> } | { readonly bug: string };

const worker = globalThis as unknown as Worker;

worker.onmessage = ({ data }) => {
  check(data).then(
    (answer) => worker.postMessage({ answer }),
    (error: unknown) => worker.postMessage({ bug: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
  );
};
