import type { MessagePort, Worker } from "node:worker_threads";

/** Functions that another thread calls. Arguments and results are plain data. */
type Functions<T> = { readonly [Name in keyof T]: (...words: never[]) => unknown };

type Message =
  | { readonly call: string; readonly id: number; readonly words: readonly never[] }
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly error: string };

interface Waiting {
  readonly resolve: (result: never) => void;
  readonly reject: (error: Error) => void;
}

export interface OtherThread<Theirs extends Functions<Theirs>> {
  readonly call: <Name extends keyof Theirs & string>(
    name: Name,
    ...words: Parameters<Theirs[Name]>
  ) => Promise<Awaited<ReturnType<Theirs[Name]>>>;
  /** Call this when the other thread is gone. */
  readonly gone: (error: Error) => void;
}

/** Calls the functions of another thread, and answers its calls of `own` functions. */
export function connect<Theirs extends Functions<Theirs>, Own extends Functions<Own>>(
  port: MessagePort | Worker,
  own: Own,
): OtherThread<Theirs> {
  const functions = new Map<string, (...words: never[]) => unknown>(Object.entries(own));
  const waiting = new Map<number, Waiting>();
  let last = 0;
  port.on("message", async (message: Message) => {
    const { id } = message;
    if ("call" in message) {
      try {
        port.postMessage({ id, result: await functions.get(message.call)?.(...message.words) });
      } catch (error) {
        port.postMessage({ id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
      }
      return;
    }
    const caller = waiting.get(id);
    waiting.delete(id);
    if ("error" in message) caller?.reject(new Error(message.error));
    // A thread answers with the result of the function that was called.
    else caller?.resolve(message.result as never);
  });
  return {
    call: (name, ...words) =>
      new Promise((resolve, reject) => {
        waiting.set(++last, { resolve, reject });
        port.postMessage({ call: name, id: last, words });
      }),
    gone(error) {
      for (const { reject } of waiting.values()) reject(error);
      waiting.clear();
    },
  };
}
