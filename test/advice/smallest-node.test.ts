import { deriveTopology, type HostModel } from "@vmlint/core";
import { esxi } from "@vmlint/core/program";
import fc from "fast-check";
import { expect, test } from "vitest";
import { smallestNode } from "../../packages/core/src/advice/smallest-node.ts";
import { nodeNeedWords } from "../../packages/core/src/report/node-need.ts";
import { vmOf } from "../support/sample-vm.ts";

const words = (text: string) => nodeNeedWords(vmOf(text));

test("the sentence", () => {
  expect(words(`numvcpus = "22"\nmemSize = "262144"`)).toBe(
    "Fits one NUMA node from 22 cores and 256 GiB; halves evenly on nodes of 11 to 21 cores with at least 128 GiB each (ESXi 6.5 and later).",
  );
  expect(words(`numvcpus = "9"\nmemSize = "4096"`)).toBe("Fits one NUMA node from 9 cores and 4 GiB.");
  expect(words(`numvcpus = "2"\nmemSize = "65540"`)).toMatch(
    /^Fits one NUMA node from 2 cores and 64.1 GiB; halves evenly on nodes of 1 core with/,
  );
});

test.each([
  ["8 vCPUs and 64 GiB are small", `numvcpus = "8"\nmemSize = "65536"`],
  ["preferHT counts threads", `numvcpus = "22"\nnuma.vcpu.preferHT = "TRUE"`],
  ["nodes by hand", `numvcpus = "22"\nnuma.vcpu.maxPerVirtualNode = "11"`],
])("nothing: %s", (_, text) => expect(words(text)).toBe(""));

test("on any host of ESXi 6.5 and later the VM fits and halves on those nodes, and on no others", () => {
  const host = fc
    .record({
      numaNodes: fc.constantFrom(1, 2, 4, 8),
      cores: fc.integer({ min: 1, max: 70 }),
      threadsPerCore: fc.constantFrom(1, 2),
      release: fc.constantFrom(esxi(6, 5), esxi(6, 5, 3), esxi(6, 7, 2), esxi(7, 0), esxi(8, 0, 2), esxi(9, 0)),
    })
    .map(({ numaNodes, cores, threadsPerCore, release }): HostModel => {
      return { name: "any", sockets: numaNodes, coresPerSocket: cores, threadsPerCore, numaNodes, esxi: release };
    });
  const vm = fc.record({
    vcpus: fc.integer({ min: 1, max: 100 }),
    sockets: fc.integer({ min: 0, max: 12 }),
    hotAdd: fc.boolean(),
    hardware: fc.constantFrom(8, 13, 20),
  });
  const seen = { one: 0, halves: 0, neither: 0 };
  fc.assert(
    fc.property(vm, host, ({ vcpus, sockets, hotAdd, hardware }, machine) => {
      const cps = sockets > 0 && vcpus % sockets === 0 ? `\ncpuid.coresPerSocket = "${vcpus / sockets}"` : "";
      const spec = vmOf(`virtualHW.version = "${hardware}"\nnumvcpus = "${vcpus}"\nmemSize = "131072"\nvcpu.hotadd = "${hotAdd}"${cps}`);
      const result = deriveTopology(spec, machine);
      const need = smallestNode(spec);
      if (!result.ok || !need) return;
      const { numaClients: clients, certainties } = result.topology;
      const each = machine.coresPerSocket;
      const { cores, halves } = need;
      const fits = each >= cores;
      expect(clients.length === 1 && vcpus <= each).toBe(fits);
      const canHalve = halves !== undefined && halves.from <= each && each <= halves.to && machine.numaNodes > 1;
      if (canHalve) expect([clients, certainties.numaClients]).toEqual([[vcpus / 2, vcpus / 2], "documented"]);
      else if (["documented", "derived"].includes(certainties.numaClients))
        expect(clients.length === 2 && clients[0] === clients[1] && vcpus / 2 <= each).toBe(false);
      seen[fits ? "one" : canHalve ? "halves" : "neither"]++;
    }),
    { numRuns: 3000 },
  );
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(30);
});
