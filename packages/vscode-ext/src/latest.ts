import type { Disposable } from "vscode";

/** Runs work after a delay. For each key, only the latest work counts. */
export class Latest implements Disposable {
  readonly #timers = new Map<string, ReturnType<typeof setTimeout>>();

  /** Replaces the earlier work of this key. Asynchronous work can call `isLatest` to learn whether it is still current. */
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
