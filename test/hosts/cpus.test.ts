import { builtinHosts } from "@vmlint/core";
import { type Cpu, type CpuSettings, cpus, fieldsFromCpu, findCpu, hostFromCpu, keyOf, matchingCpus } from "@vmlint/core/cpus";
import { coresPerNode, formatEsxi, invalidHost } from "@vmlint/core/program";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { LARGEST_SERVERS } from "../../packages/core/src/limits/servers.ts";

const all = cpus();
const named = (name: string): Cpu => {
  const cpu = all.find((candidate) => candidate.name === name);
  if (!cpu) throw new Error(`${name} is not in the catalogue`);
  return cpu;
};
const positive = (value: number | undefined) => value === undefined || (Number.isInteger(value) && value > 0);

describe("the table", () => {
  test("has a row for each name, and no two names mean the same", () => {
    expect(all.length).toBeGreaterThan(600);
    expect(new Set(all.map(({ name }) => keyOf(name))).size).toBe(all.length);
  });

  test("no server is larger than the largest ones", () => {
    for (const { cores, maxSockets = 8, name } of all)
      expect(
        LARGEST_SERVERS.some((server) => server.coresPerSocket >= cores && server.sockets >= maxSockets),
        name,
      ).toBe(true);
  });

  test.each(all.map((cpu) => [cpu.name, cpu] as const))("%s is whole numbers that fit together, with sources", (_, cpu) => {
    expect(cpu.sources.length).toBeGreaterThan(0);
    expect([cpu.cores, cpu.threadsPerCore, cpu.mhz, cpu.maxSockets, cpu.coresPerL3].every(positive)).toBe(true);
    expect(cpu.cores).toBeLessThanOrEqual(288);
    expect([1, 2]).toContain(cpu.threadsPerCore);
    if (cpu.mhz !== undefined) expect(cpu.mhz).toSatisfy((mhz: number) => mhz >= 1500 && mhz <= 4700);
    expect(cpu.cores % (cpu.coresPerL3 ?? 1)).toBe(0);
    // Three dies of a 6980P do not have equally many of its 128 cores.
    const uneven = (cpu.nodesPerSocket ?? []).filter((nodes) => cpu.cores % nodes !== 0);
    expect(uneven).toEqual(cpu.name === "Xeon 6980P" ? [3] : []);
    if (cpu.setting ?? cpu.nodesPerSocket) expect(["snc", "nps", "cod"]).toContain(cpu.setting);
    const { coresPerL3 } = cpu;
    // An L3 group never lies across two nodes.
    if (coresPerL3) for (const nodes of cpu.nodesPerSocket ?? []) expect((cpu.cores / nodes) % coresPerL3).toBe(0);
  });

  /** Published elsewhere than in the sources the rows were made from. */
  const PUBLISHED: readonly (readonly [source: string, name: string, facts: Partial<Cpu>])[] = [
    [
      "published lscpu of two with CoD on: 14 cores a socket, 4 NUMA nodes",
      "Xeon E5-2695 v3",
      { cores: 14, mhz: 2300, nodesPerSocket: [1, 2] },
    ],
    ["kerncraft machine file", "Xeon E5-2680", { cores: 8, mhz: 2700, threadsPerCore: 2 }],
    ["Excite (Mynavi), Broadwell-EP", "Xeon E5-2699 v4", { cores: 22 }],
    ["intel/neural-compressor platform page", "Xeon Platinum 8358", { cores: 32, mhz: 2600, threadsPerCore: 2 }],
    ["SilvioM97/emvb machine specification", "Xeon Silver 4314", { cores: 16, mhz: 2400, threadsPerCore: 2 }],
    ["Wikipedia, Sapphire Rapids: 4 dies with 15 cores", "Xeon Platinum 8490H", { cores: 60 }],
    ["Wikipedia, Granite Rapids", "Xeon 6972P", { cores: 96, mhz: 2400, threadsPerCore: 2, maxSockets: 2 }],
    ["Wikipedia, Granite Rapids", "Xeon 6979P", { cores: 120, mhz: 2100 }],
    ["Intel, Cassandra on two of 64 cores: 4 NUMA nodes", "Xeon 6767P", { cores: 64, nodesPerSocket: [2, 1] }],
    ["TechPowerUp, Granite Rapids-UCC", "Xeon 6980P", { cores: 128, maxSockets: 2 }],
    ["InstLatx64 CPUID dump", "EPYC 7402P", { cores: 24, coresPerL3: 3 }],
    ["InstLatx64 CPUID dump", "EPYC 7742", { cores: 64, coresPerL3: 4 }],
    ["M. Balci, 7313P on Supermicro H12SSL: 4 dies of 4 cores", "EPYC 7313P", { cores: 16, coresPerL3: 4, maxSockets: 1 }],
    ["InstLatx64 CPUID dump", "EPYC 7763", { cores: 64, coresPerL3: 8 }],
    ["InstLatx64 CPUID dump: 16 MB for 4 cores", "EPYC 9124", { cores: 16, coresPerL3: 4 }],
    ["InstLatx64 CPUID dump", "EPYC 9654", { cores: 96, coresPerL3: 8 }],
    ["NY Breaking, Cinebench record of two EPYC 9654", "EPYC 9654", { mhz: 2400 }],
    ["InstLatx64 CPUID dump: 16 MB for 8 cores", "EPYC 9754", { cores: 128, coresPerL3: 8 }],
    ["InstLatx64 CPUID dump", "EPYC 9655", { cores: 96, coresPerL3: 8 }],
    ["InstLatx64 CPUID dump", "EPYC 9965", { cores: 192, coresPerL3: 16 }],
    ["Dell R6525 manual, table 41: 4x2x1", "EPYC 7F32", { cores: 8, coresPerL3: 1, nodesPerSocket: [1, 2, 4] }],
    ["Dell R6525 manual, table 41: 2x2x2", "EPYC 7232P", { cores: 8, coresPerL3: 2, nodesPerSocket: [1, 2] }],
    ["Dell R6525 manual, table 41: 6x2x4", "EPYC 7552", { cores: 48, coresPerL3: 4, nodesPerSocket: [1, 2] }],
    ["Dell R6515 manual, table 15", "EPYC 7443P", { nodesPerSocket: [1, 2, 4] }],
    ["AnandTech: EPYC 7001 is four dies of two 4-core complexes", "EPYC 7601", { cores: 32, coresPerL3: 4, nodesPerSocket: [4, 1] }],
    // A tile has one DSA (ServeTheHome), and a processor with four of them (Intel ARK) four tiles.
    ["Intel ARK: 4 DSA devices", "Xeon Gold 6454S", { cores: 32, nodesPerSocket: [1, 2, 4] }],
    ["Intel ARK: 4 DSA devices", "Xeon Platinum 8444H", { cores: 16, nodesPerSocket: [1, 2, 4] }],
    ["Intel ARK: 4 DSA devices", "Xeon Platinum 8450H", { cores: 28, nodesPerSocket: [1, 2, 4] }],
    ["Intel ARK: 4 DSA devices", "Xeon Platinum 8454H", { cores: 32, nodesPerSocket: [1, 2, 4] }],
    ["Intel ARK: formerly Sapphire Rapids", "Xeon Bronze 3508U", { family: "Xeon Scalable, 5th generation (Sapphire Rapids)" }],
    ["Intel ARK: formerly Sapphire Rapids", "Xeon Silver 4509Y", { family: "Xeon Scalable, 5th generation (Sapphire Rapids)" }],
    ["Intel ARK: formerly Sapphire Rapids", "Xeon Silver 4510", { family: "Xeon Scalable, 5th generation (Sapphire Rapids)" }],
    ["Intel ARK: formerly Sapphire Rapids", "Xeon Silver 4510T", { family: "Xeon Scalable, 5th generation (Sapphire Rapids)" }],
    ["Intel ARK: formerly Emerald Rapids", "Xeon Silver 4514Y", { family: "Xeon Scalable, 5th generation (Emerald Rapids)" }],
  ];

  test.each(PUBLISHED)("agrees with %s: %s", (_, name, facts) => {
    expect(named(name)).toMatchObject(facts);
  });

  const studied = builtinHosts.filter(({ cpu }) => cpu !== "Intel Broadwell, 24 cores");

  test.each(studied.map((host) => [host.name, host] as const))("agrees with the built-in host %s", (_, host) => {
    const { sockets, coresPerSocket, threadsPerCore, numaNodes } = host;
    // Sources differ on the MHz of the 8260C.
    const mhz = host.cpu?.endsWith("8260C") ? undefined : host.mhz;
    const figures = { sockets, coresPerSocket, threadsPerCore, numaNodes, ...(mhz && { mhz }) };
    const made = fieldsFromCpu(`${sockets}x ${host.cpu}`);
    expect(made).toMatchObject({ fields: { ...figures, cpu: host.cpu, ...(host.coresPerL3 && { coresPerL3: host.coresPerL3 }) } });
  });
});

describe("finding a processor", () => {
  test.each([
    ["2x Xeon Gold 6148", "Xeon Gold 6148", 2],
    ["2 x Intel(R) Xeon(R) Gold 6148 CPU @ 2.40GHz", "Xeon Gold 6148", 2],
    ["4x E7-4870", "Xeon E7-4870", 4],
    ["Intel(R) Xeon(R) CPU E7- 4870 @ 2.40GHz", "Xeon E7-4870", undefined],
    ["2x EPYC 7763", "EPYC 7763", 2],
    ["AMD EPYC 9654 96-Core Processor", "EPYC 9654", undefined],
    ["AMD EPYC 9654 96-Core Processor                ", "EPYC 9654", undefined],
    ["1x epyc 9454p", "EPYC 9454P", 1],
    ["e5-2698V3", "Xeon E5-2698 v3", undefined],
    ["E5-2698 v3", "Xeon E5-2698 v3", undefined],
    ["Intel(R) Xeon(R) CPU E5-2680 0 @ 2.70GHz", "Xeon E5-2680", undefined],
    ["Intel(R) Xeon(R) 6980P CPU @ 2.00GHz", "Xeon 6980P", undefined],
    ["2 × Intel® Xeon® 6 6980P", "Xeon 6980P", 2],
    ["INTEL(R) XEON(R) PLATINUM 8592V", "Xeon Platinum 8592V", undefined],
    ["Xeon Platinum 8480+", "Xeon Platinum 8480+", undefined],
    ["2x EPYC 7F32", "EPYC 7F32", 2],
    ["E5 2698 v3", "Xeon E5-2698 v3", undefined],
    ["E5-2698-v3", "Xeon E5-2698 v3", undefined],
    ["Xeon Gold-6148", "Xeon Gold 6148", undefined],
    ["2x xeon_gold_6148", "Xeon Gold 6148", 2],
    ["EPYC7742", "EPYC 7742", undefined],
    ["2x Xeon Gold 6148 (20C, 2.4GHz)", "Xeon Gold 6148", 2],
    ["Platinum 8490H 1.90GHz", "Xeon Platinum 8490H", undefined],
    ["2x 6787P", "Xeon 6787P", 2],
  ])("%s", (text, name, sockets) => {
    expect(findCpu(text)).toEqual({ cpu: named(name), ...(sockets && { sockets }) });
  });

  test.each([
    ["E5-2698", ["Xeon E5-2698 v3", "Xeon E5-2698 v4"]],
    ["2x Gold 6148X", ["Xeon Gold 6148"]],
    ["Xeon 6148", ["Xeon Gold 6148", "Xeon Gold 6148F"]],
    ["EPYC 7736", []],
    ["Xeon EPYC 7763", ["EPYC 7763"]],
    ["Xeon7763", ["EPYC 7763"]],
    ["intel_7763", ["EPYC 7763"]],
    ["Opteron 6174", []],
    ["", []],
    ["2x", []],
  ])("%s is not in the list", (text, near) => {
    const found = findCpu(text);
    expect(found).toMatchObject({ reason: expect.stringContaining("vmlint knows no processor") });
    if ("candidates" in found) expect(found.candidates).toEqual(near.length > 0 ? expect.arrayContaining([...near]) : expect.any(Array));
  });

  test("a similar name is suggested, never used", () => {
    expect(findCpu("Gold 6149")).toMatchObject({
      reason: expect.stringMatching(
        /^vmlint knows no processor "Gold 6149"\. Did you mean (Xeon Gold 61\d\d, )*Xeon Gold 61\d\d or Xeon Gold 61\d\d\?$/,
      ),
    });
  });

  test("each listed name finds only its own processor, with any text around it", () => {
    for (const cpu of all) {
      const [brand = "", ...rest] = cpu.name.split(" ");
      const bare = rest.join(" ");
      const marked = cpu.vendor === "Intel" ? `Intel(R) ${brand}(R) ${bare} CPU @ 2.40GHz` : `AMD EPYC ${bare} ${cpu.cores}-Core Processor`;
      for (const text of [cpu.name, bare, marked, cpu.name.toUpperCase(), `${cpu.vendor} ${cpu.name}`, `2x ${bare.replaceAll(" ", "")}`]) {
        expect(findCpu(text), text).toMatchObject({ cpu: { name: cpu.name } });
      }
    }
  });

  test("any text is found or refused with a sentence", () => {
    const words = fc.constantFrom(
      "2x",
      "Xeon",
      "Gold",
      "6148",
      "EPYC",
      "9654",
      "v3",
      "E5-2698",
      "@",
      "2.4GHz",
      "(R)",
      "/2",
      ":768",
      "@8.0",
      "6",
      "0",
    );
    const texts = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.array(words).map((parts) => parts.join(" ")),
    );
    const settings = fc.record(
      { snc: fc.integer(), nps: fc.integer(), cod: fc.boolean(), sockets: fc.nat(9), coresPerSocket: fc.nat(300), numaNodes: fc.nat(40) },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(texts, settings, (text, chosen) => {
        const found = findCpu(text);
        expect("cpu" in found || found.reason.length > 10).toBe(true);
        const made = fieldsFromCpu(text, chosen);
        expect("fields" in made || made.reason.length > 10).toBe(true);
        const host = hostFromCpu(text);
        expect("host" in host ? invalidHost(host.host) : undefined).toBeUndefined();
        matchingCpus(text);
      }),
    );
  });
});

test("a part of a name finds all processors with it, regardless of hyphens", () => {
  const found = (text: string) => matchingCpus(text).map(({ name }) => name);
  expect(found("E5-2680v")).toEqual(["Xeon E5-2680 v2", "Xeon E5-2680 v3", "Xeon E5-2680 v4"]);
  expect(found("E5-2680v4 broadwell")).toEqual(["Xeon E5-2680 v4"]);
});

describe("a host from its processors", () => {
  const made = (text: string, settings: CpuSettings = {}) => {
    const result = fieldsFromCpu(text, settings);
    return "fields" in result ? result.fields : result.reason;
  };

  test.each<[string, CpuSettings, object]>([
    ["2x Xeon Gold 6148", {}, { sockets: 2, coresPerSocket: 20, threadsPerCore: 2, numaNodes: 2, mhz: 2400, cpu: "Intel Xeon Gold 6148" }],
    ["2x Xeon Gold 6148", { snc: 2 }, { numaNodes: 4 }],
    ["2x Xeon Gold 6148", { snc: 1 }, { numaNodes: 2 }],
    ["Xeon Gold 6148", { sockets: 4 }, { sockets: 4, numaNodes: 4 }],
    ["2x Xeon Gold 6148", { coresPerSocket: 16, threadsPerCore: 1 }, { coresPerSocket: 16, threadsPerCore: 1, numaNodes: 2 }],
    ["2x E5-2698 v3", { cod: true }, { numaNodes: 4 }],
    ["2x E5-2698 v3", { cod: false }, { numaNodes: 2 }],
    ["2x E5-2630 v3", { cod: false }, { numaNodes: 2 }],
    ["2x EPYC 7763", {}, { numaNodes: 2, coresPerL3: 8 }],
    ["2x EPYC 7763", { nps: 4 }, { numaNodes: 8, coresPerL3: 8 }],
    ["2x EPYC 7601", {}, { numaNodes: 8, coresPerL3: 4 }],
    ["2x EPYC 7601", { nps: 1 }, { numaNodes: 2, coresPerL3: 4 }],
    ["2x Xeon Gold 6454S", { snc: 4 }, { numaNodes: 8 }],
    ["2x Xeon Gold 6430", { snc: 2 }, { numaNodes: 4 }],
    ["2x Xeon 6972P", {}, { numaNodes: 6 }],
    ["2x Xeon 6972P", { snc: 1 }, { numaNodes: 2 }],
    ["2x Xeon 6980P", { snc: 1 }, { numaNodes: 2 }],
    ["2x EPYC 7763", { numaNodes: 16 }, { numaNodes: 16 }],
  ])("%s with %j", (text, settings, expected) => {
    expect(made(text, settings)).toMatchObject(expected);
  });

  const DOUBT = expect.stringMatching(/^2 NUMA nodes a socket of Xeon 6787P: Microsoft .* Cisco .* snc: 1/);
  test.each<[string, CpuSettings, numaNodes: number, assumed?: readonly unknown[]]>([
    ["2x Xeon 6787P", {}, 4, [DOUBT]],
    ["2x Xeon 6787P", { snc: 2 }, 4],
    ["2x Xeon 6787P", { snc: 1 }, 2],
    ["2x Xeon 6787P", { numaNodes: 2 }, 2],
    ["2x Xeon 6740P", {}, 2],
    ["2x Xeon 6972P", {}, 6],
  ])("nodes without a setting and with contradicting sources are assumed: %s with %j", (text, settings, numaNodes, assumed) => {
    expect(made(text, settings)).toMatchObject({ numaNodes });
    expect((made(text, settings) as { assumed?: unknown }).assumed).toEqual(assumed);
  });

  test("an L3 group is omitted if it equals the node, or if some cores are off", () => {
    expect(made("2x EPYC 7313", { nps: 4 })).not.toHaveProperty("coresPerL3");
    expect(made("2x EPYC 7763", { coresPerSocket: 32 })).not.toHaveProperty("coresPerL3");
    expect(made("2x EPYC 7763", { coresPerSocket: 32, coresPerL3: 4 })).toHaveProperty("coresPerL3", 4);
  });

  test.each<[string, CpuSettings, string]>([
    ["2x EPYC 9754", { nps: 3 }, "EPYC 9754 offers NPS 1, 2 or 4, not 3."],
    ["2x EPYC 7552", { nps: 4 }, "EPYC 7552 offers NPS 1 or 2, not 4."],
    ["2x EPYC 7601", { nps: 2 }, "EPYC 7601 offers NPS 1 or 4, not 2."],
    [
      "2x Xeon Gold 6430",
      { snc: 4 },
      "No source vmlint knows says whether Xeon Gold 6430 offers SNC 4: write numaNodes, the NUMA nodes of the whole host.",
    ],
    ["2x EPYC 9754", { snc: 2 }, "EPYC 9754 has no snc setting: it has nps 1, 2 or 4."],
    ["4x E7-4870", { cod: true }, "Xeon E7-4870 has no cod setting."],
    [
      "4x E7-8880 v4",
      { cod: true },
      "No known source shows how Xeon E7-8880 v4 divides under cod: write numaNodes, the NUMA nodes of the whole host.",
    ],
    ["2x Xeon Gold 6148", { snc: 4 }, "Xeon Gold 6148 offers SNC 1 or 2, not 4."],
    [
      "2x Xeon Silver 4210",
      { snc: 2 },
      "No known source shows how Xeon Silver 4210 divides under snc: write numaNodes, the NUMA nodes of the whole host.",
    ],
    ["2x EPYC 9454P", {}, "EPYC 9454P is for machines with one processor, not 2."],
    ["4x Xeon Gold 6148F", {}, "Xeon Gold 6148F is for machines with up to 2 processors, not 4."],
    ["Xeon Gold 6148", {}, 'How many Xeon Gold 6148 are there? Write "2x Xeon Gold 6148".'],
    ["0x Xeon Gold 6148", {}, "0 processors are not a valid host."],
    ["2x Xeon Gold 6148", { coresPerSocket: 24 }, "Xeon Gold 6148 has 20 cores, not 24."],
    [
      "2x Xeon 6980P",
      {},
      "Xeon 6980P shows 3 NUMA nodes a socket unless set otherwise, and 128 cores do not divide into 3 equal ones. If it is set to one, write snc: 1, or /1 after the name in a short form.",
    ],
    ["2x Xeon 6980P", { snc: 3 }, "Xeon 6980P shows 3 NUMA nodes a socket, and 128 cores do not divide into 3 equal ones."],
    [
      "2x EPYC 7763",
      { nps: 4, coresPerSocket: 30 },
      "EPYC 7763 shows 4 NUMA nodes a socket, and 30 cores do not divide into 4 equal ones.",
    ],
  ])("%s with %j is refused", (text, settings, reason) => {
    expect(made(text, settings)).toBe(reason);
  });

  test("every mode of every processor makes a host that can exist, with equal nodes", () => {
    for (const cpu of all) {
      for (const nodes of cpu.nodesPerSocket ?? [1]) {
        const settings = cpu.setting && cpu.nodesPerSocket ? { [cpu.setting]: cpu.setting === "cod" ? nodes === 2 : nodes } : {};
        const result = fieldsFromCpu(`1x ${cpu.name}`, settings);
        if (cpu.name === "Xeon 6980P" && nodes === 3) continue;
        if (!("fields" in result)) throw new Error(result.reason);
        expect(invalidHost({ name: "a", ...result.fields })).toBeUndefined();
        expect(coresPerNode({ name: "a", ...result.fields })).toBe(cpu.cores / nodes);
      }
    }
  });
});

describe("the short form with a processor", () => {
  test.each([
    ["2x Xeon Gold 6148", { sockets: 2, numaNodes: 2 }, undefined],
    ["2x Xeon Gold 6148:768@8.0", { memoryGiB: 768 }, "8.0"],
    ["2x Xeon Gold 6148/2:768@8.0 U2", { numaNodes: 4, memoryGiB: 768 }, "8.0 U2"],
    ["2x Intel(R) Xeon(R) Gold 6148 CPU @ 2.40GHz:768@7.0", { coresPerSocket: 20, memoryGiB: 768 }, "7.0"],
    ["2x Xeon 6980P/1@9.0.0.0", { numaNodes: 2 }, "9.0 GA"],
    ["1x EPYC 9454P@8.0", { sockets: 1, coresPerL3: 6 }, "8.0"],
  ])("%s", (text, expected, version) => {
    const result = hostFromCpu(text);
    if (!("host" in result)) throw new Error(result.reason);
    expect(result.host).toMatchObject({ name: text, ...expected });
    expect(result.host.esxi && formatEsxi(result.host.esxi)).toBe(version);
  });

  test.each([
    ["2x Xeon Gold 6148@x", 'Host "2x Xeon Gold 6148@x" names no ESXi version vmlint can read: write 6.7, 7.0 or 8.0 U2.'],
    ["2x Xeon Gold 6148:768GiB", 'Host "2x Xeon Gold 6148:768GiB": the GiB of memory must be a whole number above 0, not "768GiB".'],
    ["2x Xeon Gold 6148/3", 'Host "2x Xeon Gold 6148/3" cannot exist: 40 cores do not divide into 6 NUMA nodes.'],
    ["Xeon Gold 6148:768", 'How many Xeon Gold 6148 are there? Write "2x Xeon Gold 6148".'],
    ["2x Xeon Gold 6148 @ 2.4", 'Host "2x Xeon Gold 6148 @ 2.4" names no ESXi version vmlint can read: write 6.7, 7.0 or 8.0 U2.'],
    ["2x E5-2698:768", 'vmlint knows no processor "E5-2698". Did you mean Xeon E5-2698 v3 or Xeon E5-2698 v4?'],
  ])("%s is refused", (text, reason) => {
    expect(hostFromCpu(text)).toEqual({ reason });
  });
});
