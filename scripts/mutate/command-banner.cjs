// The mutants of the command, as scripts/mutate/command.mjs sets them. Its other threads have none.
{
  const { shared } = require("node:worker_threads").workerData ?? {};
  globalThis.MUTANT = (id) => {
    if (shared) shared[2 + id] = 1;
    return shared?.[0] === id;
  };
  Object.defineProperty(globalThis, "MUTANT_RUN", { get: () => shared?.[1] ?? 0 });
}
