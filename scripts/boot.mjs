// npm run boot -- [CASE...] [--random N] [--migrate N] [--seed 1] [--seconds T]: boots guests of KVM, and compares what Linux shows with
// `vmlint topology`. Without numbers, it boots the cases of test/kvm. --random draws definitions of all stacks, --migrate draws VMs of ESXi
// and boots the definitions that `vmlint migrate --write` prints. No new boot starts after T seconds. Exit codes: 0 all are equal, 1 a guest
// differs, 2 wrong usage, 3 some guests did not boot, or the lab of scripts/setup-kvm.sh is missing.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { drawn } from "./fuzz/inputs.mjs";
import { boot, hasLab } from "./kvm/lab.mjs";
import { proxmoxKeys, STACKS } from "./kvm/stacks.mjs";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    random: { type: "string", default: "0" },
    migrate: { type: "string", default: "0" },
    seed: { type: "string", default: "1" },
    seconds: { type: "string", default: "86400" },
  },
});
const [random, migrate, seed, seconds] = ["random", "migrate", "seed", "seconds"].map((key) => Number(values[key]));
if ([random, migrate, seed, seconds].some((number) => !Number.isInteger(number))) {
  console.error("boot: --random, --migrate, --seed and --seconds take whole numbers.");
  process.exit(2);
}
if (!hasLab()) {
  console.log("No guest was booted: run scripts/setup-kvm.sh as root on a Debian machine of amd64.");
  process.exit(3);
}

const command = fileURLToPath(new URL("../packages/cli/dist/vmlint.cjs", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "vmlint-boot-"));
process.on("exit", () => rmSync(folder, { recursive: true }));
const vmlint = (...args) => spawnSync(process.execPath, [command, ...args], { encoding: "utf8", cwd: folder, maxBuffer: 1e9 });

/** Returns the view of each guest by its file; null if the VM does not start. */
function predicted(cases, ...options) {
  for (const { file, text } of cases) writeFileSync(join(folder, file), text);
  const { stdout, stderr } = vmlint("topology", "--format", "json", ...options, ...cases.map(({ file }) => file));
  if (stdout === "") throw new Error(stderr);
  const { vms, problems } = JSON.parse(stdout);
  if (vms.length !== cases.length) throw new Error(`vmlint does not read each case: ${JSON.stringify(problems)}`);
  return new Map(vms.map(({ path, topology }) => [basename(path), topology]));
}

/** The cases of test/kvm that booted before. */
function fixedCases() {
  const read = (name) => JSON.parse(readFileSync(new URL(`../test/kvm/${name}.json`, import.meta.url), "utf8"));
  const { libvirt, proxmox, openstack } = read("stacks");
  const kubevirt = read("guests").definitions.filter(({ source, domain }) => domain && source.startsWith("booted"));
  const flavor = ({ vcpus, ramMiB, extraSpecs }) => ({
    "OS-FLV-DISABLED:disabled": false,
    name: "a",
    properties: extraSpecs,
    ram: ramMiB,
    vcpus,
  });
  const vm = (domain) => ({
    apiVersion: "kubevirt.io/v1",
    kind: "VirtualMachine",
    metadata: { name: "a" },
    spec: { template: { spec: { domain: { devices: {}, ...domain } } } },
  });
  const textOf = { kubevirt: ({ domain }) => JSON.stringify(vm(domain)), openstack: ({ input }) => JSON.stringify(flavor(input)) };
  return Object.entries({ kubevirt, libvirt, proxmox, openstack }).flatMap(([stack, all]) =>
    all
      .filter((one) => stack === "kubevirt" || one.case.startsWith("boot/"))
      .map((one) => ({ name: one.case.replace("boot/", ""), stack, text: textOf[stack]?.(one) ?? one.definition })),
  );
}

function randomCases() {
  const stacks = Object.keys(STACKS);
  return Array.from({ length: random }, (_, i) => {
    const stack = stacks[i % stacks.length];
    return { name: `${stack} ${seed}/${i}`, stack, text: STACKS[stack].draw(drawn(seed, i)) };
  });
}

/** Definitions of vmlint for VMs of ESXi that have one view: the guest must see that view again. */
function migratedCases() {
  const cases = [];
  for (let i = 0; cases.length < migrate; i++) {
    const one = migratedCase(i);
    if (one) cases.push(one);
  }
  return cases;
}

/** `undefined` if the VM does not start on the host, its view is unknown, or no definition keeps it. */
function migratedCase(i) {
  const { pick, below } = drawn(seed, i);
  const cores = pick([1, 2, 3, 4, 6, 8]);
  const vcpus = cores * pick([1, 2, 4].filter((sockets) => sockets * cores <= 8));
  const vmx = [
    `displayName = "vm${i}"`,
    `virtualHW.version = "${pick([13, 17, 19])}"`,
    `numvcpus = "${vcpus}"`,
    ...(below(3) > 0 ? [`cpuid.coresPerSocket = "${cores}"`] : []),
    'memSize = "320"',
    ...(below(3) > 0 ? ['numa.vcpu.min = "2"'] : []),
  ].join("\n");
  writeFileSync(join(folder, `${i}.vmx`), vmx);
  const host = pick(["2x4x1:64@7.0", "2x2x2:64@8.0", "4x2x1:64@8.0", "2x8x2:64@7.0"]);
  const stack = pick(["libvirt", "proxmox", "kubevirt"]);
  const { stdout: text } = vmlint("migrate", "--to", stack, "--write", "--host", host, `${i}.vmx`);
  const { stdout } = vmlint("topology", "--format", "json", "--host", host, `${i}.vmx`);
  const { topology } = JSON.parse(stdout).vms[0];
  if (!topology || text.trim() === "") return undefined;
  const sizes = text.includes("does not keep the NUMA nodes") ? null : topology.vnumaNodes;
  const esxi = { vcpus: topology.vcpus, sockets: topology.sockets, coresPerSocket: topology.coresPerSocket, sizes };
  return { name: `vmx ${seed}/${i} to ${stack}`, stack, text, esxi, vmx: `${vmx.replaceAll("\n", "; ")} on ${host}` };
}

const FACTS = ["vcpus", "sockets", "coresPerSocket", "threadsPerCore", "nodes", "sharedL3"];
const size = (ids) =>
  ids.split(",").reduce((sum, run) => sum + (run === "" ? 0 : 1 + Number(run.split("-")[1] ?? run) - Number.parseInt(run, 10)), 0);

/** Returns the facts of a guest that are not as vmlint says; a fact that vmlint calls unknown is null. */
function differences(shown, { esxi }, topology) {
  const wanted = topology && { ...topology, nodes: topology.nodes.map(({ vcpus }) => vcpus.replaceAll(" ", "")) };
  const seen = { ...shown, sizes: shown.nodes.map(size) };
  const compared = [...FACTS.map((fact) => [fact, wanted?.[fact]]), ...Object.entries(esxi ?? {})];
  return compared
    .filter(([fact, value]) => value != null && JSON.stringify(value) !== JSON.stringify(seen[fact]))
    .map(([fact, value]) => {
      return `${fact} ${JSON.stringify(seen[fact])}, not ${JSON.stringify(value)}`;
    });
}

/** Boots a case, once more if it did not boot in time, and returns the outcome. */
async function outcomeOf(one, topology) {
  const options = STACKS[one.stack].options(one.text);
  if (!Array.isArray(options))
    return topology ? ["differ", `the stack refuses it: ${options.refused}`] : ["refused alike", options.refused];
  let shown = await boot(options);
  if (shown.failed !== undefined) shown = await boot(options);
  if (!topology) return shown.failed === undefined ? ["differ", "it boots, and vmlint has no view"] : ["refused alike", shown.failed];
  if (shown.failed !== undefined) return ["not run", shown.failed];
  const differing = differences(shown, one, topology);
  return differing.length > 0 ? ["differ", differing.join("; ")] : ["equal", ""];
}

const started = Date.now();
const all = random + migrate > 0 ? [...randomCases(), ...migratedCases()] : fixedCases();
const cases = all
  .filter(({ name }) => positionals.length === 0 || positionals.includes(name))
  .map((one, i) => ({ ...one, file: `${i}.${one.esxi && one.stack === "proxmox" ? "conf" : STACKS[one.stack].file}` }));
const views = predicted(cases.map((one) => ({ ...one, text: one.text.startsWith("qm set") ? proxmoxKeys(one.text) : one.text })));
const counts = new Map();
for (const one of cases) {
  const isLate = Date.now() - started > seconds * 1000;
  const [outcome, why] = isLate ? ["not run", `after ${seconds} s`] : await outcomeOf(one, views.get(one.file));
  const row = counts.get(one.stack) ?? {};
  counts.set(one.stack, { ...row, [outcome]: (row[outcome] ?? 0) + 1 });
  if (!isLate) console.log(`${one.name}: ${outcome}${why === "" ? "" : ` (${why})`}`);
  if (outcome === "differ") console.log(`${one.vmx ?? ""}\n${one.text}`);
}
for (const [stack, row] of counts)
  console.log(
    `${stack}: ${Object.entries(row)
      .map(([outcome, number]) => `${number} ${outcome}`)
      .join(", ")}`,
  );
const had = (outcome) => [...counts.values()].some((row) => row[outcome] > 0);
process.exitCode = had("differ") ? 1 : had("not run") ? 3 : 0;
