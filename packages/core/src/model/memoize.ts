import { getOrInsert } from "./maps.ts";

/** Computes a value on first use, and keeps it. */
export function once<T>(make: () => T): () => T {
  let cached: { readonly value: T } | undefined;
  return () => {
    cached ??= { value: make() };
    return cached.value;
  };
}

/** The number of results to keep, because a run mostly sees the same texts again. */
const MOST_KNOWN = 1000;

/** Caches the results for the first thousand texts. */
export function onceEach<T, K extends string = string>(answer: (text: K) => T): (text: K) => T {
  const answers = new Map<K, T>();
  return (text) => {
    const cached = answers.get(text);
    if (cached !== undefined || answers.has(text)) return cached as T;
    const computed = answer(text);
    if (answers.size < MOST_KNOWN) answers.set(text, computed);
    return computed;
  };
}

/** Caches the result for each object as long as the object lives. */
export function onceFor<K extends object, T>(answer: (key: K) => T): (key: K) => T {
  const answers = new WeakMap<K, { readonly value: T }>();
  return (key) => getOrInsert(answers, key, () => ({ value: answer(key) })).value;
}

/** Caches the result for the latest text. */
export function lastAnswer<T>(answer: (text: string) => T): (text: string) => T {
  let last: { readonly text: string; readonly answer: T } | undefined;
  return (text) => {
    if (last?.text !== text) last = { text, answer: answer(text) };
    return last.answer;
  };
}
