// npm run bench measures how much longer vmlint takes than a program that reads the same files, and compares this with the last release.
//   --small    fewer VMs, in less than a minute (CI)
//   --record   keeps the ratios for this release
//   --peers    compares with other linters
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { deployment, fill, packageJson } from "./bench-files.mjs";
import { HOST, info, manifest, terraform, terraformFleet, vmx } from "./bench-fleet.mjs";
import { againstCommand, againstNode, againstReading, keystrokes, memoryOf, VMLINT } from "./bench-measure.mjs";
import { parseHcl } from "./hcl.mjs";

const isSmall = process.argv.includes("--small");
const SIZE = isSmall
  ? { vmx: 500, terraform: 100, yaml: 300, export: 300, others: 300, growth: [1, 100], threads: 2000, rounds: 3, keys: 15 }
  : {
      vmx: 10_000,
      terraform: 1000,
      yaml: 2000,
      export: 20_000,
      others: 10_000,
      growth: [1, 100, 1000, 10_000, 100_000],
      threads: 100_000,
      rounds: 5,
      keys: 50,
    };
const RECORD = new URL("bench-release.json", import.meta.url);
/** Less is within what two runs of the same version differ by on a shared machine. */
const SLOWER = 1.15;

if (process.argv.includes("--peers")) {
  const { benchPeers } = await import("./bench-peers.mjs");
  await benchPeers();
  process.exit();
}

const folder = mkdtempSync(join(tmpdir(), "vmlint-bench-"));
const ratios = {};

function row(what, root, ...options) {
  const { cpu, wall } = againstReading(SIZE.rounds, root, [VMLINT, root, "--jobs", "1", ...options]);
  ratios[what] = Number(cpu.ratio.toFixed(2));
  console.log(
    `${what}: CPU ${cpu.a.toFixed(0)} ms, x ${cpu.ratio.toFixed(1)} of reading; wall ${wall.a.toFixed(0)} ms, x ${wall.ratio.toFixed(1)}`,
  );
}

/** Fills a folder with pairs of a path and a text. */
function fillWith(name, files) {
  const all = [...files];
  return fill(join(folder, name), all.length, (i) => all[i]);
}

const vmxPath = (i) => `${Math.floor(i / 1000)}/vm-${i}.vmx`;

/** Writes an export VM by VM: the text of 20,000 is too large to build at once. */
function* exported(count) {
  yield '{"virtualMachines":[';
  for (let i = 0; i < count; i++) yield `${i > 0 ? "," : ""}${JSON.stringify(info(i))}`;
  yield "]}";
}

function growth(what, file, ...options) {
  for (const count of SIZE.growth) {
    const root = fill(join(folder, "growth"), count, file);
    const { wall, megabytes } = memoryOf(isSmall || count > 10_000 ? 1 : 3, [VMLINT, root, ...options]);
    console.log(`${what}, ${count}: ${wall.toFixed(0)} ms, ${(wall / count).toFixed(2)} for each, ${megabytes.toFixed(0)} MiB at most`);
    rmSync(root, { recursive: true });
  }
}

/** Prints what a second thread saves and costs. */
function secondThread() {
  const root = fill(join(folder, "threads"), SIZE.threads, (i) => [vmxPath(i), vmx(i)]);
  const [one, two] = ["1", "2"].map((jobs) => [VMLINT, root, "--host", HOST, "--jobs", jobs]);
  const { cpu, wall } = againstCommand(3, two, one);
  const more = memoryOf(1, two).megabytes / memoryOf(1, one).megabytes;
  console.log(
    `vmx with a host, ${SIZE.threads}, --jobs 2: wall ${wall.a.toFixed(0)} ms, x ${wall.ratio.toFixed(2)} of --jobs 1; CPU x ${cpu.ratio.toFixed(2)}; memory x ${more.toFixed(2)}`,
  );
}

/** Prints how fast the HCL parser reads, warm: the median of many runs in this process. */
function hcl(files) {
  const runs = Array.from({ length: 15 }, () => {
    const start = performance.now();
    for (const file of files) parseHcl(file);
    return performance.now() - start;
  }).sort((a, b) => a - b);
  const bytes = files.reduce((sum, file) => sum + Buffer.byteLength(file), 0);
  console.log(`HCL, ${files.length} files: ${(bytes / 1000 / (runs[7] ?? 1)).toFixed(0)} MB/s warm`);
}

function compareWithRelease() {
  const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  const kept = JSON.parse(readFileSync(RECORD, "utf8"));
  const size = isSmall ? "small" : "full";
  if (process.argv.includes("--record")) {
    writeFileSync(RECORD, `${JSON.stringify({ ...kept, [size]: { version, node: process.versions.node, ratios } }, null, 2)}\n`);
    return;
  }
  const before = kept[size];
  if (!before) return;
  const slower = Object.entries(ratios).filter(([what, ratio]) => ratio > (before.ratios[what] ?? Number.POSITIVE_INFINITY) * SLOWER);
  console.log(`Against release ${before.version}, in ratios to reading: ${slower.length === 0 ? "nothing became slower." : "slower:"}`);
  for (const [what, ratio] of slower) console.log(`  ${what}: x ${ratio.toFixed(1)}, was x ${before.ratios[what].toFixed(1)}`);
}

try {
  console.log(`${cpus().length} x ${cpus()[0]?.model}, Node ${process.versions.node}; medians of ${SIZE.rounds} runs in turn`);
  const one = fill(join(folder, "one"), 1, () => ["one.vmx", vmx(3)]);
  const start = againstNode(SIZE.rounds, isSmall ? 3 : 20, [VMLINT, one]);
  console.log(`one .vmx: ${start.cpu.more.toFixed(1)} ms of CPU more than node -e 0; wall x ${start.wall.ratio.toFixed(2)}`);

  const many = fill(join(folder, "vmx"), SIZE.vmx, (i) => [vmxPath(i), vmx(i)]);
  row("vmx without a host", many);
  row("vmx with a host", many, "--host", HOST);
  row("vmx with a host, JSON", many, "--host", HOST, "--format", "json");
  row("vmx with a host, SARIF", many, "--host", HOST, "--format", "sarif");

  const configurations = fillWith("terraform", terraformFleet(SIZE.terraform));
  row("Terraform, modules with for_each and tfvars", configurations, "--host", HOST);
  const resources = fill(join(folder, "resources"), SIZE.terraform, (i) => [`vm-${i}.tf`, terraform(i)]);
  row("Terraform, a file for each VM", resources, "--host", HOST);

  const manifests = fill(join(folder, "yaml"), SIZE.yaml, (i) => [`vm-${i}.yaml`, manifest(i)]);
  row("Cluster API manifests", manifests, "--host", HOST);
  const inventory = fillWith("export", [["inventory.json", [...exported(SIZE.export)].join("")]]);
  row("an export", inventory, "--host", HOST);
  const foreign = fill(join(folder, "foreign"), SIZE.others, (i) =>
    i % 2 ? [`app-${i}.yaml`, deployment(i)] : [`${i}.json`, packageJson(i)],
  );
  row("YAML and JSON of other programs", foreign);

  for (const [what, root] of [
    ["vmx", many],
    ["Terraform", configurations],
    ["an export", inventory],
  ]) {
    const { megabytes } = memoryOf(1, [VMLINT, root, "--host", HOST, "--jobs", "1"]);
    console.log(`memory at most, ${what}: ${megabytes.toFixed(0)} MiB`);
  }
  growth("growth, vmx with a host", (i) => [vmxPath(i), vmx(i)], "--host", HOST, "--jobs", "1");
  secondThread();
  await keystrokes("vmlint lsp, a .vmx", [process.execPath, VMLINT, "lsp", "--stdio"], { name: "vm.vmx", text: vmx(3), keys: SIZE.keys });
  await keystrokes("vmlint lsp, a Terraform file", [process.execPath, VMLINT, "lsp", "--stdio"], {
    name: "vm.tf",
    text: terraform(3),
    keys: SIZE.keys,
  });
  hcl(Array.from({ length: SIZE.terraform }, (_, i) => terraform(i)));
  compareWithRelease();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
