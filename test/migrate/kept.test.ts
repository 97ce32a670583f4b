import { lint, requireHost, topologyJson } from "@vmlint/core";
import fc from "fast-check";
import { expect, test } from "vitest";
import { entryNamed } from "../../packages/core/src/formats/index.ts";
import { shapeOnEsxi } from "../../packages/core/src/importers/source-view.ts";
import { TARGETS } from "../../packages/core/src/importers/targets/index.ts";
import { countsOf, partsOf } from "../../packages/core/src/importers/targets/target.ts";

const HOSTS = ["2x12x2:512@8.0", "4x8x1:256@7.0", "2x32x2:1024@9.0", "2x10x2:256@6.7"].map((text) => requireHost(text));

/** A .vmx, and the host that decides its view. */
const vms = fc.record({
  sockets: fc.integer({ min: 1, max: 8 }),
  cores: fc.integer({ min: 1, max: 12 }),
  isStated: fc.boolean(),
  memoryMiB: fc.integer({ min: 64, max: 65_536 }).map((size) => size * 4),
  hardware: fc.constantFrom(13, 17, 19, 20, 21),
  hotAdd: fc.boolean(),
  host: fc.constantFrom(...HOSTS),
});

interface Shown {
  readonly vcpus: number;
  readonly coresPerSocket: number;
  readonly vnumaNodes: readonly number[];
}

test.each(Object.values(TARGETS))("the definition for $title that keeps a shape is clean, and has the view of ESXi", async (target) => {
  const format = await entryNamed(target.format).load();
  let compared = 0;
  fc.assert(
    fc.property(vms, ({ sockets, cores, isStated, memoryMiB, hardware, hotAdd, host }) => {
      const vcpus = sockets * cores;
      const vmx = [
        `virtualHW.version = "${hardware}"`,
        `numvcpus = "${vcpus}"`,
        ...(isStated ? [`cpuid.coresPerSocket = "${cores}"`] : []),
        `memSize = "${memoryMiB}"`,
        ...(hotAdd ? ['vcpu.hotadd = "TRUE"'] : []),
      ].join("\n");
      const [vm] = lint(vmx, { target: { host } }).vms;
      const shape = vm && shapeOnEsxi(vm);
      if (!shape || typeof shape === "string" || shape.coresPerSocket === null) return;
      const kept = { ...shape, coresPerSocket: shape.coresPerSocket, name: "vm", memoryMiB, cpuHotAdd: hotAdd };
      const made = target.keep(kept);
      const counts = countsOf(kept);
      if ("why" in made) return void expect(typeof counts === "string" || made.why.length > 0).toBe(true);
      const result = lint(made.text, { format });
      // A note on one core a socket is about the shape that is kept.
      const findings = result.diagnostics.filter(({ ruleId }) => (shape.coresPerSocket ?? 1) > 1 || !ruleId.endsWith("/one-core-sockets"));
      expect(findings).toEqual([]);
      const [shown] = topologyJson([{ path: target.path, text: made.text, ...result }], { name: "vmlint", version: "0" }).vms;
      const { topology } = shown as unknown as { topology: Shown };
      expect([topology.vcpus, topology.coresPerSocket]).toEqual([vcpus, shape.coresPerSocket]);
      if (!made.misses && shape.nodes) expect(topology.vnumaNodes).toEqual(shape.nodes);
      expect(result.vms[0]?.spec.settings.memoryMiB).toMatchObject({ value: memoryMiB });
      compared++;
    }),
    { numRuns: 300, seed: 56 },
  );
  expect(compared).toBeGreaterThan(200);
});

test("memory is divided to the last unit", () => {
  expect(partsOf(10, 3)).toEqual([4, 3, 3]);
  expect(partsOf(8, 2)).toEqual([4, 4]);
});
