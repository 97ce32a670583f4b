import type { Checked } from "./harm.ts";

/** Work that asks what there is to say of one text after another, and can wait for each answer. */
export type Asking<T, Answer = Checked> = Generator<string, T, Answer>;

/** Does the work, each answer given as it is asked for. */
export function answered<T, Answer>(work: Asking<T, Answer>, answer: (text: string) => Answer): T {
  let step = work.next();
  while (!step.done) step = work.next(answer(step.value));
  return step.value;
}

/** The same work for whoever answers with something else. */
export function* answeredBy<T, Answer, Other>(work: Asking<T, Answer>, read: (other: Other, text: string) => Answer): Asking<T, Other> {
  let step = work.next();
  while (!step.done) step = work.next(read(yield step.value, step.value));
  return step.value;
}
