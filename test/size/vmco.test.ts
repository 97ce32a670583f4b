// VMware's Virtual Machine Compute Optimizer (VMCO, Get-OptimalvCPU 3.0.0.2, 2021) answers "which shape is optimal?" from a live
// vCenter.
// The test compares its published samples and the rows of its algorithm with vmlint's answers. A row that differs states the
// reason.

import { type HostModel, lint, requireHost, type Workload } from "@vmlint/core";
import { bestShape, compareShapes, type Shape, shapeOf, size } from "@vmlint/core/size";
import { describe, expect, test } from "vitest";
import { pageNamed } from "../support/rule-pages.ts";

/** VMCO does not know ESXi versions. The rows use 7.0 with hardware version 17, which treats cores per socket as VMCO does. */
const host = (short: string, version = "7.0"): HostModel => requireHost(`${short}@${version}`);
const HOSTS = {
  A: "2x10x2:768",
  B: "4x10x2:1024",
  C: "2x16x2:192",
  D: "4x24x2:2048",
  E: "2x20x2:512",
  F: "4x4x2:256",
} as const;

const shapeName = ({ sockets, coresPerSocket }: Shape): string => `${sockets}x${coresPerSocket}`;
const kinds = ({ flaws }: Shape): string[] => [...new Set(flaws.map(({ ruleId }) => ruleId))];

const ODD = "VMCO adds a vCPU without saying so";
const CORES = "VMCO answers another count: all cores of the host";
const FRACTION = "VMCO proposes a fraction of a core";

/** Where ours differs: the flaws of the asked count, the count proposed first, and why. */
type Difference = readonly [flaws: readonly string[], proposed: number, why: string];

describe("VMCO's answers", () => {
  test.each<[vcpus: number, gib: number, optimum: string]>([
    // Published: the module's README, and the ten rows of the PDF of 2021.
    [12, 40, "2x6"],
    [12, 42, "2x6"],
    [4, 8, "1x4"],
    [4, 9, "1x4"],
    [1, 3, "1x1"],
  ])("published, 2x10: %i vCPUs, %i GiB: %s", (vcpus, gib, optimum) => {
    const { requestedShape } = size({ vcpus, memoryMiB: gib * 1024 }, [host(HOSTS.A)]);
    expect([shapeName(requestedShape), kinds(requestedShape)]).toEqual([optimum, []]);
  });

  // By its algorithm: the VM as it is, what VMCO would make of it, and whether it calls the shape it has optimal (its note about the
  // host's power policy aside, which is no shape).
  test.each<[row: number, on: keyof typeof HOSTS, vcpus: number, now: string, gib: number, optimum: string, fine: boolean, Difference?]>([
    [1, "A", 12, "12x1", 40, "2x6", false],
    [2, "A", 12, "2x6", 40, "2x6", true],
    [3, "A", 12, "2x6", 40, "2x6", true],
    [4, "A", 12, "12x1", 40, "2x6", false],
    [5, "A", 8, "8x1", 32, "1x8", false],
    [6, "A", 8, "1x8", 32, "1x8", true],
    [7, "A", 10, "1x10", 64, "1x10", true],
    [8, "A", 11, "1x11", 64, "2x6", false, [["numa/wide-uneven"], 10, `${ODD}; 10 is as near as 12 and fits one node`]],
    [9, "A", 13, "13x1", 64, "2x7", false, [["numa/wide-uneven"], 14, ODD]],
    [10, "A", 14, "2x7", 64, "2x7", true],
    [11, "A", 16, "2x8", 64, "2x8", true],
    [12, "A", 16, "8x2", 64, "2x8", false],
    [13, "A", 18, "18x1", 64, "2x9", false],
    [14, "A", 20, "2x10", 64, "2x10", true],
    [15, "A", 20, "1x20", 64, "2x10", false],
    [16, "A", 24, "2x12", 64, "2x10", false, [["cpu/exceeds-physical-cores"], 20, CORES]],
    [17, "A", 4, "4x1", 400, "2x2", false],
    [18, "A", 8, "1x8", 400, "2x4", false],
    [19, "A", 8, "1x8", 400, "2x4", false],
    [20, "A", 6, "1x6", 400, "2x3", false],
    [21, "A", 1, "1x1", 3, "1x1", true],
    [22, "B", 8, "8x1", 64, "1x8", false],
    [23, "B", 16, "16x1", 256, "2x8", false],
    [24, "B", 32, "32x1", 512, "4x8", false],
    [25, "B", 32, "8x4", 512, "4x8", false],
    [26, "B", 32, "16x2", 512, "4x8", false],
    [27, "B", 64, "64x1", 1000, "4x10", false, [["cpu/exceeds-physical-cores"], 40, CORES]],
    [28, "B", 30, "3x10", 300, "3x10", true],
    [29, "B", 6, "1x6", 900, "4x1.5", false, [["numa/mem-exceeds-node"], 8, FRACTION]],
    [30, "B", 6, "1x6", 600, "3x2", false],
    [31, "C", 16, "1x16", 64, "1x16", true],
    [32, "C", 16, "2x8", 64, "1x16", false],
    [33, "C", 16, "16x1", 64, "1x16", false],
    [34, "C", 16, "4x4", 64, "1x16", false],
    [35, "C", 16, "1x16", 120, "2x8", false],
    [36, "D", 24, "1x24", 64, "1x24", true],
    [37, "D", 24, "24x1", 64, "1x24", false],
    [38, "D", 51, "51x1", 64, "4x13", false, [["numa/wide-uneven"], 52, ODD]],
    [39, "D", 48, "2x24", 512, "2x24", true],
    [40, "E", 12, "12x1", 384, "2x6", false],
    [41, "E", 12, "1x12", 384, "2x6", false],
    [42, "E", 12, "2x6", 384, "2x6", true],
    [43, "E", 21, "21x1", 128, "2x11", false, [["numa/wide-uneven"], 20, `${ODD}; 20 is as near as 22 and fits one node`]],
    [44, "E", 24, "2x12", 128, "2x12", true],
    [45, "F", 6, "6x1", 200, "4x1.5", false, [["numa/mem-exceeds-node"], 8, FRACTION]],
    [46, "F", 6, "1x6", 200, "4x1.5", false, [["numa/mem-exceeds-node"], 8, FRACTION]],
    [47, "F", 9, "9x1", 64, "4x2.5", false, [["numa/wide-uneven"], 8, `${ODD}, and ${FRACTION}`]],
  ])("row %i: %s, %i vCPUs as %s, %i GiB: %s", (row, on, vcpus, now, gib, optimum, fine, difference) => {
    const wish = { vcpus, memoryMiB: gib * 1024 };
    const { requestedShape, proposals } = size(wish, [host(HOSTS[on])]);
    expect(requestedShape.vcpus).toBe(vcpus);
    if (difference) {
      const [flaws, proposed] = difference;
      expect([kinds(requestedShape), proposals[0]?.vcpus, proposals[0]?.flaws]).toEqual([flaws, proposed, []]);
    } else {
      expect([shapeName(requestedShape), kinds(requestedShape), proposals[0]?.vcpus]).toEqual([optimum, [], vcpus]);
    }
    const has = shapeOf({ vcpus, coresPerSocket: Number(now.split("x")[1]), hardwareVersion: 17 }, wish, [host(HOSTS[on])]);
    const isBest = difference === undefined && compareShapes(has, requestedShape, wish) <= 0;
    expect(isBest).toBe(fine && row !== 42);
  });

  test("row 42: VMCO calls 2x6 optimal for 384 GiB on nodes of 256, but on 7.0 sockets do not make nodes and the VM is on one", () => {
    const settings = { vcpus: 12, coresPerSocket: 6, hardwareVersion: 17 };
    const has = shapeOf(settings, { vcpus: 12, memoryMiB: 384 * 1024 }, [host(HOSTS.E)]);
    expect([has.placements[0]?.topology?.numaClients, kinds(has)]).toEqual([[12], ["numa/mem-exceeds-node"]]);
  });

  /** The full sweep with 8 GiB: VMCO's shape of each even count. An odd count has the shape of the next even one. */
  test.each<[keyof typeof HOSTS, nodes: number, cores: number, fractions: readonly number[]]>([
    ["A", 2, 10, []],
    ["C", 2, 16, []],
    ["E", 2, 20, []],
    // VMCO says 4x5.5, 4x6.5, 4x8.5 and 4x9.5 here.
    ["B", 4, 10, [22, 26, 34, 38]],
  ])("sweep over %s", (name, nodes, cores, fractions) => {
    for (let vcpus = 1; vcpus <= nodes * cores; vcpus++) {
      const asked = bestShape(vcpus, { vcpus, memoryMiB: 8192 }, [host(HOSTS[name])]);
      if (vcpus <= cores) expect(shapeName(asked)).toBe(`1x${vcpus}`);
      else if (vcpus % 2 === 1 || fractions.includes(vcpus)) expect(kinds(asked), `${vcpus}`).not.toEqual([]);
      else {
        const sockets = [2, 3, 4].find((count) => vcpus % count === 0 && vcpus / count <= cores) ?? 0;
        expect([shapeName(asked), kinds(asked)], `${vcpus}`).toEqual([`${sockets}x${vcpus / sockets}`, []]);
      }
    }
  });

  test.each<[smallest: string, vmco: string]>([
    ["2x20x2:512", "1x16"],
    ["2x10x2:256", "2x8"],
    ["2x16x2:512", "1x16"],
  ])("16 vCPUs, 64 GiB on 2x20 in a cluster whose smallest host is %s: %s", (smallest, vmco) => {
    const { requestedShape } = size({ vcpus: 16, memoryMiB: 65536 }, [host(HOSTS.E), { ...host(smallest), name: "smallest" }]);
    expect([shapeName(requestedShape), kinds(requestedShape)]).toEqual([vmco, []]);
  });
});

describe("VMCO's defects, which ours does not have", () => {
  const found = (vmx: string, on: HostModel, workload?: Workload) =>
    lint(vmx, { target: { host: on, ...(workload && { workload }) } }).diagnostics;

  test("fractions: 22 vCPUs on 4 x 10 are answered with whole cores and the counts that fit", () => {
    const { requestedShape, proposals, flawless } = size({ vcpus: 22 }, [host(HOSTS.B)]);
    expect([Number.isInteger(requestedShape.coresPerSocket), kinds(requestedShape)]).toEqual([true, ["numa/wide-uneven"]]);
    expect(proposals.slice(0, 2).map(({ vcpus }) => vcpus)).toEqual([20, 24]);
    expect(flawless).toEqual(expect.arrayContaining([20, 24, 28]));
  });

  test("a well-shaped wide VM with CPU hot add on is not optimal: its guest sees one node", () => {
    const vmx = (hotadd: string) => `virtualHW.version = "17"\nnumvcpus = "12"\ncpuid.coresPerSocket = "6"\nvcpu.hotadd = "${hotadd}"\n`;
    expect(found(vmx("TRUE"), host(HOSTS.A)).map(({ ruleId }) => ruleId)).toEqual(["numa/hidden-by-hotadd"]);
    expect(found(vmx("FALSE"), host(HOSTS.A))).toEqual([]);
  });

  test("a NUMA node is not a socket: 24 vCPUs on 64-core sockets in NPS4 are no 1 x 24", () => {
    const { requestedShape } = size({ vcpus: 24 }, [host("2x64x2/4")]);
    expect([shapeName(requestedShape), kinds(requestedShape)]).toEqual(["2x12", []]);
  });

  test("the ESXi version counts: cores per socket are left to 8.0, and size the nodes up to 6.0", () => {
    const coresPerSocket = (version: string) => size({ vcpus: 16 }, [host(HOSTS.A, version)]).requestedShape.coresPerSocket;
    expect([coresPerSocket("8.0"), coresPerSocket("7.0"), coresPerSocket("6.0")]).toEqual(["auto", 8, 8]);
    const nodes = (version: string) =>
      size({ vcpus: 28 }, [host(HOSTS.B, version)]).requestedShape.settings.maxVcpusPerVnumaNode ??
      size({ vcpus: 28 }, [host(HOSTS.B, version)]).requestedShape.settings.coresPerNumaNode;
    expect([nodes("8.0"), nodes("7.0"), nodes("6.0")]).toEqual([7, 7, undefined]);
  });

  test("the count never changes silently: 13 stays 13, and 14 is a separate proposal", () => {
    const { requestedShape, proposals } = size({ vcpus: 13 }, [host(HOSTS.A)]);
    expect([requestedShape.vcpus, kinds(requestedShape), proposals[0]?.vcpus]).toEqual([13, ["numa/wide-uneven"], 14]);
  });

  test("numa.vcpu.min is compared as a number: 10 is more than 9", () => {
    const nodes = (min: number) =>
      size({ vcpus: 12 }, [host("2x6x2")]).requestedShape.placements.length > 0 &&
      found(`virtualHW.version = "17"\nnumvcpus = "12"\nnuma.vcpu.min = "${min}"\nvcpu.hotadd = "TRUE"`, host("2x6x2")).length;
    // With 13 the nodes are hidden by the minimum, and turning hot add off would not show them.
    expect([nodes(9), nodes(10), nodes(13)]).toEqual([1, 1, 0]);
  });

  test("a verdict carries its evidence and the counter-evidence", () => {
    const [finding] = found(`virtualHW.version = "17"\nnumvcpus = "22"`, host(HOSTS.B));
    expect(pageNamed(finding?.ruleId ?? "").evidence).toMatchObject({
      figure: expect.stringContaining("30 %"),
      against: expect.stringContaining("preferHT"),
    });
  });

  test("one bad VM does not end the report", () => {
    const broken = found(`numvcpus = "6"\ncpuid.coresPerSocket = "4"\n"\u0000`, host(HOSTS.A));
    expect(broken.map(({ ruleId }) => ruleId)).toEqual(["cpu/cps-divides", "vmx/malformed-line"]);
    expect(found(`virtualHW.version = "17"\nnumvcpus = "22"`, host(HOSTS.B))).toHaveLength(1);
  });
});
