/** Computes a value on first use, and keeps it. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** The number of results to keep, because a run mostly sees the same texts again. */
const MOST_KNOWN = 1000;

/** Caches the results for the first thousand texts. */
export function onceEach<T>(answer: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    const kept = known.get(text);
    if (kept !== undefined || known.has(text)) return kept as T;
    const made = answer(text);
    if (known.size < MOST_KNOWN) known.set(text, made);
    return made;
  };
}

/** Caches the result for each object as long as the object lives. */
export function onceFor<K extends object, T>(answer: (key: K) => T): (key: K) => T {
  const known = new WeakMap<K, { readonly value: T }>();
  return (key) => {
    const kept = known.get(key) ?? { value: answer(key) };
    known.set(key, kept);
    return kept.value;
  };
}

/** Caches the result for the latest text. */
export function lastAnswer<T>(answer: (text: string) => T): (text: string) => T {
  let last: { readonly text: string; readonly answer: T } | undefined;
  return (text) => {
    if (last?.text !== text) last = { text, answer: answer(text) };
    return last.answer;
  };
}
