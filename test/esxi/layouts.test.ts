import { fileURLToPath } from "node:url";
import { deriveTopology, requireHost } from "@vmlint/core";
import { expect, test } from "vitest";
import { written } from "../support/findings-of-rule.ts";
import { vmOf } from "../support/sample-vm.ts";

/**
 * The layout of VMs of all sizes in each release of ESXi: one file per host, one block per shape.
 * `6+6 2x6` lists the guest's nodes, then sockets x cores; `clients` appear if they differ from the nodes.
 * `!` marks derived layouts, `~` several possible ones, `?` unknown ones.
 */
const RELEASES = ["4.1", "5.0", "5.5", "6.0", "6.5", "6.7", "7.0", "7.0 U3", "8.0", "8.0 U2", "9.0"];
const HOSTS = ["2x10x2", "4x10x2", "2x24x2/2"];
const SHAPES = [
  "hw 7",
  "hw 8",
  "hw 20",
  "hw 10; cps 2",
  "hw 10; cps 4",
  "hw 20; cps 10",
  "hw 10; cps 20",
  "hw 10; preferHt TRUE",
  "hw 10; preferHt TRUE; cps 20",
  "hw 10; min 4",
  "hw 10; min 24",
  "hw 10; perVirtual 5",
  "hw 10; perVirtual 16",
  "hw 10; perVirtual 6; cps 2",
  "hw 10; perMachine 6",
  "hw 10; hotadd TRUE",
  "hw 20; hotadd TRUE; allow TRUE",
  "hw 20; node 6; cps 3",
  "hw 20; node 4; cps 1",
  "hw 10; follow TRUE; cps 4",
  "hw 10; follow FALSE; cps 4",
  "hw 20; smt 2",
  "hw 10; affinity 0-7",
  "hw 10; nodes 0",
  "hw 10; consolidate FALSE",
];
const COUNTS = [1, 2, 4, 8, 9, 10, 11, 12, 16, 20, 21, 22, 24, 32, 40, 41, 64];

const SIGNS = { documented: "", derived: "!", possible: "~", unknown: "?" } as const;

/** `6+6+4` for a few, `6*8` for many. */
const groups = (sizes: readonly number[]): string =>
  sizes.length > 3 && sizes.every((size) => size === sizes[0]) ? `${sizes[0]}*${sizes.length}` : sizes.join("+");

function layout(shape: string, host: string, vcpus: number): string {
  const result = deriveTopology(vmOf([...written(shape), `numvcpus = "${vcpus}"`].join("\n")), requireHost(host));
  if (!result.ok) return result.because;
  const { vnumaNodes, numaClients, sockets, coresPerSocket, nodeCapacity, numaManaged, certainty } = result.topology;
  const clients = groups(numaClients) === groups(vnumaNodes) ? "" : ` clients ${groups(numaClients)}`;
  return `${groups(vnumaNodes)}${clients} ${sockets}x${coresPerSocket} of ${nodeCapacity}${numaManaged ? "" : " unmanaged"}${SIGNS[certainty]}`;
}

/** Releases with the same answer together. */
function row(shape: string, host: string, vcpus: number): string {
  const runs: { readonly answer: string; readonly from: string; to: string }[] = [];
  for (const release of RELEASES) {
    const answer = layout(shape, `${host}@${release}`, vcpus);
    const last = runs.at(-1);
    if (last?.answer === answer) last.to = release;
    else runs.push({ answer, from: release, to: release });
  }
  return runs.map(({ answer, from, to }) => `[${from === to ? from : `${from} to ${to}`}] ${answer}`).join("  ");
}

/** Sizes that cannot power on share one line. */
function block(shape: string, host: string): readonly string[] {
  const answers = new Map<string, number[]>();
  for (const vcpus of COUNTS) {
    const answer = row(shape, host, vcpus);
    answers.set(answer, [...(answers.get(answer) ?? []), vcpus]);
  }
  return [...answers].map(([answer, sizes]) => `  ${sizes.join(",")}: ${answer}`);
}

test.each(HOSTS)("on %s (npm run gen, and read what changed)", async (host) => {
  const blocks = SHAPES.map((shape) => `${shape}\n${block(shape, host).join("\n")}\n`);
  await expect(blocks.join("\n")).toMatchFileSnapshot(fileURLToPath(new URL(`layouts/${host.replace("/", "-by-")}.txt`, import.meta.url)));
});
