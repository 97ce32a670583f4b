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
