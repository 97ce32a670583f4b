/** Makes a value when it is first asked for, and keeps it. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** Texts of which the answers are kept: those of a run are mostly the same ones again. */
const MOST_KNOWN = 1000;

/** Answers the first thousand texts it is asked about once each. */
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

/** Answers a text that it is asked about several times in a row once. */
export function lastAnswer<T>(answer: (text: string) => T): (text: string) => T {
  let last: { readonly text: string; readonly answer: T } | undefined;
  return (text) => {
    if (last?.text !== text) last = { text, answer: answer(text) };
    return last.answer;
  };
}
