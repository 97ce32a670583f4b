import { deriveTopology, esxi, type HostModel } from "@vmlint/core";
import fc from "fast-check";
import { expect, test } from "vitest";
import { vmOf } from "../support/vm.ts";

const sum = (groups: readonly number[]) => groups.reduce((a, b) => a + b, 0);

const host: fc.Arbitrary<HostModel> = fc
  .record({
    sockets: fc.constantFrom(1, 2, 4),
    coresPerNode: fc.integer({ min: 1, max: 64 }),
    nodesPerSocket: fc.constantFrom(1, 2, 4),
    threadsPerCore: fc.constantFrom(1, 2),
    version: fc.constantFrom(
      esxi(4, 1),
      esxi(5, 0),
      esxi(5, 5),
      esxi(6, 0),
      esxi(6, 5),
      esxi(6, 7, 2),
      esxi(7, 0),
      esxi(8, 0),
      esxi(8, 0, 2),
      esxi(9, 0),
    ),
  })
  .map(({ sockets, coresPerNode, nodesPerSocket, threadsPerCore, version }) => ({
    name: "any",
    sockets,
    coresPerSocket: coresPerNode * nodesPerSocket,
    threadsPerCore,
    numaNodes: sockets * nodesPerSocket,
    esxi: version,
  }));

const setting = (key: string, value: fc.Arbitrary<unknown>) =>
  fc.option(
    value.map((v) => `${key} = "${v}"`),
    { nil: undefined },
  );
const bool = fc.constantFrom("TRUE", "FALSE");
const vcpus = fc.integer({ min: 1, max: 1000 });

const vmx = vcpus.chain((count) =>
  fc
    .tuple(
      setting("virtualHW.version", fc.constantFrom(4, 7, 8, 10, 11, 13, 14, 17, 19, 20, 21, 22)),
      setting("cpuid.coresPerSocket", fc.constantFrom(...divisors(count), 3, 5)),
      setting("numa.vcpu.coresPerNode", fc.constantFrom(0, ...divisors(count))),
      setting("numa.vcpu.maxPerVirtualNode", fc.integer({ min: 1, max: 64 })),
      setting("numa.vcpu.maxPerMachineNode", fc.integer({ min: 1, max: 64 })),
      setting("numa.vcpu.min", fc.integer({ min: 1, max: 16 })),
      setting("numa.vcpu.preferHT", bool),
      setting("numa.vcpu.followcorespersocket", fc.constantFrom(0, 1)),
      setting("numa.consolidate", bool),
      setting("numa.autosize.once", bool),
      setting("numa.autosize.cookie", fc.constantFrom(count * 10_000 + 1, 80_001)),
      setting("numa.autosize.vcpu.maxPerVirtualNode", fc.integer({ min: 1, max: 64 })),
      setting("numa.nodeAffinity", fc.constantFrom("0", "0,1", "7")),
      setting("vcpu.hotadd", bool),
      setting("numa.allowHotadd", bool),
      setting("cpuid.numSMT", fc.constantFrom(1, 2)),
      setting("sched.cpu.affinity", fc.constantFrom("all", "0-7", "0,2,4,6", "900")),
    )
    .map((lines) => [`numvcpus = "${count}"`, ...lines.filter((line) => line !== undefined)].join("\n")),
);

function divisors(count: number): number[] {
  return Array.from({ length: count }, (_, i) => i + 1).filter((size) => count % size === 0);
}

test("any VM on any host: nodes and clients add up, sockets multiply, and every result says why", () => {
  let derived = 0;
  fc.assert(
    fc.property(vmx, host, (text, machine) => {
      const vm = vmOf(text);
      const result = deriveTopology(vm, machine);
      expect(deriveTopology(vmOf(text), { ...machine })).toEqual(result);
      expect(result.ok ? result.topology.reasons : result.reasons).not.toEqual([]);
      if (!result.ok) return;
      derived++;
      const { topology } = result;
      const count = vm.settings.vcpus.state === "known" ? vm.settings.vcpus.value : 1;
      expect(topology.vcpus).toBe(count);
      expect([sum(topology.vnumaNodes), sum(topology.numaClients)]).toEqual([count, count]);
      expect(Math.min(...topology.vnumaNodes, ...topology.numaClients)).toBeGreaterThan(0);
      if (topology.sockets * topology.coresPerSocket !== count) {
        // Sockets chosen at power-on for uneven nodes are the one shape that does not multiply, and it is called unknown.
        expect([vm.settings.coresPerSocket.state, topology.certainty]).toEqual(["absent", "unknown"]);
      }
      expect(topology.usableVcpus).toBe(count);
    }),
    { numRuns: 3000 },
  );
  expect(derived).toBeGreaterThan(300);
});

test("a stale cookie, and one that is switched off, are as if nothing were stored", () => {
  const plain = `virtualHW.version = "13"\nnumvcpus = "36"`;
  const stored = `${plain}\nnuma.autosize.vcpu.maxPerVirtualNode = "9"`;
  const at = (text: string) => {
    const result = deriveTopology(vmOf(text), {
      name: "a",
      sockets: 2,
      coresPerSocket: 20,
      threadsPerCore: 2,
      numaNodes: 2,
      esxi: esxi(6, 5),
    });
    return result.ok ? result.topology.vnumaNodes : result;
  };
  expect(at(plain)).toEqual([18, 18]);
  expect(at(`${stored}\nnuma.autosize.cookie = "360001"`)).toEqual([9, 9, 9, 9]);
  expect(at(`${stored}\nnuma.autosize.cookie = "360022"`)).toEqual([9, 9, 9, 9]);
  expect(at(stored)).toEqual([18, 18]);
  expect(at(`${stored}\nnuma.autosize.cookie = "320001"`)).toEqual([18, 18]);
  expect(at(`${stored}\nnuma.autosize.cookie = "360001"\nnuma.autosize.once = "FALSE"`)).toEqual([18, 18]);
  expect(at(`${stored}\nnuma.autosize.cookie = "360001"\nnuma.autosize = "TRUE"`)).toEqual([18, 18]);
});
