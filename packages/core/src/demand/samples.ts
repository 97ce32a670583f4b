/** The values of a column about one VM, in half the memory of a list: an export of an estate has millions. */
export class Samples {
  #values = new Float32Array(8);
  length = 0;

  push(value: number): void {
    if (this.length === this.#values.length) {
      const larger = new Float32Array(Math.ceil(this.length * 1.5));
      larger.set(this.#values);
      this.#values = larger;
    }
    this.#values[this.length++] = value;
  }

  /** Returns the nearest rank: the smallest value that so many per cent do not exceed, with seven digits. */
  percentile(percent: number): number {
    const sorted = this.#values.slice(0, this.length).sort();
    return Number((sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)] ?? 0).toPrecision(7));
  }
}
