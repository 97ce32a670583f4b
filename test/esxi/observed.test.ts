import { deriveTopology, requireHost } from "@vmlint/core";
import { possibleTopologies } from "@vmlint/core/program";
import { describe, expect, test } from "vitest";
import type { Observed } from "../../packages/core/src/model/spec.ts";
import { agreesInSockets, compareObserved } from "../../packages/core/src/platforms/esxi/observed.ts";
import { topologyOf, vmOf } from "../support/sample-vm.ts";

const running = (text: string, value: Partial<Observed>) => ({
  ...vmOf(text),
  observed: { range: [0, 0] as const, value: { source: "a report", ...value } },
});

describe("a report of a running VM", () => {
  const vm = 'virtualHW.version = "20"\nnumvcpus = "16"\ncpuid.coresPerSocket = "8"';
  const compared = (value: Partial<Observed>, more = "") => {
    const text = `${vm}\n${more}`;
    const comparison = compareObserved(running(text, value), topologyOf(text, "2x10x2@8.0"));
    return comparison && [comparison.agrees, ...comparison.explainedBy];
  };
  const pinned = 'sched.cpu.affinity = "0-15"';
  test.each<[string, Partial<Observed>, string, readonly unknown[] | undefined]>([
    ["of nothing is no report", {}, "", undefined],
    ["of the same nodes agrees", { vnumaNodes: [8, 8] }, "", [true]],
    ["of other nodes does not", { vnumaNodes: [16] }, "", [false]],
    ["of the same clients agrees", { numaClients: [8, 8] }, "", [true]],
    ["of other clients does not", { numaClients: [16] }, "", [false]],
    ["of the same nodes and other clients does not", { vnumaNodes: [8, 8], numaClients: [16] }, "", [false]],
    ["of clients of a pinned VM cannot be compared", { numaClients: [16] }, pinned, undefined],
    ["of nodes and clients of a pinned VM is about the nodes", { vnumaNodes: [8, 8], numaClients: [16] }, pinned, [true]],
    ["of virtual threads cannot be compared", { vnumaNodes: [8, 8] }, 'cpuid.numSMT = "2"', undefined],
    ["of an undecided layout cannot be compared", { vnumaNodes: [4, 4, 4, 4] }, 'numa.vcpu.maxPerVirtualNode = "5"', undefined],
    [
      "of clients cannot be compared where only the nodes are sure",
      { numaClients: [16] },
      'vcpu.hotadd = "TRUE"\nnuma.vcpu.maxPerMachineNode = "4"',
      undefined,
    ],
    ["may differ by hot add", { vnumaNodes: [8, 8] }, 'vcpu.hotadd = "TRUE"', [false, "cpuHotAdd"]],
    ["does not differ by what is off", { vnumaNodes: [16] }, 'vcpu.hotadd = "FALSE"\nnuma.vcpu.coresPerNode = "0"', [false]],
  ])("%s", (_, value, more, expected) => {
    expect(compared(value, more)).toEqual(expected);
  });
});

test("nodes of virtual hyper-threads are not compared", () => {
  const text = 'virtualHW.version = "20"\nnumvcpus = "8"\ncpuid.coresPerSocket = "4"\ncpuid.numSMT = "2"';
  const topology = topologyOf(text, "2x10x2@8.0");
  expect(topology.certainties.vnumaNodes).toBe("documented");
  expect(compareObserved(running(text, { vnumaNodes: [8] }), topology)).toBeUndefined();
});

test("reported sockets that no layout has leave the layouts that start", () => {
  const text = 'virtualHW.version = "20"\nnumvcpus = "12"\ncpuid.coresPerSocket = "4"\nnuma.vcpu.coresPerNode = "{{ size }}"';
  const sizes = (coresPerSocket: number) => {
    const result = possibleTopologies(running(text, { coresPerSocket }), requireHost("2x10x2@8.0"));
    return result.ok && result.cases.map(({ topology }) => topology.vnumaNodes.join("+"));
  };
  expect(sizes(6)).toEqual(sizes(4));
  expect(sizes(4)).toContain("4+4+4");
});

test("reported sockets agree with ESXi's choice where that is sure, and decide between its possible ones", () => {
  const vm = (vcpus: number, coresPerSocket?: number) =>
    running(`virtualHW.version = "20"\nnumvcpus = "${vcpus}"`, coresPerSocket === undefined ? {} : { coresPerSocket });
  const host = requireHost("dual-epyc-7763");
  expect([vm(8, 8), vm(8, 4), vm(8), vm(16, 8)].map((one) => agreesInSockets(one, host))).toEqual([true, false, undefined, undefined]);
  const plain = deriveTopology(vm(16), host);
  expect(plain.ok && plain.topology.certainties.sockets).toBe("possible");
  const possible = possibleTopologies(vm(16, 8), host);
  expect(possible.ok && [possible.certainties.sockets, possible.cases.map(({ topology }) => topology.coresPerSocket)]).toEqual([
    "documented",
    [8],
  ]);
  const cases = (coresPerSocket?: number) => {
    const result = possibleTopologies(vm(16, coresPerSocket), host);
    return result.ok && result.cases;
  };
  expect(cases(2)).toEqual(cases());
});
