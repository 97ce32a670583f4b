import { deriveTopology, type HostModel, lint, rules } from "@vmlint/core";
import fc from "fast-check";
import { expect, test } from "vitest";
import { HARDWARE_VERSIONS } from "../../packages/core/src/limits/hardware.ts";
import { anyHost, anyVmx } from "../support/arbitraries.ts";
import { vmOf } from "../support/sample-vm.ts";

// Properties that hold for every VM.

const GIB = [1, 64, 255, 256, 512, 1011, 1012, 4080, 6128, 24560] as const;
const vmx = fc
  .record({ text: anyVmx, gib: fc.constantFrom(...GIB), isReserved: fc.boolean() })
  .map(({ text, gib, isReserved }) => `${text}\nmemSize = "${gib * 1024}"${isReserved ? `\nsched.mem.min = "${gib * 1024}"` : ""}`);

const found = (text: string, host: HostModel) => lint(text, { rules, target: { host } });

test("the order of the lines of a .vmx does not affect the findings", () => {
  const shuffled = vmx.chain((text) => {
    const lines = text.split("\n");
    return fc.tuple(fc.constant(text), fc.shuffledSubarray(lines, { minLength: lines.length }));
  });
  fc.assert(
    fc.property(shuffled, anyHost, ([text, lines], host) => {
      const said = (one: string) => found(one, host).diagnostics.map(({ ruleId, message }) => `${ruleId}: ${message}`);
      expect(said(lines.join("\n")).sort()).toEqual(said(text).sort());
    }),
    { numRuns: 200 },
  );
});

test("a host with more memory has the same nodes, and brings no finding about memory", () => {
  fc.assert(
    fc.property(vmx, anyHost, fc.constantFrom(...GIB), fc.constantFrom(...GIB), (text, host, memoryGiB, more) => {
      const [less, larger] = [memoryGiB, memoryGiB + more].map((gib) => ({ ...host, memoryGiB: gib })) as [HostModel, HostModel];
      expect(deriveTopology(vmOf(text), larger)).toEqual(deriveTopology(vmOf(text), less));
      const before = found(text, less);
      const known = new Set([...before.diagnostics, ...before.skipped].map(({ ruleId }) => ruleId));
      const added = found(text, larger).diagnostics.map(({ ruleId }) => ruleId);
      // More memory per node can allow fewer nodes than the manual setting, or make enough nodes available to suggest. Those
      // findings may appear.
      expect(added.filter((id) => id.startsWith("mem/") && !known.has(id))).toEqual([]);
    }),
    { numRuns: 300 },
  );
});

test("no newer hardware version has a lower limit", () => {
  const limits = ["cpu/max-vcpus-hw", "cpu/max-cps-hw", "mem/max-hw"];
  const own = rules.filter(({ id }) => limits.includes(id));
  expect(own).toHaveLength(limits.length);
  const at = (version: number | undefined, vcpus: number, gib: number) =>
    lint(`virtualHW.version = "${version}"\nnumvcpus = "${vcpus}"\ncpuid.coresPerSocket = "${vcpus}"\nmemSize = "${gib * 1024}"`, {
      rules: own,
    }).diagnostics.map(({ ruleId }) => ruleId);
  const sizes = [1, 4, 8, 32, 64, 128, 256, 768, 960].flatMap((vcpus) => [vcpus, vcpus + 1]);
  for (const [i, version] of HARDWARE_VERSIONS.entries()) {
    for (const [j, vcpus] of sizes.entries()) {
      const gib = GIB[j % GIB.length] ?? 1;
      const older = i === 0 ? limits : at(HARDWARE_VERSIONS[i - 1], vcpus, gib);
      expect(older, `version ${version}, ${vcpus} vCPUs, ${gib} GiB`).toEqual(expect.arrayContaining(at(version, vcpus, gib)));
    }
  }
});
