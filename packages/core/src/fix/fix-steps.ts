import type { CheckState } from "./regressions.ts";

/** The steps of a fix: each yields a text and receives what was found in it, at once or later. */
export type FixSteps<T, Answer = CheckState> = Generator<string, T, Answer>;

/** Runs the steps, with findings that are there at once. */
export function runSteps<T, Answer>(work: FixSteps<T, Answer>, answer: (text: string) => Answer): T {
  let step = work.next();
  while (!step.done) step = work.next(answer(step.value));
  return step.value;
}

/** The same steps with findings of another form, which `read` turns into the one they take. */
export function* mapAnswers<T, Answer, Other>(work: FixSteps<T, Answer>, read: (other: Other, text: string) => Answer): FixSteps<T, Other> {
  let step = work.next();
  while (!step.done) step = work.next(read(yield step.value, step.value));
  return step.value;
}
