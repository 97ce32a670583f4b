import { requireHost } from "@vmlint/core";
import { pinningOf } from "@vmlint/core/program";
import { describe, expect, test } from "vitest";
import { alignedSizes, isAligned, nearest, nodesOf } from "../../packages/core/src/advice/aligned-size.ts";
import { pairedTitle, withPairedChanges } from "../../packages/core/src/advice/paired-change.ts";
import { isLinux64 } from "../../packages/core/src/limits/guest-limits.ts";
import { SQL55 } from "../../packages/core/src/model/sources.ts";
import type { Change } from "../../packages/core/src/model/spec.ts";
import { Answers } from "../../packages/core/src/platforms/esxi/answers.ts";
import { isSure } from "../../packages/core/src/platforms/esxi/certainty.ts";
import { largestDivisor } from "../../packages/core/src/platforms/esxi/divide.ts";
import { documented, isSameLayout, undecided } from "../../packages/core/src/platforms/esxi/layout.ts";
import { pinningFlaw } from "../../packages/core/src/platforms/esxi/pinning.ts";
import { canExist } from "../../packages/core/src/platforms/esxi/power-on.ts";
import { topologyOf, vmOf } from "../support/sample-vm.ts";

const wide = topologyOf('virtualHW.version = "17"\nnumvcpus = "12"', "2x10x2@7.0");

test("aligned are equal nodes and equal clients, no more than the host has nodes, each no larger than one", () => {
  const aligned = (vnumaNodes: number[], numaClients: number[], vcpus = 12) => isAligned({ ...wide, vcpus, vnumaNodes, numaClients }, 2);
  expect(aligned([6, 6], [6, 6])).toBe(true);
  expect(aligned([7, 5], [6, 6])).toBe(false);
  expect(aligned([6, 6], [7, 5])).toBe(false);
  expect([aligned([10], [10], 10), aligned([11], [11], 11), aligned([9], [9], 9)]).toEqual([true, false, true]);
  expect(aligned([4, 4, 4], [6, 6])).toBe(false);
});

test("two layouts are the same with the same nodes and the same clients", () => {
  const of = (vnumaNodes: number[], numaClients: number[]) => ({ vnumaNodes, numaClients });
  expect(isSameLayout(of([12], [6, 6]), of([12], [6, 6]))).toBe(true);
  expect(isSameLayout(of([12], [6, 6]), of([12], [12]))).toBe(false);
  expect(isSameLayout(of([6, 6], [6, 6]), of([12], [6, 6]))).toBe(false);
});

test("answers follow each other like digits, and the first other answer decides", () => {
  const question = (name: string, count: number) => ({
    ...documented(name, SQL55),
    candidates: Array.from({ length: count }, (_, i) => ({ source: { key: `${name}${i}`, title: "" } })),
  });
  const questions = [question("a", 2), question("b", 3)];
  const seen: (readonly (string | undefined)[])[] = [];
  for (let answers: Answers | undefined = new Answers(); answers; answers = answers.next()) {
    const given = answers;
    const candidates = questions.map((one) => given.to(one).source?.key);
    seen.push([...candidates, given.deciding?.source?.key]);
  }
  expect(seen.map((keys) => keys.join(" "))).toEqual(["a0 b0 a0", "a0 b1 b1", "a0 b2 b2", "a1 b0 a1", "a1 b1 a1", "a1 b2 a1"]);
  expect(new Answers().deciding).toBeUndefined();
  expect(new Answers([1]).to(documented("", SQL55))).toEqual({ source: null });
});

test("cores per socket of the size set by hand leave no question open", () => {
  const nodes = (cores: number) => {
    const text = `virtualHW.version = "13"\nnumvcpus = "16"\ncpuid.coresPerSocket = "${cores}"\nnuma.vcpu.maxPerVirtualNode = "8"`;
    const { vnumaNodes, certainties } = topologyOf(`${text}\nnuma.vcpu.followcorespersocket = "1"`, "2x10x2@6.7");
    return [vnumaNodes.join("+"), certainties.vnumaNodes];
  };
  expect([nodes(8), nodes(4)]).toEqual([
    ["8+8", "documented"],
    ["8+8", "possible"],
  ]);
});

test("facts are sure if they are documented or derived", () => {
  expect((["documented", "derived", "possible", "unknown"] as const).map(isSure)).toEqual([true, true, false, false]);
});

test("virtual hyper-threads need ESXi 8.0 and hardware version 20", () => {
  const runs = (hardware: number, release: string) =>
    canExist(vmOf(`virtualHW.version = "${hardware}"\nnumvcpus = "8"\ncpuid.numSMT = "2"`), requireHost(`2x20x2@${release}`));
  expect([runs(20, "8.0"), runs(19, "8.0"), runs(17, "7.0")]).toEqual([true, false, false]);
});

test.each([
  [true, 'numvcpus = "3"'],
  [true, 'numvcpus = "3"\ncpuid.numSMT = "1"'],
  [false, 'numvcpus = "3"\ncpuid.coresPerSocket = "2"'],
  [true, 'sched.mem.pin = "TRUE"\nsched.mem.min = "8192"\nsched.mem.max = "8192"'],
  [true, 'sched.mem.pin = "TRUE"\nsched.mem.min = "0"\nsched.mem.max = "unlimited"'],
  [false, 'sched.mem.pin = "TRUE"\nsched.mem.min = "8188"'],
  [false, 'sched.mem.pin = "TRUE"\nsched.mem.min = "1"'],
  [false, 'sched.mem.pin = "TRUE"\nsched.mem.max = "8188"'],
  [true, 'sched.mem.min = "4096"\nsched.mem.max = "4096"'],
])("whether vSphere accepts it is %s: %j", (accepts, text) => {
  expect(canExist(vmOf(`virtualHW.version = "17"\nmemSize = "8192"\n${text}`), requireHost("2x20x2@7.0"))).toBe(accepts);
});

test("a VM of a format without defaults has one vCPU, in any socket, and no second thread", () => {
  const accepts = (text: string) => canExist({ ...vmOf(`virtualHW.version = "20"\n${text}`), defaults: {} }, requireHost("2x20x2@8.0"));
  expect([accepts('cpuid.coresPerSocket = "3"'), accepts('cpuid.numSMT = "2"')]).toEqual([true, false]);
});

test("the largest divisor is 1 if none is accepted", () => {
  expect(largestDivisor(6, 4, (divisor) => divisor < 3)).toBe(2);
  expect(largestDivisor(6, 6, () => false)).toBe(1);
});

test("the nearest counts reach down to half and up to the most", () => {
  expect(nearest(4, 8, (count) => count === 2 || count === 8)).toEqual({ below: 2, above: 8 });
  expect(nearest(5, 8, (count) => count === 3)).toEqual({ below: 3, above: null });
  expect(nearest(4, 8, (count) => count === 1 || count === 9)).toEqual({ below: null, above: null });
  expect(nearest(4, 8, (count) => count === 4)).toEqual({ below: null, above: null });
});

describe("aligned sizes", () => {
  const of = (size: number, vcpus: number, more = {}) => {
    const nodes = Array.from({ length: vcpus / size }, () => size);
    return { ...wide, vcpus, vnumaNodes: nodes, numaClients: nodes, ...more };
  };
  const sizes = (vcpus: number, whatIf: (size: number) => typeof wide | undefined) => alignedSizes({ ...wide, vcpus }, 2, whatIf);

  test("are divisors down to 1, largest first, if the host has nodes for each", () => {
    expect(sizes(2, (size) => of(size, 2))).toEqual([2, 1]);
    expect(sizes(12, (size) => of(size, 12))).toEqual([6]);
  });
  test("exclude sizes without a source, without a way to set them, or with only nodes or only clients", () => {
    expect(sizes(12, (size) => of(size, 12, { reasons: [undecided("?")] }))).toEqual([]);
    expect(sizes(12, (size) => of(size, 12, { reasons: [{ ...undecided("?"), about: "sockets" }, documented("!", SQL55)] }))).toEqual([6]);
    expect(sizes(12, () => undefined)).toEqual([]);
    expect(sizes(4, (size) => of(size, 4, { numaClients: [4] }))).toEqual([4]);
    expect(sizes(4, (size) => of(size, 4, { vnumaNodes: [4] }))).toEqual([4]);
  });
  test("are set together with sockets of the same size if the VM's own sockets do not divide them", () => {
    expect(nodesOf({ ...wide, coresPerSocket: 3 }, "coresPerNumaNode", 6)).toEqual({ coresPerNumaNode: 6 });
    expect(nodesOf({ ...wide, coresPerSocket: 5 }, "maxVcpusPerVnumaNode", 6)).toEqual({ maxVcpusPerVnumaNode: 6, coresPerSocket: 6 });
  });
});

test.each<[string, readonly Change[], readonly Change[]]>([
  ['numvcpus = "12"\ncpuid.coresPerSocket = "5"', [{ setting: "memoryMiB", value: 4096 }], []],
  ['numvcpus = "12"\ncpuid.coresPerSocket = "6"', [{ setting: "vcpus", value: 8 }], [{ setting: "coresPerSocket", value: 4 }]],
  ['numvcpus = "12"\ncpuid.coresPerSocket = "4"', [{ setting: "vcpus", value: 8 }], []],
  // 4 cores would be 182 sockets.
  ['numvcpus = "768"\ncpuid.coresPerSocket = "6"', [{ setting: "vcpus", value: 728 }], [{ setting: "coresPerSocket", value: 7 }]],
  ['numvcpus = "12"\nnuma.vcpu.coresPerNode = "6"', [{ setting: "vcpus", value: 8 }], [{ setting: "coresPerNumaNode", value: 4 }]],
  // A prime vCPU count allows neither a socket of up to 64 nor a count of up to 128 sockets.
  ['numvcpus = "132"\ncpuid.coresPerSocket = "6"', [{ setting: "vcpus", value: 131 }], [{ setting: "coresPerSocket", value: 1 }]],
  // Without a socket size, sockets do not limit the size of a node.
  ['numvcpus = "12"\nnuma.vcpu.coresPerNode = "6"', [{ setting: "vcpus", value: 10 }], [{ setting: "coresPerNumaNode", value: 5 }]],
  ['numvcpus = "12"\nnuma.vcpu.coresPerNode = "3"', [{ setting: "vcpus", value: 9 }], []],
  [
    'numvcpus = "12"\nnuma.vcpu.coresPerNode = "6"',
    [
      { setting: "vcpus", value: 8 },
      { setting: "coresPerNumaNode", value: 8 },
    ],
    [],
  ],
  ['numvcpus = "12"\ncpuid.coresPerSocket = "6"\nnuma.vcpu.coresPerNode = "6"', [{ setting: "coresPerSocket", value: 12 }], []],
  // Nodes that would have to be more than before are left to ESXi.
  [
    'numvcpus = "12"\ncpuid.coresPerSocket = "6"\nnuma.vcpu.coresPerNode = "6"',
    [{ setting: "coresPerSocket", value: 4 }],
    [{ setting: "coresPerNumaNode", value: 0 }],
  ],
  [
    'numvcpus = "22"\ncpuid.coresPerSocket = "12"\nnuma.vcpu.coresPerNode = "6"',
    [{ setting: "coresPerSocket", value: 11 }],
    [{ setting: "coresPerNumaNode", value: 0 }],
  ],
  [
    'numvcpus = "27"\ncpuid.coresPerSocket = "12"\nnuma.vcpu.coresPerNode = "7"',
    [{ setting: "coresPerSocket", value: 9 }],
    [{ setting: "coresPerNumaNode", value: 0 }],
  ],
  [
    'numvcpus = "24"\ncpuid.coresPerSocket = "6"\nnuma.vcpu.coresPerNode = "6"',
    [{ setting: "vcpus", value: 20 }],
    [
      { setting: "coresPerSocket", value: 5 },
      { setting: "coresPerNumaNode", value: 5 },
    ],
  ],
  ['numvcpus = "12"\ncpuid.coresPerSocket = "6"\nnuma.vcpu.coresPerNode = "6"', [{ setting: "coresPerSocket", value: 3 }], []],
  // Findings of the rule itself, and findings from before the change, remain.
  [
    'numvcpus = "12"\ncpuid.coresPerSocket = "6"',
    [
      { setting: "vcpus", value: 8 },
      { setting: "coresPerSocket", value: 3 },
    ],
    [],
  ],
  [
    'numvcpus = "12"\nnuma.vcpu.coresPerNode = "6"',
    [
      { setting: "vcpus", value: 8 },
      { setting: "coresPerNumaNode", value: 3 },
    ],
    [],
  ],
  ['numvcpus = "10"\nnuma.vcpu.coresPerNode = "4"', [{ setting: "coresPerSocket", value: 2 }], []],
])("%s with %j takes %j", (text, changes, added) => {
  expect(withPairedChanges(changes, vmOf(text))).toEqual(added);
});

test("a fix names the changes that come with it", () => {
  const added: Change[] = [
    { setting: "coresPerSocket", value: 4 },
    { setting: "coresPerNumaNode", value: 8 },
  ];
  expect(pairedTitle("Set 8 vCPUs", added)).toBe("Set 8 vCPUs, 4 cores per socket, NUMA nodes of 8");
  expect(pairedTitle("Set 11 vCPUs", [{ setting: "coresPerNumaNode", value: 0 }])).toBe("Set 11 vCPUs, NUMA nodes by ESXi");
});

test("sockets at power-on are described in words", () => {
  const words = (vcpus: number) =>
    topologyOf(`virtualHW.version = "20"\nnumvcpus = "${vcpus}"`, "2x10x2@8.0").reasons.map(({ text }) => text);
  expect(words(4)).toContain("ESXi chooses 1 socket of 4 at power-on, one for each virtual NUMA node");
  expect(words(20)).toContain("ESXi chooses 2 sockets of 10 at power-on, one for each virtual NUMA node");
});

test("a list counts the logical CPUs that the host has", () => {
  expect(pinningOf([38, 39, 40], requireHost("2x10x2"))).toMatchObject({ numbers: [38, 39], pcpus: 2, cores: 1, outOfRange: [40] });
});

describe("pinnings without a better alternative", () => {
  const flaw = (pcpus: number[], vcpus: number, host: string) => {
    const machine = requireHost(host);
    return pinningFlaw(pinningOf(pcpus, machine), vcpus, machine);
  };
  test("a list with a CPU that the host lacks", () => {
    expect(flaw([0, 1, 99], 3, "2x2x2")).toBeUndefined();
  });
  test("a pair of threads beside a core for each vCPU, unlike one without", () => {
    expect(flaw([0, 1, 2], 2, "2x10x2")).toBeUndefined();
    expect(flaw([0, 1], 2, "2x10x2")).toBe("siblings");
    expect(flaw([0, 2], 4, "2x10x2")).toBe("too-few");
  });
  test("more cores than vCPUs", () => {
    expect(flaw([0, 2, 4, 6, 8, 10, 12], 6, "2x4x2")).toBeUndefined();
  });
  test("both threads of all cores, or of some cores while others are idle", () => {
    expect(flaw([0, 1, 2, 3, 4, 5, 6, 7], 8, "2x2x2")).toBeUndefined();
    expect(flaw([0, 1, 2, 3, 4, 5], 6, "2x2x2")).toBe("siblings");
    expect(flaw([0, 1, 2, 3, 4, 6], 4, "2x2x2")).toBeUndefined();
  });
  test("an odd count on two nodes, and an even one", () => {
    expect(flaw([0, 2, 4, 8, 10], 5, "2x4x2")).toBeUndefined();
    expect(flaw([0, 2, 4, 6, 8, 10], 6, "2x4x2")).toBe("uneven");
    expect(flaw([0, 2, 4, 8, 10, 12], 6, "4x4x2")).toBeUndefined();
    expect(flaw([0, 2, 4, 6, 8, 16], 6, "4x4x2")).toBe("uneven");
    expect(flaw([0, 2, 4, 8], 4, "2x4x2")).toBeUndefined();
  });
});

describe("a 64-bit Linux", () => {
  test.each([
    "ubuntu-64",
    "ubuntu64Guest",
    "rhel9-64",
    "rhel9_64Guest",
    "sles15-64",
    "other3xlinux-64",
    "otherLinux64Guest",
    "vmware-photon-64",
    "vmwarePhoton64Guest",
    "rockylinux_64Guest",
    "asianux8_64Guest",
  ])("is %s", (guest) => {
    expect(isLinux64(guest)).toBe(true);
  });
  test.each([
    "ubuntu",
    "ubuntuGuest",
    "debian10",
    "other-64",
    "otherGuest64",
    "freebsd-64",
    "solaris11-64",
    "windows2019srv-64",
    "suse6",
    "",
  ])("is not %j", (guest) => {
    expect(isLinux64(guest)).toBe(false);
  });
});
