// Measures commands: CPU time by the shell's own account, because a busy machine changes it less than the time on the wall.
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

export const VMLINT = fileURLToPath(new URL("../packages/cli/dist/vmlint.cjs", import.meta.url));

// Node 20 takes 30 ms to read extra certificates at each start, which is not time of vmlint.
const { NODE_EXTRA_CA_CERTS: _, ...env } = process.env;

const READ = `const fs = require("fs"), path = require("path");
(function walk(folder) {
  for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory()) walk(file); else fs.readFileSync(file, "utf8");
  }
})(process.argv[1]);`;

/** CPU milliseconds (user + system, of the children) of `runs` runs; wall milliseconds. */
function measure(runs, ...command) {
  const loop = 'n=$1; shift; i=0; while [ "$i" -lt "$n" ]; do "$@" >/dev/null 2>&1; i=$((i+1)); done; times';
  const start = performance.now();
  const { stdout } = spawnSync("sh", ["-c", loop, "sh", String(runs), process.execPath, ...command], { env, encoding: "utf8" });
  const wall = performance.now() - start;
  const [user = 0, system = 0] = [...(stdout.trim().split("\n").at(-1) ?? "").matchAll(/(\d+)m([\d.]+)s/g)].map(
    ([, m, s]) => Number(m) * 60 + Number(s),
  );
  return { cpu: ((user + system) * 1000) / runs, wall: wall / runs };
}

const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];

/** Runs A and B in turn, so that a drift of the machine's speed meets both, and takes medians. */
function compare(rounds, runs, a, b) {
  measure(1, ...a);
  const pairs = Array.from({ length: rounds }, () => [measure(runs, ...a), measure(runs, ...b)]);
  const of = (pick) => median(pairs.map(pick));
  return {
    cpu: { a: of(([x]) => x.cpu), more: of(([x, y]) => x.cpu - y.cpu), ratio: of(([x, y]) => x.cpu / y.cpu) },
    wall: { a: of(([x]) => x.wall), ratio: of(([x, y]) => x.wall / y.wall) },
  };
}

export const againstReading = (rounds, root, command) => compare(rounds, 1, command, ["-e", READ, root]);

export const againstCommand = (rounds, command, other) => compare(rounds, 1, command, other);

export const againstNode = (rounds, runs, command) => compare(rounds, runs, command, ["-e", "0"]);

/** Milliseconds, and the most memory that the process has of the system at a time. */
export function memoryOf(count, command) {
  const tell = 'data:text/javascript,process.on("exit",()=>process.stderr.write("\\n"+process.resourceUsage().maxRSS))';
  const runs = Array.from({ length: count }, () => {
    const start = performance.now();
    const options = { env, encoding: "utf8", stdio: ["ignore", "ignore", "pipe"], maxBuffer: 1 << 28 };
    const { stderr } = spawnSync(process.execPath, ["--import", tell, ...command], options);
    return { wall: performance.now() - start, kilobytes: Number(stderr.trim().split("\n").at(-1)) };
  });
  return { wall: median(runs.map((run) => run.wall)), megabytes: median(runs.map((run) => run.kilobytes)) / 1024 };
}

/** Prints how long a language server takes from a keystroke to its answer for diagnostics. */
export async function keystrokes(what, [program, ...args], { name, text, keys, language = "plaintext" }) {
  const folder = mkdtempSync(join(tmpdir(), "vmlint-keys-"));
  const uri = pathToFileURL(join(folder, name)).href;
  const server = spawn(program, args, { env, cwd: folder, stdio: ["pipe", "pipe", "ignore"] });
  const ended = new Promise((resolve) => server.on("error", resolve).on("exit", resolve));
  const waiting = new Map();
  let rest = Buffer.alloc(0);
  const send = (message) => {
    const body = JSON.stringify({ jsonrpc: "2.0", ...message });
    server.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  };
  server.stdout.on("data", (some) => {
    rest = Buffer.concat([rest, some]);
    for (;;) {
      const head = rest.indexOf("\r\n\r\n");
      const length = Number(/Content-Length: (\d+)/i.exec(rest.toString("latin1", 0, Math.max(head, 0)))?.[1]);
      if (head < 0 || rest.length < head + 4 + length) return;
      const message = JSON.parse(rest.toString("utf8", head + 4, head + 4 + length));
      rest = rest.subarray(head + 4 + length);
      // A server may ask for settings, too; it gets none.
      if (message.method !== undefined && message.id !== undefined) send({ id: message.id, result: null });
      else if (message.method === undefined) waiting.get(message.id)?.();
    }
  });
  let id = 0;
  const ask = (method, params) => {
    id++;
    const answer = new Promise((resolve) => waiting.set(id, resolve));
    send({ id, method, params });
    return Promise.race([answer, ended]);
  };
  const capabilities = { textDocument: { diagnostic: {} } };
  await ask("initialize", { processId: null, rootUri: pathToFileURL(folder).href, capabilities });
  send({ method: "initialized", params: {} });
  send({ method: "textDocument/didOpen", params: { textDocument: { uri, languageId: language, version: 0, text } } });
  const took = [];
  const start = { line: 0, character: 0 };
  for (let version = 1; version <= keys; version++) {
    const began = performance.now();
    const contentChanges = [{ range: { start, end: start }, text: version === 1 ? "#\n" : " " }];
    send({ method: "textDocument/didChange", params: { textDocument: { uri, version }, contentChanges } });
    await ask("textDocument/diagnostic", { textDocument: { uri } });
    took.push(performance.now() - began);
  }
  await ask("shutdown", null);
  send({ method: "exit" });
  await ended;
  rmSync(folder, { recursive: true });
  const sorted = took.toSorted((a, b) => a - b);
  console.log(`${what}: ${median(took).toFixed(1)} ms a keystroke, 19 of 20 within ${sorted[Math.floor(keys * 0.95)].toFixed(1)} ms`);
}
