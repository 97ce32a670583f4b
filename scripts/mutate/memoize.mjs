// The caches of model/memoize.ts, and maps, that are empty for each mutant.

/** Returns a function that makes a value anew for each mutant. */
const eachRun = (make) => {
  let run;
  let value;
  return () => {
    if (run !== MUTANT_RUN) [run, value] = [MUTANT_RUN, make()];
    return value;
  };
};

export const once = (make) => {
  const cached = eachRun(() => ({}));
  return () => {
    const one = cached();
    if (!("value" in one)) one.value = make();
    return one.value;
  };
};

const keeping = (makeMap) => (answer) => {
  const answers = eachRun(makeMap);
  return (key) => {
    const known = answers();
    if (!known.has(key)) known.set(key, answer(key));
    return known.get(key);
  };
};
export const onceEach = keeping(() => new Map());
export const onceFor = keeping(() => new WeakMap());
export const lastAnswer = onceEach;

const fresh = (makeMap) =>
  class {
    #map = eachRun(makeMap);
    get = (key) => this.#map().get(key);
    has = (key) => this.#map().has(key);
    set = (key, value) => this.#map().set(key, value);
    delete = (key) => this.#map().delete(key);
    get size() {
      return this.#map().size;
    }
  };
export const FreshMap = fresh(() => new Map());
export const FreshWeakMap = fresh(() => new WeakMap());
