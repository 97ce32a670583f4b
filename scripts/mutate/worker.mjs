// Runs tests under one mutant after another. A mutant in code that runs during loading needs a new process.
const [bundle, first, count, thread] = process.argv.slice(2);
let active = Number(first);
globalThis.MUTANT_ACTIVE = () => active;
globalThis.MUTANT_COUNT = Number(count);
globalThis.MUTANT_THREAD = thread;
let met = new Set();
globalThis.MUTANT = (id) => {
  if (!globalThis.MUTANT_IN_TEST) met.add(id);
  return id === active;
};
globalThis.MUTANT_RUN = 0;
/** Milliseconds of CPU, so that other work of the machine does not count. */
const spentSince = (before) => {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
};
const post = (message) => process.send(message);

let tests;
try {
  tests = (await import(bundle)).tests;
} catch (error) {
  post({ kind: "unloadable", error: String(error) });
}
globalThis.MUTANT_IN_TEST = false;
if (tests) post({ kind: "loaded", met: [...met], names: tests.map(({ name }) => name) });

process.on("message", async ({ kind, id, order }) => {
  if (kind === "measure") {
    const measured = [];
    for (const { run } of tests) {
      met = new Set();
      // With the caches of an earlier test, a test would not meet what made them.
      globalThis.MUTANT_RUN++;
      const before = process.cpuUsage();
      let error;
      try {
        await run();
      } catch (caught) {
        error = String(caught?.stack ?? caught).slice(0, 500);
      }
      measured.push({ met: [...met], time: spentSince(before), error });
    }
    post({ kind: "measured", measured });
    return;
  }
  active = id;
  globalThis.MUTANT_RUN++;
  for (const test of order) {
    try {
      await tests[test].run();
    } catch {
      post({ kind: "killed", id, by: test });
      return;
    }
  }
  post({ kind: "survived", id });
});
