import {
  type Diagnostic,
  type HostModel,
  lint,
  lintVm,
  type PlainVm,
  requireHost,
  rules,
  WORKLOAD_KINDS,
  type Workload,
} from "@vmlint/core";
import { coresOf, coresPerNode, parseVmx } from "@vmlint/core/program";
import { bestShape, compareShapes, type Shape, type SizeRequest, shapeOf, size, TARGETS, writings } from "@vmlint/core/size";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parse as parseYaml } from "yaml";
import { reservesMemory } from "../../packages/core/src/model/workload.ts";

const SAPPHIRE_RAPIDS: HostModel = { ...requireHost("2x32x2:512@8.0"), name: "sapphire rapids", cpu: "Intel Xeon Platinum 8462Y+" };

const hosts = (...names: string[]): HostModel[] =>
  names.map((name) => (name === SAPPHIRE_RAPIDS.name ? SAPPHIRE_RAPIDS : requireHost(name)));

const nodes = ({ placements }: Shape) => placements.map(({ topology }) => topology?.vnumaNodes.join("+"));
const kinds = ({ flaws }: Shape) => [...new Set(flaws.map(({ ruleId }) => ruleId))];

/**
 * The published rule (M. Achtemichuk, "Virtual Machine vCPU and vNUMA Rightsizing - Rules of Thumb", 2017): fill one node first;
 * then divide evenly over the fewest nodes; no odd count across nodes; never beyond the physical cores.
 */
function bySizingRule(vcpus: number, coresPerNode: number, numaNodes: number): number | undefined {
  if (vcpus <= coresPerNode) return 1;
  if (vcpus % 2 === 1) return undefined;
  for (let count = 2; count <= numaNodes; count++) if (vcpus % count === 0 && vcpus / count <= coresPerNode) return count;
  return undefined;
}

describe.each(["2x10x2", "2x16x2", "2x20x2", "4x10x2", "2x24x2/2", "2x64x2/4"])("the published right-sizing rule on %s", (machine) => {
  const rows = (release: string) => {
    const host = requireHost(`${machine}@${release}`);
    return Array.from({ length: coresOf(host) + 4 }, (_, i) => {
      const vcpus = i + 1;
      return { vcpus, host, expected: bySizingRule(vcpus, coresPerNode(host), host.numaNodes) };
    });
  };
  test.each(["6.0", "7.0", "8.0"])("ESXi %s", (release) => {
    for (const { vcpus, host, expected } of rows(release)) {
      const asked = bestShape(vcpus, { vcpus }, [host]);
      expect(asked.vcpus).toBe(vcpus);
      const [topology] = asked.placements.map((placement) => placement.topology);
      if (expected === undefined) expect(asked.isFlawless, `${vcpus}`).toBe(false);
      else expect([kinds(asked), topology?.numaClients.length, asked.sockets], `${vcpus}`).toEqual([[], expected, expected]);
    }
  });
});

test("the smallest host of a cluster decides, and the nodes stay when the VM moves", () => {
  const { requestedShape, flawless } = size({ vcpus: 16 }, hosts("2x20x2@7.0", "2x10x2@7.0"));
  expect([nodes(requestedShape), kinds(requestedShape)]).toEqual([["8+8", "8+8"], []]);
  expect(flawless.at(-1)).toBe(20);
  // Left to itself the VM would show 16 on one host and 8+8 on the other.
  expect(kinds(shapeOf({ vcpus: 16, coresPerSocket: 8, hardwareVersion: 17 }, { vcpus: 16 }, hosts("2x20x2@7.0", "2x10x2@7.0")))).toContain(
    "host/heterogeneous-cluster",
  );
});

describe("published cases", () => {
  test("12 vCPUs and 384 GiB on nodes of 256 GiB: two nodes of 6 by hand (Denneman 2022-11-03)", () => {
    const { requestedShape, nodesForMemory } = size({ vcpus: 12, memoryMiB: 384 * 1024 }, hosts("2x20x2:512@8.0"));
    expect(requestedShape.settings).toMatchObject({ coresPerSocket: 6, coresPerNumaNode: 6 });
    expect([nodesForMemory, requestedShape.placements[0]?.memoryPerClientMiB]).toEqual([2, 192 * 1024]);
  });
  test("64 vCPUs on 4 x 10 cores: preferHT makes one group of 16 for each node (SQL Server on vSphere 5.5)", () => {
    const { requestedShape, preferHt, proposals } = size({ vcpus: 64 }, hosts("dl580g7"));
    // Without it the best that 64 can have is two groups of 8 on each node.
    expect([nodes(requestedShape), kinds(requestedShape)]).toEqual([
      ["8+8+8+8+8+8+8+8"],
      ["cpu/exceeds-physical-cores", "numa/cps-defines-vnuma"],
    ]);
    expect(preferHt && nodes(preferHt)).toEqual(["16+16+16+16"]);
    expect(proposals[0]?.vcpus).toBe(40);
  });
  test("Standard edition: one socket for 8 vCPUs, and no more than 24 of them (8.0 Virtual Topology; SQL Server 2019 limits)", () => {
    const workload: Workload = { kind: "mssql", edition: "standard", version: "2019" };
    expect(size({ vcpus: 8, workload }, hosts("2x14x2@7.0")).requestedShape).toMatchObject({ sockets: 1, usableVcpus: 8, flaws: [] });
    const wide = size({ vcpus: 32, workload }, hosts("2x20x2@7.0"));
    expect([kinds(wide.requestedShape), wide.requestedShape.usableVcpus, wide.proposals[0]?.vcpus]).toEqual([
      ["mssql/standard-cores"],
      24,
      24,
    ]);
    expect(wide.steps).toContainEqual({ above: 24, text: "SQL Server 2019 Standard uses no more" });
  });
  test("Server+CAL: 20 of 32 (SQL Server on vSphere 5.5)", () => {
    const workload: Workload = { kind: "mssql", edition: "enterprise", licensing: "server-cal" };
    const { requestedShape, proposals } = size({ vcpus: 32, workload }, hosts("dl580g7"));
    expect([requestedShape.usableVcpus, proposals[0]?.vcpus]).toEqual([20, 20]);
  });
  test("8 vCPUs on 6-core EPYC nodes show the guest its two nodes (Denneman 2019-02-19)", () => {
    expect(size({ vcpus: 8 }, hosts("1x24x2/4@6.5")).requestedShape).toMatchObject({ sockets: 2, flaws: [] });
  });
});

const anyHosts = fc.uniqueArray(
  fc.constantFrom(
    "2x10x2:256@6.0",
    "4x10x2:1024@5.5",
    "2x24x2:1536@5.5",
    "2x16x2@6.7",
    "2x28x2:1536@7.0",
    "2x24x2/2:768@8.0",
    "1x24x2/4:512@7.0",
    "2x64x2/4:2048@8.0",
    SAPPHIRE_RAPIDS.name,
    "2x72x2:1024@8.0",
    "1x4x1@9.0",
  ),
  { minLength: 1, maxLength: 2 },
);

/** Work that asks for a size or a place of its own more often than any. */
const workload = fc.oneof(
  fc.constant<Workload | undefined>(undefined),
  fc.constantFrom(...WORKLOAD_KINDS).map((kind): Workload => ({ kind })),
  {
    weight: 3,
    arbitrary: fc.constantFrom<Workload>(
      { kind: "ft" },
      { kind: "oracle", faultTolerance: true },
      { kind: "latency", faultTolerance: true },
      { kind: "hana", environment: "production" },
      { kind: "hana", environment: "tier-1" },
      { kind: "imdg" },
    ),
  },
  fc.constantFrom<Workload>(
    { kind: "mssql", edition: "standard" },
    { kind: "mssql", edition: "standard", version: "2016" },
    { kind: "mssql", edition: "enterprise" },
    { kind: "mssql", edition: "enterprise", licensing: "server-cal" },
    { kind: "mssql", edition: "enterprise", licensing: "core", version: "2022", environment: "tier-1" },
    { kind: "mssql", edition: "express" },
  ),
);

/** Any amount, and those at which hosts, their nodes and hardware versions end. */
const memoryMiB = fc.oneof(
  { weight: 1, arbitrary: fc.integer({ min: 4, max: 2048 * 1024 }) },
  {
    weight: 3,
    arbitrary: fc.constantFrom(64, 65, 100, 128, 256, 384, 512, 768, 1011, 1012, 1024, 1200, 1536, 6144, 7000).map((gib) => gib * 1024),
  },
);

const wishes: fc.Arbitrary<SizeRequest> = fc
  .record({
    vcpus: fc.integer({ min: 1, max: 80 }),
    memoryMiB: fc.option(memoryMiB, { nil: undefined }),
    workload,
    hardwareVersion: fc.option(fc.constantFrom(7, 10, 11, 17, 20), { nil: undefined }),
    range: fc.option(
      fc.tuple(fc.integer({ min: 1, max: 90 }), fc.integer({ min: 0, max: 20 })).map(([from, more]) => [from, from + more] as const),
      { nil: undefined },
    ),
  })
  .map((wish) => Object.fromEntries(Object.entries(wish).filter(([, value]) => value !== undefined)) as unknown as SizeRequest);

const warns = ({ severity }: Diagnostic): boolean => severity === "error" || severity === "warning";

describe("properties", () => {
  test("the requested count is kept, every proposal is in the range, and all numbers are integers", () => {
    fc.assert(
      fc.property(wishes, anyHosts, (wish, names) => {
        const { requestedShape, preferHt, proposals } = size(wish, hosts(...names));
        expect([requestedShape.vcpus, preferHt?.vcpus ?? wish.vcpus]).toEqual([wish.vcpus, wish.vcpus]);
        expect(proposals.length).toBeGreaterThan(0);
        for (const { vcpus, coresPerSocket, settings } of proposals) {
          if (wish.range) expect(vcpus >= wish.range[0] && vcpus <= wish.range[1]).toBe(true);
          if (coresPerSocket !== "auto") expect(vcpus % coresPerSocket).toBe(0);
          for (const value of Object.values(settings)) if (typeof value === "number") expect(Number.isInteger(value)).toBe(true);
        }
      }),
      { numRuns: 25 },
    );
  });

  test("the first proposal is never worse than the best shape in the range", () => {
    fc.assert(
      fc.property(wishes, anyHosts, fc.integer({ min: 0, max: 1000 }), (wish, names, pick) => {
        const { proposals, request: full } = size(wish, hosts(...names));
        const [least, most] = wish.range ?? [1, Math.min(...hosts(...names).map(coresOf))];
        const vcpus = least + (pick % (most - least + 1));
        const other = bestShape(vcpus, full, hosts(...names));
        expect(compareShapes(proposals[0] as Shape, other, full)).toBeLessThanOrEqual(0);
      }),
      { numRuns: 25 },
    );
  });

  test("the flaws of a shape are what the linter finds in that VM on that host", () => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(wishes, anyHosts, fc.constantFrom<"auto" | "all" | number>("auto", 1, 2, "all"), (wish, [name = ""], cores) => {
        const [host] = hosts(name);
        const { requestedShape, preferHt, request } = size(wish, hosts(name));
        const coresPerSocket = cores === "all" ? wish.vcpus : cores;
        const other = shapeOf({ ...requestedShape.settings, vcpus: wish.vcpus, coresPerSocket }, request, hosts(name));
        for (const shape of [requestedShape, other, ...(preferHt ? [preferHt] : [])]) {
          const memory = request.memoryMiB;
          const reserved = reservesMemory(request.workload) ? memory : undefined;
          const vm: PlainVm = { ...shape.settings, memoryMiB: memory, memoryReservationMiB: reserved };
          const { findings } = lintVm(vm, { host, workload: request.workload });
          const said = (all: readonly Pick<Diagnostic, "ruleId" | "severity" | "message">[]) =>
            all.map(({ ruleId, severity, message }) => `${severity} ${ruleId} ${message}`).sort();
          expect(said(shape.flaws)).toEqual(said(findings));
          for (const { ruleId } of findings) seen.add(ruleId);
        }
      }),
      { numRuns: 60 },
    );
    expect(seen.size).toBeGreaterThan(10);
  });

  test("no rule warns about a proposal without a flaw", () => {
    fc.assert(
      fc.property(wishes, anyHosts, (wish, names) => {
        const { requestedShape, preferHt, proposals, request: full } = size(wish, hosts(...names));
        for (const shape of [requestedShape, ...(preferHt ? [preferHt] : []), ...proposals].filter(({ flaws }) => flaws.length === 0)) {
          const text = writings(shape, full).vmx;
          for (const host of hosts(...names)) {
            const { diagnostics } = lint(text, { rules, target: { host, ...(wish.workload && { workload: wish.workload }) } });
            expect(diagnostics.filter(warns), text).toEqual([]);
          }
        }
      }),
      { numRuns: 25 },
    );
  });

  test("the settings for .vmx read back as the shape", () => {
    fc.assert(
      fc.property(wishes, anyHosts, (wish, names) => {
        const { requestedShape, request: full } = size(wish, hosts(...names));
        const [vm] = parseVmx(writings(requestedShape, full).vmx).vms;
        const expected = { ...requestedShape.settings, ...(full.memoryMiB !== undefined && { memoryMiB: full.memoryMiB }) };
        for (const [name, value] of Object.entries(expected)) {
          const setting = vm?.settings[name as keyof typeof vm.settings];
          expect(setting, name).toMatchObject(value === "auto" ? { state: "absent" } : { state: "known", value });
        }
      }),
      { numRuns: 25 },
    );
  });
});

test("an impossible host is refused before its cores are visited", () => {
  expect(() => size({ vcpus: 4 }, [{ ...requireHost("2x32x2@8.0"), sockets: 1e9 }])).toThrow("logical CPUs are more than any ESXi release");
});

test("SQL Server 2022 is proposed no NUMA node that it refuses", () => {
  const wish: SizeRequest = { vcpus: 144, workload: { kind: "mssql", edition: "enterprise", licensing: "core", version: "2022" } };
  const { requestedShape, proposals } = size(wish, hosts("2x72x2@8.0"));
  expect([kinds(requestedShape), nodes(requestedShape)]).toEqual([[], ["36+36+36+36"]]);
  // 131 is prime.
  const prime = size({ ...wish, vcpus: 131 }, hosts("2x72x2@8.0")).requestedShape;
  expect([kinds(prime)[0], nodes(prime)]).toEqual(["mssql/numa-64lp", ["66+65"]]);
  expect(proposals.length).toBeGreaterThan(0);
  for (const shape of proposals) expect(kinds(shape)).not.toContain("mssql/numa-64lp");
});

test.each(["2025", "2019", undefined] as const)("SQL Server %s is proposed no NUMA node that Microsoft does not support", (version) => {
  const wish: SizeRequest = {
    vcpus: 144,
    workload: { kind: "mssql", edition: "enterprise", licensing: "core", ...(version && { version }) },
  };
  const { requestedShape, proposals } = size(wish, hosts("2x72x2@8.0"));
  expect([kinds(requestedShape), nodes(requestedShape)]).toEqual([[], ["36+36+36+36"]]);
  const prime = size({ ...wish, vcpus: 131 }, hosts("2x72x2@8.0")).requestedShape;
  expect(prime.flaws[0]).toMatchObject({ ruleId: "mssql/numa-64lp" });
  for (const shape of proposals) expect(kinds(shape)).not.toContain("mssql/numa-64lp");
});

test("SQL Server 2014, which the page does not mention, keeps its nodes of 72", () => {
  const older: SizeRequest = { vcpus: 144, workload: { kind: "mssql", edition: "enterprise", licensing: "core", version: "2014" } };
  const { requestedShape } = size(older, hosts("2x72x2@8.0"));
  expect([kinds(requestedShape), nodes(requestedShape)]).toEqual([[], ["72+72"]]);
});

test("SAP HANA in production is proposed half a socket or whole sockets (Dell)", () => {
  const counts = (wish: Omit<SizeRequest, "vcpus">) => size({ vcpus: 30, ...wish }, hosts("2x28x2@7.0")).flawless;
  expect(counts({ workload: { kind: "hana" } })).toEqual([14, 28, 56]);
  // A size of all threads of the host is valid too, so SAP's sizes do not affect its other findings.
  const threads = kinds(size({ vcpus: 112, workload: { kind: "hana" } }, hosts("2x28x2@7.0")).requestedShape);
  expect(threads).not.toContain("hana/half-or-full-socket");
  expect(threads).not.toContain("cpu/exceeds-physical-cores");
  expect(size({ vcpus: 9, workload: { kind: "hana" } }, hosts("2x12x2@7.0")).flawless).toEqual([12, 24]);
  expect(counts({ workload: { kind: "hana", environment: "test" } })).toContain(30);
});

test.each<[number, string, number]>([
  // 31 is prime: as 31 sockets Standard uses 4 of it.
  [31, "2x16x2@7.0", 24],
  // Nodes of 5 for the memory make 8 sockets.
  [40, "4x36x2/2:1024@6.7", 24],
])("of %i vCPUs on %s, which the licence does not cover, as many are used as can be", (vcpus, host, usable) => {
  const wish: SizeRequest = { vcpus, memoryMiB: 800 * 1024, workload: { kind: "mssql", edition: "standard", version: "2017" } };
  expect(size(wish, hosts(host)).requestedShape.usableVcpus).toBe(usable);
});

describe("a shape with a finding has a flaw", () => {
  const GIB = 1024;
  const first = (wish: SizeRequest, ...names: string[]) => {
    const { requestedShape, proposals } = size(wish, hosts(...names));
    return [kinds(requestedShape), proposals[0]?.vcpus, proposals[0] && kinds(proposals[0])];
  };

  test("Fault Tolerance: 8 vCPUs, in 6.0 4 of them and 64 GiB", () => {
    const wish: SizeRequest = { vcpus: 12, workload: { kind: "ft" } };
    expect(first(wish, "2x24x2:768@8.0")).toEqual([["ft/vcpu-limit"], 8, []]);
    expect(first(wish, "2x24x2:768@8.0", "2x24x2:768@6.0")[1]).toBe(4);
    expect(size(wish, hosts("2x24x2:768@8.0")).steps).toContainEqual({ above: 8, text: "Fault Tolerance protects no more" });
    expect(first({ ...wish, vcpus: 4, memoryMiB: 65 * GIB }, "2x24x2:768@6.0")[0]).toEqual(["ft/mem-limit"]);
    expect(first({ ...wish, vcpus: 4, memoryMiB: 65 * GIB }, "2x24x2:768@8.0")[0]).toEqual([]);
    expect(first({ vcpus: 4, workload: { kind: "latency", faultTolerance: true } }, "2x24x2@8.0")[0]).toEqual(["ft/latency"]);
  });

  test("the hardware version: 1,011 GiB of version 10, and limits from the documentation only", () => {
    for (const names of [["2x24x2:1536@5.5"], ["2x24x2:1536@5.5", "2x24x2:1536@6.7"]]) {
      expect(first({ vcpus: 12, memoryMiB: 1012 * GIB }, ...names)[0]).toEqual(["mem/max-hw"]);
      expect(first({ vcpus: 12, memoryMiB: 1011 * GIB }, ...names)[0]).toEqual([]);
    }
    const wide = (host: string) => kinds(size({ vcpus: 300, hardwareVersion: 17 }, hosts(host)).requestedShape);
    expect([wide("8x60x2@7.0"), wide("8x60x2@9.0")]).toEqual([["cpu/max-vcpus-hw"], []]);
    const sockets = shapeOf({ vcpus: 96, coresPerSocket: 96, hardwareVersion: 19 }, { vcpus: 96 }, hosts("1x96x2@8.0"));
    expect(kinds(sockets)).toEqual(["cpu/max-cps-hw"]);
  });

  test("SAP HANA: no half socket of Sapphire Rapids without SNC-2, and no more memory than the sockets have", () => {
    const workload: Workload = { kind: "hana" };
    expect(first({ vcpus: 16, workload }, SAPPHIRE_RAPIDS.name)).toEqual([["hana/half-socket-snc2"], 32, []]);
    expect(kinds(size({ vcpus: 16, workload }, [{ ...SAPPHIRE_RAPIDS, numaNodes: 4 }]).requestedShape)).toEqual([]);
    const half = { vcpus: 14, workload };
    expect(first({ ...half, memoryMiB: 768 * GIB }, "2x28x2:1536@7.0")).toEqual([["hana/memory-share"], 28, []]);
    expect(first({ ...half, memoryMiB: 384 * GIB }, "2x28x2:1536@7.0")).toEqual([[], 14, []]);
  });

  test("a member of an in-memory grid fits one node, and is not spread if it does not", () => {
    const workload: Workload = { kind: "imdg" };
    expect(first({ vcpus: 32, memoryMiB: 100 * GIB, workload }, "2x24x2:768@8.0")).toEqual([["imdg/single-node"], 24, []]);
    const { requestedShape, flawless } = size({ vcpus: 12, memoryMiB: 500 * GIB, workload }, hosts("2x24x2:768@8.0"));
    expect([nodes(requestedShape), kinds(requestedShape), flawless]).toEqual([["12"], ["imdg/single-node"], []]);
  });

  test("the host's whole memory", () => {
    expect(first({ vcpus: 12, memoryMiB: 768 * GIB }, "2x24x2:768@8.0")[0]).toEqual(["mem/exceeds-host"]);
    expect(first({ vcpus: 12, memoryMiB: 768 * GIB - 4 }, "2x24x2:768@8.0")[0]).toEqual([]);
  });
});

test.each<[Workload, string | undefined]>([
  [{ kind: "mssql" }, "The licence of SQL Server was not checked. State its edition."],
  [
    { kind: "mssql", edition: "standard" },
    "The licence of SQL Server Standard was not checked, and may cover no more than 16 vCPUs. State its version.",
  ],
  [
    { kind: "mssql", edition: "enterprise" },
    "The licence of SQL Server Enterprise was not checked, and may cover no more than 20 vCPUs. State its licensing.",
  ],
  [
    { kind: "mssql", edition: "enterprise", version: "2008r2" },
    "vmlint knows no licence limit of SQL Server 2008 R2 Enterprise, so none was checked.",
  ],
  [
    { kind: "mssql", edition: "developer" },
    "The licence of SQL Server Developer was not checked, and may cover no more than 32 vCPUs. State its version.",
  ],
  [
    { kind: "mssql", edition: "developer", version: "2025" },
    "The licence of SQL Server 2025 Developer was not checked, and may cover no more than 32 vCPUs. State edition=standard if it is Standard Developer.",
  ],
  [{ kind: "mssql", edition: "developer", version: "2022" }, undefined],
  [{ kind: "mssql", edition: "enterprise", licensing: "core" }, undefined],
  [{ kind: "mssql", edition: "standard", version: "2022" }, undefined],
  [{ kind: "oracle" }, undefined],
])("of %j a licence that was not checked is named", (workload, text) => {
  expect(size({ vcpus: 40, workload }, hosts("2x24x2@8.0")).notes).toEqual(text ? [{ kind: "licence-unchecked", text }] : []);
});

test.each<[number, string[], string]>([
  [60, ["4x10x2@7.0"], "15+15+15+15"],
  [17, ["2x8x2@7.0"], "9+8"],
  [40, ["2x8x2@7.0"], "20+20"],
  [48, ["2x8x2@8.0"], "24+24"],
  [40, ["2x20x2@7.0", "2x8x2@7.0"], "20+20"],
])("%i vCPUs are split over the nodes of %j, although they do not fit", (vcpus, names, split) => {
  const { requestedShape } = size({ vcpus }, hosts(...names));
  expect(new Set(nodes(requestedShape))).toEqual(new Set([split]));
});

test("uneven nodes without a source are described too", () => {
  const asked = shapeOf({ vcpus: 60, coresPerSocket: 12, hardwareVersion: 17 }, { vcpus: 60 }, hosts("4x10x2@7.0"));
  expect([nodes(asked), kinds(asked)]).toEqual([["15+15+15+15"], ["cpu/exceeds-physical-cores"]]);
});

test("up to the least limit of any version there is nothing to state", () => {
  const wish: SizeRequest = { vcpus: 12, range: [8, 14], workload: { kind: "mssql", edition: "standard" } };
  expect(size(wish, hosts("2x24x2@8.0")).notes).toEqual([]);
});

test("an impossible amount of memory is rounded up, and this is reported", () => {
  const { request, notes, requestedShape } = size({ vcpus: 4, memoryMiB: 1001 }, hosts("2x24x2:768@8.0"));
  expect(notes).toEqual([{ kind: "memory-rounded", text: "Memory comes in steps of 4 MiB: 1004 MiB instead of 1001." }]);
  expect(writings(requestedShape, request).vmx).toContain('memSize = "1004"');
  expect(size({ vcpus: 4, memoryMiB: 1004 }, hosts("2x24x2:768@8.0")).notes).toEqual([]);
});

test("a shape that does not start has the sockets it states", () => {
  const asked = (vcpus: number, hardwareVersion: number) => size({ vcpus, hardwareVersion }, hosts("2x24x2@8.0")).requestedShape;
  expect(asked(8, 4)).toMatchObject({ sockets: 8, coresPerSocket: 1 });
  expect(asked(20, 7)).toMatchObject({ sockets: 4, coresPerSocket: 5 });
});

test.each<[Workload, boolean]>([
  [{ kind: "imdg" }, true],
  [{ kind: "hana" }, true],
  [{ kind: "hana", environment: "test" }, false],
  [{ kind: "postgresql", environment: "tier-1" }, true],
  [{ kind: "postgresql" }, false],
  [{ kind: "vdi", environment: "tier-1" }, false],
])("%j has its memory reserved in every target: %s", (workload, reserved) => {
  const { requestedShape, request } = size({ vcpus: 12, memoryMiB: 4096, workload }, hosts("2x24x2:768@8.0"));
  const { vmx, terraform, ansible, packer, client } = writings(requestedShape, request);
  const lines = ['sched.mem.min = "4096"', "memory_reservation   = 4096", "mem_reservation: 4096", "RAM_reservation = 4096"];
  const found = [vmx, terraform, ansible, packer].map((text, i) => text.includes(lines[i] ?? ""));
  expect([...found, client.includes("Memory Reservation: 4096 MB")]).toEqual(Array(5).fill(reserved));
  expect([terraform, ansible, packer, client].join()).not.toContain("sched.mem");
});

test("all targets have the same settings in their own syntax", () => {
  const { requestedShape, request } = size({ vcpus: 28, memoryMiB: 4096 }, hosts("4x10x2@8.0"));
  const texts = writings(requestedShape, request);
  expect(Object.keys(texts)).toEqual([...TARGETS]);
  expect(texts.vmx).toBe(
    ['numvcpus = "28"', 'cpuid.coresPerSocket = "7"', 'memSize = "4096"', 'virtualHW.version = "20"', 'numa.vcpu.coresPerNode = "7"'].join(
      "\n",
    ),
  );
  expect(texts.terraform.split("\n")).toEqual([
    "# version 2.16 or later of the provider",
    "num_cpus                = 28",
    "num_cores_per_socket    = 7",
    "num_cores_per_numa_node = 7",
    "memory                  = 4096",
    "hardware_version        = 20",
  ]);
  expect(parseYaml(texts.ansible)).toEqual({
    hardware: { num_cpus: 28, num_cpu_cores_per_socket: 7, memory_mb: 4096, version: 20 },
    advanced_settings: [{ key: "numa.vcpu.coresPerNode", value: "7" }],
  });
  expect(texts.packer).toContain('configuration_parameters = {\n  "numa.vcpu.coresPerNode" = "7"\n}');
  expect(texts.client).toContain("Cores per Socket: 7\nNUMA Nodes: 4\n");
  const auto = writings(size({ vcpus: 20 }, hosts("4x10x2@8.0")).requestedShape, { vcpus: 20 });
  expect(auto.terraform).toMatch(/^# version 2.16 or later[^\n]*\nnum_cpus.*num_cores_per_socket = 0/s);
  const eleven = writings(size({ vcpus: 22 }, hosts("2x11x2@7.0")).requestedShape, { vcpus: 22 });
  expect(eleven.terraform).not.toContain("provider");
  expect(auto.client).toContain("Cores per Socket: Assigned at power on");
  expect([auto.vmx, auto.ansible, auto.packer].join()).not.toMatch(/cores?_?per_?socket|cpu_cores/i);
});

test.each<[string, SizeRequest, string[], RegExp]>([
  ["no host", { vcpus: 4 }, [], /needs a host/],
  ["no ESXi version", { vcpus: 4 }, ["2x10x2"], /does not state its ESXi version/],
  ["no vCPUs", { vcpus: 0 }, ["2x10x2@8.0"], /1 to 960 vCPUs, not 0/],
  ["half a vCPU", { vcpus: 5.5 }, ["2x10x2@8.0"], /not 5.5/],
  ["no memory", { vcpus: 4, memoryMiB: 0 }, ["2x10x2@8.0"], /memory must be/],
  ["a range from above", { vcpus: 4, range: [8, 4] }, ["2x10x2@8.0"], /smaller first, not 8-4/],
])("%s is the caller's to mend", (_, wish, names, message) => {
  expect(() => size(wish, hosts(...names))).toThrow(message);
});

test("a host of another hypervisor is refused by its name", () => {
  const [host] = hosts("2x10x2");
  expect(() => size({ vcpus: 4 }, host ? [{ ...host, runs: { platform: "kvm" } }] : [])).toThrow(/runs KVM: vmlint size proposes/);
});
