// npm run bench: measures the time of vmlint beyond the start of Node and the reading of the files, as ratios of paired runs.
// --peers compares it with other linters.
import { spawnSync } from "node:child_process";
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { deployment, fill, info, manifest, packageJson, spec, tf, vmx } from "./bench-files.mjs";
import { parseHcl } from "./hcl.mjs";

if (process.argv.includes("--peers")) {
  const { benchPeers } = await import("./bench-peers.mjs");
  benchPeers();
  process.exit();
}

const vmlint = fileURLToPath(new URL("../packages/cli/dist/vmlint.cjs", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "vmlint-bench-"));

// Node 20 takes 30 ms to read extra certificates at each start, which is not time of vmlint.
const { NODE_EXTRA_CA_CERTS: _, ...env } = process.env;

/** CPU milliseconds (user + system, of the children) of `runs` runs, by the shell's own account; wall milliseconds. */
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
  measure(1, ...b);
  const pairs = Array.from({ length: rounds }, () => [measure(runs, ...a), measure(runs, ...b)]);
  const of = (pick) => median(pairs.map(pick));
  return {
    cpu: { a: of(([x]) => x.cpu), b: of(([, y]) => y.cpu), more: of(([x, y]) => x.cpu - y.cpu), ratio: of(([x, y]) => x.cpu / y.cpu) },
    wall: { a: of(([x]) => x.wall), b: of(([, y]) => y.wall), ratio: of(([x, y]) => x.wall / y.wall) },
  };
}

function againstReading(what, root, ...options) {
  const { wall, cpu } = compare(7, 1, [vmlint, root, ...options], ["-e", READ, root]);
  console.log(`${what} against a process that only reads them (medians of 7 runs)`);
  console.log(`  wall ${wall.a.toFixed(0)} and ${wall.b.toFixed(0)} ms: x ${wall.ratio.toFixed(2)}`);
  console.log(`  CPU ${cpu.a.toFixed(0)} and ${cpu.b.toFixed(0)} ms: x ${cpu.ratio.toFixed(2)}`);
}

/** Prints what one small file costs beyond Node itself. */
function againstNode(what, path) {
  const { cpu, wall } = compare(7, 20, [vmlint, path], ["-e", "0"]);
  console.log(`${what} against node -e 0 (Node ${process.versions.node}, medians of 7 x 20 runs)`);
  console.log(`  CPU ${cpu.a.toFixed(1)} and ${cpu.b.toFixed(1)} ms: ${cpu.more.toFixed(1)} ms more`);
  console.log(`  wall x ${wall.ratio.toFixed(2)}`);
}

/** Prints how long ever more VMs take, and how much memory. */
function benchGrowth(what, counts, file) {
  console.log(`${what} (medians of 5 runs)`);
  for (const count of counts) {
    const root = fill(join(folder, `${what}-${count}`), count, file);
    const { wall, megabytes } = withMemory(5, root);
    console.log(`  ${count}: ${wall.toFixed(0)} ms, ${(wall / count).toFixed(2)} for each, ${megabytes.toFixed(0)} MiB`);
    rmSync(root, { recursive: true });
  }
}

/** Milliseconds, and the most memory that the process has of the system at a time. */
function withMemory(count, path) {
  const tell = 'data:text/javascript,process.on("exit",()=>process.stderr.write("\\n"+process.resourceUsage().maxRSS))';
  const runs = Array.from({ length: count }, () => {
    const start = performance.now();
    const options = { env, encoding: "utf8", stdio: ["ignore", "ignore", "pipe"] };
    const { stderr } = spawnSync(process.execPath, ["--import", tell, vmlint, path], options);
    return { wall: performance.now() - start, kilobytes: Number(stderr.trim().split("\n").at(-1)) };
  });
  return { wall: median(runs.map((run) => run.wall)), megabytes: median(runs.map((run) => run.kilobytes)) / 1024 };
}

/** Prints how fast the HCL parser reads, warm: the median of many runs in this process. */
function benchHcl(what, files) {
  const runs = Array.from({ length: 30 }, () => {
    const start = performance.now();
    for (const file of files) parseHcl(file);
    return performance.now() - start;
  });
  const bytes = files.reduce((sum, file) => sum + Buffer.byteLength(file), 0);
  console.log(
    `HCL, ${what}: ${(bytes / 1000 / median(runs)).toFixed(0)} MB/s warm (median of 30 runs over ${(bytes / 1e6).toFixed(1)} MB)`,
  );
}

/** Prints how long an inventory of so many megabytes takes, and how much memory. */
function benchInventory(megabytes) {
  const path = join(folder, "inventory.json");
  writeFileSync(path, '{"virtualMachines":[');
  let vms = 0;
  for (let written = 0; written < megabytes * 1e6; ) {
    const some = Array.from({ length: 1000 }, (_, i) => JSON.stringify(info(vms + i)));
    const text = `${vms > 0 ? "," : ""}${some.join(",")}`;
    appendFileSync(path, text);
    vms += some.length;
    written += text.length;
  }
  appendFileSync(path, "]}");
  const { wall, megabytes: memory } = withMemory(5, path);
  console.log(`an inventory of ${megabytes} MB, ${vms} VMs (medians of 5 runs)`);
  console.log(`  ${(wall / 1000).toFixed(1)} s, ${memory.toFixed(0)} MiB of memory at most`);
  rmSync(path);
}

/** Prints what each part of a run takes that is cut into so many. */
function benchShards(what, root, count) {
  const times = Array.from({ length: count }, (_, i) =>
    median(Array.from({ length: 5 }, () => measure(1, vmlint, root, "--shard", `${i + 1}/${count}`).wall)),
  );
  console.log(`${what}, as ${count} shards (medians of 5 runs)`);
  console.log(
    `  ${times.map((time) => time.toFixed(0)).join(", ")} ms: the slowest x ${(Math.max(...times) / Math.min(...times)).toFixed(2)}`,
  );
}

const READ = `const fs = require("fs"), path = require("path");
(function walk(folder) {
  for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory()) walk(file); else fs.readFileSync(file, "utf8");
  }
})(process.argv[1]);`;

try {
  const one = join(folder, "one.vmx");
  writeFileSync(one, vmx(3));
  againstNode("one .vmx", one);
  const main = join(folder, "main.tf");
  writeFileSync(main, tf(3));
  againstNode("one main.tf", main);
  rmSync(main);

  for (const count of [1000, 4000]) {
    const inOne = fill(join(folder, `terraform-${count}`), count, (i) => [`vm-${i}.tf`, tf(i)]);
    const inMany = fill(join(folder, `terraform-folders-${count}`), count, (i) => [`${i}/main.tf`, tf(i)]);
    againstReading(`${count} Terraform files of one VM in one folder`, inOne);
    againstReading(`${count} Terraform files of one VM in as many folders`, inMany);
  }

  const many = fill(join(folder, "many"), 10_000, (i) => [`${Math.floor(i / 1000)}/vm-${i}.vmx`, vmx(i)]);
  againstReading("10,000 .vmx", many);
  againstReading("10,000 .vmx that an earlier run has kept (--cache)", many, "--cache-location", join(folder, "cache"));
  benchShards("10,000 .vmx", many, 4);
  const others = fill(join(folder, "others"), 10_000, (i) => [`${Math.floor(i / 1000)}/app-${i}.yaml`, deployment(i)]);
  againstReading("10,000 YAML files of other programs", others);
  const foreign = fill(join(folder, "foreign"), 10_000, (i) => [`${i}.json`, packageJson(i)]);
  againstReading("10,000 .json that are no VMs", foreign);

  benchGrowth("Terraform files", [1, 100, 1000, 10_000], (i) => [`vm-${i}.tf`, tf(i)]);
  benchGrowth("Cluster API manifests", [1, 100, 1000, 10_000], (i) => [`vm-${i}.yaml`, manifest(i)]);
  benchGrowth("VM specs in YAML", [1, 100, 1000, 10_000], (i) => [`vm-${i}.yaml`, spec(i)]);
  benchGrowth(".vmx", [1, 100, 1000, 10_000, 100_000], (i) => [`${Math.floor(i / 1000)}/vm-${i}.vmx`, vmx(i)]);
  benchInventory(100);

  const machines = Array.from({ length: 1000 }, (_, i) => tf(i));
  benchHcl("1,000 files", machines);
  benchHcl("one file of 100 machines", [machines.slice(0, 100).join("\n")]);
  benchHcl("one file of 1,000 machines", [machines.join("\n")]);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
