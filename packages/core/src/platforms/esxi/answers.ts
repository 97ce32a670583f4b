import type { Candidate, Reason } from "./layout.ts";

/** The answers to the questions that no source decides, in the order of asking. A question without an answer gets the likeliest. */
export class Answers {
  readonly #given: readonly number[];
  readonly #asked: { readonly at: number; readonly of: readonly Candidate[] }[] = [];

  constructor(given: readonly number[] = []) {
    this.#given = given;
  }

  /** Returns the answer to the question of a reason; an empty one if it has no candidates. */
  to({ candidates = [] }: Reason): Candidate {
    const at = this.#given[this.#asked.length] ?? 0;
    const candidate = candidates[at];
    if (!candidate) return NO_CANDIDATE;
    this.#asked.push({ at, of: candidates });
    return candidate;
  }

  /** The candidate that makes this answer another than the likeliest; the first one if none does. */
  get deciding(): Candidate | undefined {
    const question = this.#asked.find(({ at }) => at > 0) ?? this.#asked[0];
    return question?.of[question.at];
  }

  /** Returns the answers that follow these, as digits follow each other; `undefined` after the last. */
  next(): Answers | undefined {
    const last = this.#asked.findLastIndex(({ at, of }) => at + 1 < of.length);
    if (last < 0) return undefined;
    return new Answers(this.#asked.slice(0, last + 1).map(({ at }, i) => (i === last ? at + 1 : at)));
  }
}

const NO_CANDIDATE: Candidate = { source: null };
