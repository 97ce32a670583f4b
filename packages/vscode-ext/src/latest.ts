import type { Disposable } from "vscode";

/** Work that is put off, of which only what was asked for last counts, for each key by itself. */
export class Latest implements Disposable {
  readonly #timers = new Map<string, ReturnType<typeof setTimeout>>();

  /** In place of what was asked for before. Work that waits for something asks `isLatest` whether it still counts. */
  schedule(key: string, delay: number, work: (isLatest: () => boolean) => void): void {
    clearTimeout(this.#timers.get(key));
    const timer = setTimeout(() => work(() => this.#timers.get(key) === timer), delay);
    this.#timers.set(key, timer);
  }

  cancel(key: string): void {
    clearTimeout(this.#timers.get(key));
    this.#timers.delete(key);
  }

  dispose(): void {
    for (const key of this.#timers.keys()) this.cancel(key);
  }
}
