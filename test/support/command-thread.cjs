// Runs the built command's `main` for each message, and hands back what a process would have printed.
const { workerData } = require("node:worker_threads");

const { command, port, done } = workerData;
const { main, outside } = require(command);

port.on("message", async ({ cwd, args, env }) => {
  const printed = { 1: "", 2: "" };
  const print = (descriptor, text) => {
    printed[descriptor] += text;
  };
  const code = await main(args, outside({ cwd, env, isTerminal: false, print }));
  port.postMessage({ code, out: printed[1], err: printed[2] });
  Atomics.store(done, 0, 1);
  Atomics.notify(done, 0);
});
