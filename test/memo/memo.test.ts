import { expect, test } from "vitest";
import { isEqual, Memo } from "../../packages/core/src/memo/memo.ts";

// A small workspace: a file has numbers and names other files, a folder has files, and a sum is over all.

const later = async <T>(value: T): Promise<T> => value;

function open(texts: ReadonlyMap<string, string>, isSlow = false) {
  const memo = new Memo();
  let runs: string[] = [];
  const loads: string[] = [];
  memo.onRun = (query, key) => runs.push(`${query} ${key}`);
  const read = memo.input("read", (path): string | undefined | Promise<string | undefined> => {
    loads.push(path);
    return isSlow ? later(texts.get(path)) : texts.get(path);
  });
  const list = memo.input("list", (): readonly string[] => [...texts.keys()].sort(), isEqual);
  const numbers = memo.query(
    "numbers",
    (path): readonly number[] => {
      if (read(path) === "boom") throw new Error(`a bug in ${path}`);
      return (read(path) ?? "").split(" ").flatMap((word) => (/^\d+$/.test(word) ? Number(word) : word > path ? numbers(word) : []));
    },
    isEqual,
  );
  const sum = memo.query("sum", () =>
    memo
      .all(list(""), (path) => memo.outcome(() => numbers(path)).value ?? [])
      .flat()
      .reduce((total, one) => total + one, 0),
  );
  const ask = async () => {
    runs = [];
    return { sum: await memo.settle(() => sum("")), runs };
  };
  const changed = (...paths: readonly string[]) => memo.changed((input, key) => input === "list" || paths.includes(key));
  return { memo, read, numbers, ask, changed, loads };
}

const files = (count: number) => new Map(Array.from({ length: count }, (_, i) => [`f${i}`, String(i)]));

test("one change runs only what depends on it", async () => {
  const texts = files(1000).set("caller", "1 f3");
  const { ask, changed } = open(texts);
  const before = (await ask()).sum;
  texts.set("f3", "5");
  changed("f3");
  const { sum, runs } = await ask();
  expect(sum).toBe(before + 4);
  expect(runs).toEqual(["numbers f3", "numbers caller", "sum "]);
});

test("an equal answer stops the runs", async () => {
  const texts = files(1000);
  const { ask, changed, memo } = open(texts);
  await ask();
  texts.set("f3", "3 A");
  changed("f3");
  expect((await ask()).runs).toEqual(["numbers f3"]);
  memo.changed(() => true);
  expect((await ask()).runs).toEqual([]);
});

test("slow values load at the same time, each once, and again in few rounds", { timeout: 20_000 }, async () => {
  const texts = files(2000).set("caller", "f1 f2");
  const { ask, loads, memo } = open(texts, true);
  expect((await ask()).sum).toBe((await open(texts).ask()).sum);
  expect(new Set(loads).size).toBe(loads.length);
  // An engine that asks pending questions anew for each reader takes minutes.
  memo.changed(() => true);
  expect((await ask()).runs).toEqual([]);
});

test("a change during a load counts", async () => {
  const texts = new Map([["a", "1"]]);
  const { ask, changed } = open(texts, true);
  const found = ask();
  texts.set("a", "2");
  changed("a");
  expect((await found).sum).toBe(2);
});

test("a question goes on without a value on its way, and is asked again with it", async () => {
  const memo = new Memo();
  const loads: string[] = [];
  const read = memo.input("read", (key) => later(loads.push(key) && key.length));
  const all = memo.query("all", () => ["a", "bb", "ccc"].map((key) => memo.ifReady(() => read(key)) ?? 0));
  let runs = 0;
  memo.onRun = () => runs++;
  expect(await memo.settle(() => all(""))).toEqual([1, 2, 3]);
  expect([runs, loads]).toEqual([2, ["a", "bb", "ccc"]]);
});

test("code that catches every error cannot swallow that a value is on its way", async () => {
  const memo = new Memo();
  const read = memo.input("read", (key) => later(key));
  const guarded = memo.query("guarded", (key) => {
    try {
      return read(key);
    } catch {
      return "caught";
    }
  });
  expect(await memo.settle(() => guarded("a"))).toBe("a");
});

test("a query that throws gives each asker the same error, until a read changes", async () => {
  const texts = new Map([
    ["a", "1"],
    ["b", "boom"],
  ]);
  const { ask, changed, memo, numbers } = open(texts);
  expect((await ask()).sum).toBe(1);
  const errorOf = () => memo.outcome(() => numbers("b")).error;
  expect(errorOf()).toBe(errorOf());
  texts.set("b", "2");
  changed("b");
  expect((await ask()).sum).toBe(3);
});

test("a load that fails gives each asker the error", async () => {
  const memo = new Memo();
  const read = memo.input("read", async (key): Promise<string> => {
    throw new Error(`${key} is not there`);
  });
  const query = memo.query("query", (key) => read(key));
  await expect(memo.settle(() => query("a"))).rejects.toThrow("a is not there");
});

test("a question that asks itself is an error with its path", () => {
  const memo = new Memo();
  const ask = memo.query("ask", (key: string): number => ask(key === "a" ? "b" : "a"));
  expect(() => ask("a")).toThrow("a question asks itself: ask(a) > ask(b) > ask(a)");
  const guarded = memo.query("guarded", (key): string => (memo.outcome(() => ask(key)).error ? "caught" : "answered"));
  for (let i = 0; i < 2; i++, memo.changed(() => true)) expect(guarded("a")).toBe("caught");
});

test("a question that is never settled ends", async () => {
  const memo = new Memo();
  const read = memo.input("read", (key) => later(`${key}x`));
  const ask = memo.query("ask", (): string => {
    let key = "a";
    for (;;) key = read(key);
  });
  await expect(memo.settle(() => ask(""))).rejects.toThrow("still lacked a value after 1000 rounds");
});

test("a set value counts until it is loaded again, and a dropped one is loaded again when it is read", async () => {
  const texts = new Map([["a", "1"]]);
  const { ask, changed, read, loads } = open(texts, true);
  await ask();
  read.set("a", "7");
  expect((await ask()).sum).toBe(7);
  read.set("a", "7");
  expect((await ask()).runs).toEqual([]);
  changed("a");
  expect((await ask()).sum).toBe(1);
  read.drop("a");
  expect(read.last("a")).toBeUndefined();
  expect(await ask()).toEqual({ sum: 1, runs: [] });
  const before = loads.length;
  texts.set("0", "a");
  changed("0");
  expect((await ask()).sum).toBe(2);
  // The text of `a` is not needed: its numbers are known.
  expect(loads.slice(before)).toEqual(["0"]);
});

test("10,000 changes leave no memory behind", async () => {
  const texts = files(100);
  const { ask, changed, memo } = open(texts);
  await ask();
  const before = memo.size;
  for (let i = 0; i < 10_000; i++) {
    texts.set(`new${i}`, "1").delete(`new${i - 1}`);
    changed(`new${i}`, `new${i - 1}`);
    await ask();
  }
  expect(memo.size).toBeLessThan(before + 4000);
});

test("after any changes, the answers are those of a new workspace", async () => {
  let seed = 7;
  const random = (below: number): number => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % below;
  };
  const contents = ["1", "2 3", "b 1", "c", "e d", "boom", "f"];
  for (const isSlow of [false, true]) {
    const texts = new Map<string, string>();
    const { ask, changed } = open(texts, isSlow);
    for (let i = 0; i < 1000; i++) {
      const path = "abcdef"[random(6)] ?? "";
      if (random(4) === 0) texts.delete(path);
      else texts.set(path, contents[random(7)] ?? "");
      changed(path);
      if (random(2) === 0) expect((await ask()).sum).toBe((await open(texts, isSlow).ask()).sum);
    }
  }
});
