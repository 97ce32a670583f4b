// npm run modelcheck -- [--every 1]: checks the layout of every VM of 1 to 128 vCPUs, with every divisor as cores per socket, on hosts of all
// shapes and releases; then on small hosts the list of layouts of every VM with one unknown setting and one known or unknown. --every 10
// takes every tenth host. Prints counts, and exits 1 if a layout breaks a rule of test/esxi/invariants.ts or a list lacks one.
import { setPriority } from "node:os";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { build } from "esbuild";

setPriority(10);
const { every } = parseArgs({ options: { every: { type: "string", default: "1" } } }).values;
const { outputFiles } = await build({
  entryPoints: [fileURLToPath(new URL("../test/esxi/invariants.ts", import.meta.url))],
  bundle: true,
  write: false,
  format: "esm",
  platform: "node",
  conditions: ["@vmlint/source"],
  logLevel: "error",
});
const url = `data:text/javascript;base64,${Buffer.from(outputFiles[0].text).toString("base64")}`;
const { check, HOSTS, missingLayouts, openVms, pointsOf, RELEASES, SMALL_HOSTS, shown, unevenKinds } = await import(url);

/** Violations that are printed. */
const MOST_SHOWN = 20;

const sample = (all) => all.filter((_, i) => i % Number(every) === 0);
const hosts = sample(HOSTS);
const count = { all: 0, "does not start": 0, lists: 0, incomplete: 0 };
const certainties = new Map();
const kinds = new Map();
let failures = 0;
const report = (wrong) => {
  for (const text of wrong) if (++failures <= MOST_SHOWN) console.error(text);
};

for (const host of sample(SMALL_HOSTS))
  for (const vm of openVms(host)) {
    const missing = missingLayouts(vm);
    count[missing ? "lists" : "incomplete"]++;
    report(missing ?? []);
  }

for (const esxi of RELEASES)
  for (const host of hosts)
    for (const point of pointsOf(host, esxi)) {
      count.all++;
      const { topology, wrong } = check(point);
      report(wrong);
      if (!topology) {
        count["does not start"]++;
        continue;
      }
      certainties.set(topology.certainty, (certainties.get(topology.certainty) ?? 0) + 1);
      for (const kind of unevenKinds(topology)) {
        const known = kinds.get(kind) ?? { count: 0, example: shown(point, topology) };
        kinds.set(kind, { ...known, count: known.count + 1 });
      }
    }

const row = (number, text) => console.log(`${number.toLocaleString("en").padStart(12)}  ${text}`);
row(count.lists, "lists of layouts are those of every value and every answer");
row(count.incomplete, "have no complete list");
row(count.all, `VMs on ${hosts.length} hosts of ${RELEASES.length} releases`);
row(count["does not start"], "do not start");
for (const [certainty, number] of certainties) row(number, certainty);
console.log("Groups that differ by more than one vCPU, and are called documented or derived:");
for (const [kind, { count: number, example }] of [...kinds].sort(([, a], [, b]) => b.count - a.count)) {
  row(number, kind);
  console.log(`${" ".repeat(14)}${example}`);
}
row(failures, "violations");
process.exitCode = failures > 0 ? 1 : 0;
