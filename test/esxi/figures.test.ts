import { requireHost } from "@vmlint/core";
import { parseEsxi } from "@vmlint/core/program";
import { expect, test } from "vitest";
import { fewestCores, fewestSockets, nearestCores } from "../../packages/core/src/advice/sockets-and-cores.ts";
import { knowsFtVcpus, mostFtGiB, mostFtVcpus } from "../../packages/core/src/limits/fault-tolerance.ts";
import { groupsMakeNodes, guestLimit, guestMemory, usableByGuest, WINDOWS_GROUP } from "../../packages/core/src/limits/guest-limits.ts";
import { hanaSizes, isHalfSocket, isSapphireRapids, shareGiB } from "../../packages/core/src/limits/hana.ts";
import {
  asksForLatencyHardware,
  exclusiveCores,
  givesExclusiveCores,
  isFullReservation,
  LATENCY_HARDWARE,
  requiresCpuReservation,
} from "../../packages/core/src/limits/latency.ts";
import { weakest } from "../../packages/core/src/platforms/esxi/certainty.ts";
import { manualNodeSize, socketsSizeNodes } from "../../packages/core/src/platforms/esxi/derive.ts";
import {
  dividesIntoCores,
  dividesIntoNodes,
  dividesIntoSockets,
  largestDivisor,
  nodeFitsSockets,
} from "../../packages/core/src/platforms/esxi/divide.ts";
import { readsCoresPerNode, sizesNodesByHand } from "../../packages/core/src/platforms/esxi/esxi-8.0.ts";
import { fill, type NumaInput, nodesOfSize } from "../../packages/core/src/platforms/esxi/layout.ts";

// The file of the topology that holds a figure names its source.
const esxi = (text: string) => {
  const version = parseEsxi(text);
  if (!version) throw new Error(text);
  return version;
};

test.each([
  ["5.1", false, false, false],
  ["5.5", true, false, false],
  ["6.7", true, false, false],
  ["7.0", true, true, false],
  ["8.0", true, true, true],
])(
  "latency sensitivity High on %s: exclusive cores %s, full reservation a condition %s, as hardware %s",
  (release, exclusive, required, hardware) => {
    expect(givesExclusiveCores(esxi(release))).toBe(exclusive);
    expect(requiresCpuReservation(requireHost(`2x10x2@${release}`))).toBe(required);
    expect(asksForLatencyHardware(esxi(release))).toBe(hardware);
    expect(LATENCY_HARDWARE).toBe(20);
  },
);

test("a reservation is full up to the frequency that is measured", () => {
  expect(isFullReservation(8396, 8400)).toBe(true);
  expect([isFullReservation(8316, 8400), isFullReservation(8315, 8400)]).toEqual([true, false]);
});

test.each([
  [20, 2, 10],
  [21, 2, 11],
  [20, 1, 20],
])("%i vCPUs with %i threads per core own %i cores", (vcpus, threads, cores) => {
  expect(exclusiveCores(vcpus, threads)).toBe(cores);
});

test.each([
  ["5.5", 1, true, undefined],
  ["6.0", 4, true, 64],
  ["6.0 U3", 4, true, 64],
  ["6.5", 8, false, undefined],
  ["6.5 U3", 8, false, undefined],
  ["6.7", 8, true, undefined],
  ["8.0", 8, true, 128],
  ["9.0", 8, true, undefined],
])("Fault Tolerance on %s: %i vCPUs, a page was read %s, %s GiB", (release, vcpus, known, gib) => {
  const version = esxi(release);
  expect([mostFtVcpus(version), knowsFtVcpus(version), mostFtGiB(version)]).toEqual([vcpus, known, gib]);
  expect(mostFtVcpus(undefined)).toBe(8);
});

test.each([
  ["4x28x2", false, [14, 28, 56, 84, 112]],
  ["2x27x2", false, [27, 54]],
  ["2x28x2", true, [14, 28, 56, 112]],
  // Half of 12 cores is less than the 8 it takes.
  ["2x12x2", false, [12, 24]],
  ["2x6x2", true, [12, 24]],
])("SAP HANA on %s, preferHT %s: %j", (host, preferHt, sizes) => {
  expect(hanaSizes(requireHost(host), preferHt)).toEqual(sizes);
});

test("half a socket of Sapphire Rapids is a size of SAP HANA with SNC-2 alone", () => {
  const host = { ...requireHost("2x32x2"), cpu: "Xeon Gold 6430" };
  expect(hanaSizes(host, false)).toEqual([32, 64]);
  expect(hanaSizes({ ...host, numaNodes: 4 }, false)).toEqual([16, 32, 64]);
  expect(hanaSizes({ ...host, numaNodes: 8 }, false)).toEqual([32, 64]);
});

test("half a socket of four is an eighth of the host's memory", () => {
  const host = requireHost("4x28x2:6144@7.0");
  expect([13, 14, 15].map((vcpus) => isHalfSocket(vcpus, host))).toEqual([false, true, false]);
  expect([14, 224].map((vcpus) => shareGiB(vcpus, host))).toEqual([768, 6144]);
  expect(shareGiB(14, requireHost("4x28x2"))).toBeUndefined();
  const named = (cpu?: string) => isSapphireRapids({ ...host, ...(cpu !== undefined && { cpu }) });
  expect(["Xeon Gold 6430", "Xeon Gold 6330", undefined].map(named)).toEqual([true, false, undefined]);
});

test.each([
  ["4.1", false, {}],
  ["5.0", true, {}],
  ["6.0 U3", true, {}],
  ["6.5", false, { maxVcpusPerVnumaNode: 6 }],
  ["7.0 U3", false, { maxVcpusPerVnumaNode: 6 }],
  ["8.0", false, { coresPerNumaNode: 6 }],
])("manual nodes on %s: by sockets %s, next to them %j", (release, bySockets, settings) => {
  expect(socketsSizeNodes(esxi(release))).toBe(bySockets);
  expect(manualNodeSize(esxi(release), 6, 12, 20)).toEqual(settings);
});

test("below 9 vCPUs nodes by hand need numa.vcpu.min, which is documented to hide them", () => {
  const settings = { maxVcpusPerVnumaNode: 4, vnumaMinVcpus: 8 };
  expect([manualNodeSize(esxi("7.0"), 4, 8, 17), manualNodeSize(esxi("8.0"), 4, 8, 19)]).toEqual([settings, settings]);
  expect([manualNodeSize(esxi("7.0"), 3, 9, 17), manualNodeSize(esxi("8.0"), 4, 8, 20)]).toEqual([
    { maxVcpusPerVnumaNode: 3 },
    { coresPerNumaNode: 4 },
  ]);
});

test("numa.vcpu.coresPerNode is of 8.0 and of hardware version 20", () => {
  expect(manualNodeSize(esxi("8.0"), 6, 12, 19)).toEqual({ maxVcpusPerVnumaNode: 6 });
  expect(["2x10x2@7.0 U3", "2x10x2@8.0", "2x10x2"].map((host) => readsCoresPerNode(requireHost(host)))).toEqual([false, true, true]);
  expect(readsCoresPerNode(undefined)).toBe(true);
  expect([19, 20, undefined].map((hardware) => sizesNodesByHand(requireHost("2x10x2@8.0"), hardware))).toEqual([false, true, true]);
  expect(sizesNodesByHand(requireHost("2x10x2@7.0"), 20)).toBe(false);
});

test("divisors", () => {
  expect([8, 6, 1].map((vcpus) => dividesIntoSockets(vcpus, 4))).toEqual([true, false, true]);
  expect([8, 7, 1].map((vcpus) => dividesIntoCores(vcpus, 2))).toEqual([true, false, false]);
  expect([0, 4, 5, 8, 9].map((size) => dividesIntoNodes(8, size))).toEqual([true, true, false, true, true]);
  expect([0, 2, 3, 4, 6, 8].map((size) => nodeFitsSockets(size, 4))).toEqual([true, true, false, true, false, true]);
  expect([largestDivisor(12, 5), largestDivisor(12, 20), largestDivisor(7, 6)]).toEqual([4, 12, 1]);
  const clients = (vcpus: number, size: number) =>
    nodesOfSize({ vcpus, capacity: 10, consolidate: true, host: requireHost("2x10x2") } as NumaInput, size).clients;
  expect([fill(10, 4), clients(20, 12), clients(10, 10)]).toEqual([[4, 4, 2], [6, 6, 8], [10]]);
});

test.each([
  [8, 4, 64, undefined, undefined, 1],
  [8, 4, 4, undefined, undefined, 2],
  [8, 4, 64, "2x4x2", undefined, 2],
  [8, 1, 4, undefined, undefined, undefined],
  [7, 4, 6, undefined, undefined, undefined],
  [24, 4, 64, "2x10x2", undefined, 3],
  [3, 4, 1, undefined, undefined, 3],
  // Without a host, sockets of at most 8 cores, and an even number of them.
  [16, 4, 64, undefined, undefined, 2],
  [24, 4, 64, undefined, undefined, 4],
  [40, 4, 64, undefined, undefined, 4],
  // None goes into a node: the smallest sockets span least.
  [64, 2, 64, "2x10x2", undefined, 2],
  [22, 4, 64, "4x10x2", undefined, 2],
  // Memory of one node of 128 GiB, of two nodes, of the whole host, and a vCPU count that two does not divide.
  [12, 4, 64, "2x12x2:256", 128, 1],
  [12, 4, 64, "2x12x2:256", 160, 2],
  [12, 4, 64, "2x12x2:256", 256, 2],
  [9, 4, 64, "2x12x2:256", 160, 1],
])(
  "%i vCPUs in at most %i sockets of at most %i cores on %s with %s GiB: %s",
  (vcpus, maxSockets, maxCoresPerSocket, name, gib, fewest) => {
    const host = name === undefined ? undefined : requireHost(name);
    const memoryMiB = gib === undefined ? undefined : gib * 1024;
    expect(fewestSockets(vcpus, { maxSockets, maxCoresPerSocket, host, memoryMiB })).toBe(fewest);
  },
);

test.each([
  [12, 5, 64, 4],
  [130, 100, 64, 65],
  // 4 cores would be 182 sockets.
  [728, 5, 64, 7],
  [256, 2, 64, 2],
  [134, 1, 64, 2],
  [201, 2, 64, 3],
  [131, 2, 64, undefined],
  [131, 2, 256, 131],
])("cores per socket of %i vCPUs next to %i, of at most %i, in no more than 128 sockets: %s", (vcpus, wanted, most, cores) => {
  expect(nearestCores(vcpus, wanted, most)).toBe(cores);
});

test("the most sockets of a VM", () => {
  expect([1, 128, 130, 256, 131, 768].map((vcpus) => fewestCores(vcpus))).toEqual([1, 1, 2, 2, 131, 6]);
});

test.each([
  ["windows7-64", 2, undefined],
  ["windows8_64Guest", 2, undefined],
  ["windows9-64", 4, 2],
  ["windows12_64Guest", 4, 2],
  ["windows7srv-64", 64, undefined],
  ["windows9Server64Guest", 64, undefined],
  ["windows2019srv-64", 64, undefined],
  ["windows2022srvNext_64Guest", 64, undefined],
  ["winxppro", 2, undefined],
  ["winXPPro64Guest", 2, undefined],
  ["winVistaBusiness-64", 2, undefined],
  ["winvistaguest", 2, undefined],
  ["winxphome", undefined, undefined],
  // Of Windows 2000 the dumps limit the vCPUs, not the sockets alone.
  ["win2000ProGuest", undefined, undefined],
  ["winserver2008standard-64", 4, undefined],
  ["ubuntu-64", undefined, undefined],
])("%s uses %s sockets, its common editions %s", (guest, sockets, common) => {
  expect([guestLimit(guest)?.sockets, guestLimit(guest)?.commonSockets]).toEqual([sockets, common]);
});

// Microsoft, "Memory Limits for Windows and Windows Server Releases": the largest of a release's editions.
test.each([
  ["winxppro", "Windows XP, 32-bit", 4],
  ["winXPHomeGuest", "Windows XP", 4],
  ["winXPPro64Guest", "Windows XP, 64-bit", 128],
  ["winVistaGuest", "Windows Vista, 32-bit", 4],
  ["winvista-64", "Windows Vista, 64-bit", 128],
  ["windows7", "Windows 7, 32-bit", 4],
  ["windows7_64Guest", "Windows 7, 64-bit", 192],
  ["windows8Guest", "Windows 8, 32-bit", 4],
  ["windows8-64", "Windows 8, 64-bit", 512],
  ["windows9Guest", "Windows 10, 32-bit", 4],
  ["windows9-64", "Windows 10, 64-bit", 6144],
  ["winNetWebGuest", "Windows Server 2003 Web Edition", 2],
  ["winNetBusinessGuest", "Windows Small Business Server 2003", 4],
  ["winNetStandardGuest", "Windows Server 2003 Standard, 32-bit", 4],
  ["winnetstandard-64", "Windows Server 2003 Standard, 64-bit", 32],
  ["winNetEnterpriseGuest", "Windows Server 2003 Enterprise, 32-bit", 64],
  ["winnetenterprise-64", "Windows Server 2003 Enterprise, 64-bit", 1024],
  ["winNetDatacenter64Guest", "Windows Server 2003 Datacenter", 1024],
  ["winNetDatacenterGuest", undefined, undefined],
  ["longhorn", "Windows Server 2008, 32-bit", 64],
  ["winLonghorn64Guest", "Windows Server 2008, 64-bit", 1024],
  ["windows7srv-64", "Windows Server 2008 R2", 2048],
  ["windows7Server64Guest", "Windows Server 2008 R2", 2048],
  ["windows8srv-64", "Windows Server 2012", 4096],
  ["windows9srv-64", undefined, undefined],
  ["windows11-64", undefined, undefined],
  ["constructor", undefined, undefined],
  ["other", undefined, undefined],
  ["", undefined, undefined],
])("%s is %s and uses %s GiB of memory", (guestOs, guest, gib) => {
  expect(guestMemory(guestOs)).toEqual(guest === undefined ? undefined : { guest, mostMiB: (gib ?? 0) * 1024 });
});

test("vCPUs beyond the sockets of a guest stay idle, and Windows takes 64 as a group", () => {
  const limit = guestLimit("windows9-64");
  expect([1, 2, 4].map((cores) => usableByGuest(limit, 8, cores))).toEqual([4, 8, 8]);
  expect(usableByGuest(undefined, 8, 1)).toBe(8);
  expect([WINDOWS_GROUP, groupsMakeNodes("windows2019srv-64"), groupsMakeNodes("windows2022srvNext-64")]).toEqual([64, true, false]);
  // Server 2022 is build 20348, and Server 2025 a later one.
  expect(["windows2019srvnext-64", "windows2022srv-64", "windows9-64"].map(groupsMakeNodes)).toEqual([false, false, false]);
});

test("a result is as certain as its least certain step", () => {
  const of = (...steps: ("documented" | "derived" | "unknown")[]) => weakest(steps);
  expect([of(), of("derived", "documented"), of("derived", "unknown", "documented")]).toEqual(["documented", "derived", "unknown"]);
});
