// VMware's Virtual Machine Compute Optimizer (VMCO, Get-OptimalvCPU 3.0.0.2, 2021) answers "which shape is optimal?" from a live vCenter.
// Its published samples and the rows its algorithm gives are held here against ours: equal, or different for the reason beside the row.
import { type HostModel, lint, requireHost, type Workload } from "@vmlint/core";
import { bestShape, type Shape, size } from "@vmlint/core/size";
import { describe, expect, test } from "vitest";

/** VMCO knows no ESXi version: its rows are answered for 7.0 with hardware version 17, where it looks at cores per socket as we do. */
const host = (short: string, version = "7.0"): HostModel => requireHost(`${short}@${version}`);
const HOSTS = {
  A: "2x10x2:768",
  B: "4x10x2:1024",
  C: "2x16x2:192",
  D: "4x24x2:2048",
  E: "2x20x2:512",
  F: "4x4x2:256",
} as const;

const shapeOf = ({ sockets, coresPerSocket }: Shape): string => `${sockets}x${coresPerSocket}`;
const kinds = ({ flaws }: Shape): string[] => [...new Set(flaws.map(({ kind }) => kind))];

const ODD = "VMCO adds a vCPU without saying so";
const CORES = "VMCO answers another count: all cores of the host";
const FRACTION = "VMCO proposes a fraction of a core";

/** Where ours differs: the flaws of the asked count, the count proposed first, and why. */
type Difference = readonly [flaws: readonly string[], proposed: number, why: string];

describe("VMCO's answers", () => {
  test.each<[keyof typeof HOSTS, vcpus: number, gib: number, vmco: string, Difference?]>([
    // Published: the module's README and the PDF of 2021.
    ["A", 12, 40, "2x6"],
    ["A", 12, 42, "2x6"],
    ["A", 1, 3, "1x1"],
    ["A", 4, 9, "1x4"],
    // By its algorithm.
    ["A", 8, 32, "1x8"],
    ["A", 10, 64, "1x10"],
    ["A", 11, 64, "2x6", [["uneven"], 10, `${ODD}; 10 is as near as 12 and fits one node`]],
    ["A", 13, 64, "2x7", [["uneven"], 14, ODD]],
    ["A", 14, 64, "2x7"],
    ["A", 16, 64, "2x8"],
    ["A", 18, 64, "2x9"],
    ["A", 20, 64, "2x10"],
    ["A", 24, 64, "2x10", [["more-vcpus-than-cores", "client-exceeds-node"], 20, CORES]],
    ["A", 4, 400, "2x2"],
    ["A", 8, 400, "2x4"],
    ["A", 6, 400, "2x3"],
    ["B", 8, 64, "1x8"],
    ["B", 16, 256, "2x8"],
    ["B", 32, 512, "4x8"],
    ["B", 64, 1000, "4x10", [["more-vcpus-than-cores", "client-exceeds-node"], 40, CORES]],
    ["B", 30, 300, "3x10"],
    ["B", 6, 900, "4x1.5", [["memory-remote"], 8, FRACTION]],
    ["B", 6, 600, "3x2"],
    ["C", 16, 64, "1x16"],
    ["C", 16, 120, "2x8"],
    ["D", 24, 64, "1x24"],
    ["D", 51, 64, "4x13", [["odd"], 52, ODD]],
    ["D", 48, 512, "2x24"],
    ["E", 12, 384, "2x6"],
    ["E", 21, 128, "2x11", [["uneven"], 20, `${ODD}; 20 is as near as 22 and fits one node`]],
    ["E", 24, 128, "2x12"],
    ["F", 6, 200, "4x1.5", [["memory-remote"], 8, FRACTION]],
    ["F", 9, 64, "4x2.5", [["odd"], 8, `${ODD}, and ${FRACTION}`]],
  ])("%s: %i vCPUs, %i GiB: %s", (name, vcpus, gib, vmco, difference) => {
    const { asked, proposals } = size({ vcpus, memoryMiB: gib * 1024 }, [host(HOSTS[name])]);
    expect(asked.vcpus).toBe(vcpus);
    if (difference) {
      const [flaws, proposed] = difference;
      expect([kinds(asked), proposals[0]?.vcpus, proposals[0]?.flaws]).toEqual([flaws, proposed, []]);
    } else {
      expect([shapeOf(asked), kinds(asked), proposals[0]?.vcpus]).toEqual([vmco, [], vcpus]);
    }
  });

  /** The full sweep with 8 GiB: VMCO's shape of each even count; its odd counts are those of the next even one. */
  test.each<[keyof typeof HOSTS, nodes: number, cores: number, fractions: readonly number[]]>([
    ["A", 2, 10, []],
    ["C", 2, 16, []],
    ["E", 2, 20, []],
    // VMCO says 4x5.5, 4x6.5, 4x8.5 and 4x9.5 here.
    ["B", 4, 10, [22, 26, 34, 38]],
  ])("sweep over %s", (name, nodes, cores, fractions) => {
    for (let vcpus = 1; vcpus <= nodes * cores; vcpus++) {
      const asked = bestShape(vcpus, { vcpus, memoryMiB: 8192 }, [host(HOSTS[name])]);
      if (vcpus <= cores) expect(shapeOf(asked)).toBe(`1x${vcpus}`);
      else if (vcpus % 2 === 1 || fractions.includes(vcpus)) expect(kinds(asked), `${vcpus}`).not.toEqual([]);
      else {
        const sockets = [2, 3, 4].find((count) => vcpus % count === 0 && vcpus / count <= cores) ?? 0;
        expect([shapeOf(asked), kinds(asked)], `${vcpus}`).toEqual([`${sockets}x${vcpus / sockets}`, []]);
      }
    }
  });

  test.each<[smallest: string, vmco: string]>([
    ["2x20x2:512", "1x16"],
    ["2x10x2:256", "2x8"],
    ["2x16x2:512", "1x16"],
  ])("16 vCPUs, 64 GiB on 2x20 in a cluster whose smallest host is %s: %s", (smallest, vmco) => {
    const { asked } = size({ vcpus: 16, memoryMiB: 65536 }, [host(HOSTS.E), { ...host(smallest), name: "smallest" }]);
    expect([shapeOf(asked), kinds(asked)]).toEqual([vmco, []]);
  });
});

describe("VMCO's defects, which ours does not have", () => {
  const found = (vmx: string, on: HostModel, workload?: Workload) =>
    lint(vmx, { target: { host: on, ...(workload && { workload }) } }).diagnostics;

  test("fractions: 22 vCPUs on 4 x 10 are answered with whole cores and the counts that fit", () => {
    const { asked, proposals, flawless } = size({ vcpus: 22 }, [host(HOSTS.B)]);
    expect([Number.isInteger(asked.coresPerSocket), kinds(asked)]).toEqual([true, ["uneven"]]);
    expect(proposals.slice(0, 2).map(({ vcpus }) => vcpus)).toEqual([20, 24]);
    expect(flawless).toEqual(expect.arrayContaining([20, 24, 28]));
  });

  test("a well-shaped wide VM with CPU hot add on is not optimal: its guest sees one node", () => {
    const vmx = (hotadd: string) => `virtualHW.version = "17"\nnumvcpus = "12"\ncpuid.coresPerSocket = "6"\nvcpu.hotadd = "${hotadd}"\n`;
    expect(found(vmx("TRUE"), host(HOSTS.A)).map(({ ruleId }) => ruleId)).toEqual(["numa/hidden-by-hotadd"]);
    expect(found(vmx("FALSE"), host(HOSTS.A))).toEqual([]);
  });

  test("a NUMA node is not a socket: 24 vCPUs on 64-core sockets in NPS4 are no 1 x 24", () => {
    const { asked } = size({ vcpus: 24 }, [host("2x64x2/4")]);
    expect([shapeOf(asked), kinds(asked)]).toEqual(["2x12", []]);
  });

  test("the ESXi version counts: cores per socket are left to 8.0, and size the nodes up to 6.0", () => {
    const coresPerSocket = (version: string) => size({ vcpus: 16 }, [host(HOSTS.A, version)]).asked.coresPerSocket;
    expect([coresPerSocket("8.0"), coresPerSocket("7.0"), coresPerSocket("6.0")]).toEqual(["auto", 8, 8]);
    const nodes = (version: string) =>
      size({ vcpus: 28 }, [host(HOSTS.B, version)]).asked.settings.maxVcpusPerVnumaNode ??
      size({ vcpus: 28 }, [host(HOSTS.B, version)]).asked.settings.coresPerNumaNode;
    expect([nodes("8.0"), nodes("7.0"), nodes("6.0")]).toEqual([7, 7, undefined]);
  });

  test("the count is never changed without saying so: 13 stays 13, and 14 is a proposal of its own", () => {
    const { asked, proposals } = size({ vcpus: 13 }, [host(HOSTS.A)]);
    expect([asked.vcpus, kinds(asked), proposals[0]?.vcpus]).toEqual([13, ["uneven"], 14]);
  });

  test("numa.vcpu.min is compared as a number: 10 is more than 9", () => {
    const nodes = (min: number) =>
      size({ vcpus: 12 }, [host("2x6x2")]).asked.placements.length > 0 &&
      found(`virtualHW.version = "17"\nnumvcpus = "12"\nnuma.vcpu.min = "${min}"\nvcpu.hotadd = "TRUE"`, host("2x6x2")).length;
    // With 13 the nodes are hidden by the minimum, and turning hot add off would not show them.
    expect([nodes(9), nodes(10), nodes(13)]).toEqual([1, 1, 0]);
  });

  test("a verdict carries its evidence, and what speaks against it", () => {
    const [finding] = found(`virtualHW.version = "17"\nnumvcpus = "22"`, host(HOSTS.B));
    expect(finding?.evidence).toMatchObject({ figure: expect.stringContaining("30 %"), against: expect.stringContaining("preferHT") });
  });

  test("one bad VM does not end the report", () => {
    const broken = found(`numvcpus = "6"\ncpuid.coresPerSocket = "4"\n"\u0000`, host(HOSTS.A));
    expect(broken.map(({ ruleId }) => ruleId)).toEqual(["vmx/malformed-line"]);
    expect(found(`virtualHW.version = "17"\nnumvcpus = "22"`, host(HOSTS.B))).toHaveLength(1);
  });
});
