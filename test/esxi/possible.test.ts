import { deriveTopology, type HostModel, requireHost, type SettingName, type VmSpec } from "@vmlint/core";
import { coresPerNode, possibleTopologies } from "@vmlint/core/program";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { excess, HARDWARE_VERSIONS, runs } from "../../packages/core/src/limits/hardware.ts";
import { lintParsed } from "../../packages/core/src/lint/lint.ts";
import { atLeast, type EsxiVersion, esxi, formatEsxi, parseEsxi } from "../../packages/core/src/model/esxi.ts";
import { type Setting, unknown, valueIfKnown } from "../../packages/core/src/model/source.ts";
import type { SettingValues } from "../../packages/core/src/model/spec.ts";
import {
  allValuesOf,
  type PossibleTopologies,
  RELEASE_NAMES,
  RELEASES,
  TOPOLOGY_SETTINGS,
} from "../../packages/core/src/platforms/esxi/possible.ts";
import { canExist } from "../../packages/core/src/platforms/esxi/power-on.ts";
import { caseLines } from "../../packages/core/src/report/headline.ts";
import { rules } from "../../packages/core/src/rules/index.ts";
import { anyHost } from "../support/arbitraries.ts";
import { vmOf } from "../support/sample-vm.ts";
import { divisors } from "./invariants.ts";

/** Returns the VM with some settings unknown. */
const without = (vm: VmSpec, names: readonly SettingName[]): VmSpec => ({
  ...vm,
  settings: { ...vm.settings, ...Object.fromEntries(names.map((name) => [name, unknown("it is the template's", vm.range)])) },
});

const short = (text: string, host: string, names: readonly SettingName[] = []) => {
  const result = possibleTopologies(without(vmOf(text), names), requireHost(host));
  if (!result.ok) return result.because;
  const of = (groups: readonly number[]) => groups.join("+");
  return [
    ...new Set(result.cases.map(({ topology: t }) => `${of(t.vnumaNodes)} on ${of(t.numaClients)}`)),
    Object.values(result.certainties).join(" "),
    result.deciding.join(" "),
  ];
};

/** The lines of all cases, without sockets and sources. */
const possibleLines = (result: PossibleTopologies) =>
  caseLines(result).map((line) => line.replace(/1 socket x 22, guest nodes (\S+), NUMA clients (\S+).*/, "$1 on $2"));

describe("possible layouts", () => {
  const vm = (vcpus: number, more = "") => `virtualHW.version = "19"\nnumvcpus = "${vcpus}"\n${more}`;
  test("are a single layout if all settings are known", () => {
    expect(short(vm(16), "2x10x2@7.0")).toEqual(["8+8 on 8+8", "documented documented documented documented", ""]);
  });
  test("CPU hot add decides what the guest sees of a wide VM, and nothing of a narrow one", () => {
    expect(short(vm(24), "2x16x2@7.0", ["cpuHotAdd"])).toEqual([
      "12+12 on 12+12",
      "24 on 12+12",
      "documented possible documented documented",
      "cpuHotAdd",
    ]);
    expect(short(vm(4), "2x16x2@7.0", ["cpuHotAdd", "preferHt"])).toEqual(["4 on 4", "documented documented documented documented", ""]);
  });
  test("cores per socket decide the sockets alone while they fit", () => {
    expect(short(vm(4), "2x16x2@7.0", ["coresPerSocket"])).toEqual([
      "4 on 4",
      "possible documented documented documented",
      "coresPerSocket",
    ]);
  });
  test("a socket wider than a node is cut or kept whole", () => {
    expect(short(vm(16, 'cpuid.coresPerSocket = "16"'), "2x10x2@7.0")).toEqual([
      "8+8 on 8+8",
      "16 on 16",
      "documented possible possible documented",
      "",
    ]);
  });
  test("releases and values with the same layout are one case", () => {
    const text = `virtualHW.version = "8"\nnumvcpus = "22"\ncpuid.coresPerSocket = "22"`;
    const result = possibleTopologies(without(vmOf(text), ["cpuHotAdd"]), requireHost("2x10x2"));
    expect(result.ok && possibleLines(result)).toEqual([
      "ESXi 6.5 GA and later, cpuHotAdd false: 11+11 on 11+11",
      "ESXi 6.5 GA and later: 22 on 22",
      "ESXi 6.5 GA and later, cpuHotAdd true: 22 on 11+11",
      "ESXi 5.0 to 6.0: 22 on 8+8+6",
    ]);
  });
  test("a host of any release", () => {
    expect(short(vm(4), "2x16x2")).toEqual(["4 on 4", "documented documented documented documented", ""]);
    expect(possibleTopologies(vmOf(vm(4)), requireHost("2x16x2"))).toMatchObject({ cases: [{ releases: [] }] });
  });
  test("what no source decides for one value is unknown, also if other values differ", () => {
    expect(short(vm(12), "2x10x2@8.0", ["coresPerNumaNode"]).at(-2)).toBe("documented unknown unknown documented");
  });
  test("a vCPU count that is not known leaves nothing certain", () => {
    expect(short(vm(4), "2x16x2@7.0", ["vcpus"])).toBe("unknown-value");
  });
  test("the hardware version of the first release with nodes decides whether the guest sees them", () => {
    expect(short('numvcpus = "8"\nnuma.vcpu.min = "4"', "2x4x2@5.0", ["hardwareVersion"])).toEqual([
      "4+4 on 4+4",
      "8 on 4+4",
      "documented possible documented documented",
      "hardwareVersion",
    ]);
  });
  const tried = (text: string, host: string, name: SettingName, defaults?: SettingValues) => {
    const spec = vmOf(text);
    const result = possibleTopologies(without(defaults ? { ...spec, defaults } : spec, [name]), requireHost(host));
    return result.ok && [...new Set(result.completions().map(({ vm: { settings } }) => valueIfKnown<unknown>(settings[name])))];
  };
  test("ESXi may choose the sockets only where it does", () => {
    const sockets = (hardware: number, release: string) =>
      tried(`virtualHW.version = "${hardware}"\nnumvcpus = "4"`, `2x16x2@${release}`, "coresPerSocket");
    expect([sockets(20, "8.0"), sockets(19, "8.0"), sockets(19, "7.0")]).toEqual([
      ["auto", 1, 2, 4],
      [1, 2, 4],
      [1, 2, 4],
    ]);
    expect(tried('virtualHW.version = "17"', "2x16x2@7.0", "coresPerSocket", {})).toEqual([1]);
    expect(tried('numvcpus = "4"', "2x16x2@7.0", "coresPerSocket")).toEqual([1, 2, 4]);
  });
  const known = 'numa.autosize.cookie = "40001"\nnuma.autosize.vcpu.maxPerVirtualNode = "2"\nnuma.vcpu.min = "2"';
  test.each<[SettingName, string, string, readonly unknown[]]>([
    ["hardwareVersion", "8.0 U1", "", [20, 19, 7]],
    ["hardwareVersion", "7.0 GA", "", [17, 7]],
    ["hardwareVersion", "4.1", "", [7]],
    ["vnumaMinVcpus", "7.0", "", [9, 4, 5]],
    ["coresPerNumaNode", "8.0", 'virtualHW.version = "20"', [0, 1, 2, 4]],
    ["maxVcpusPerVnumaNode", "7.0", "", [0, 1, 2, 3, 4]],
    ["maxVcpusPerPhysicalNode", "7.0", "", [1, 2, 3, 4, 5, 6]],
    ["maxVcpusPerClient", "7.0", "", [1, 2, 3, 4, 5, 6]],
    ["storedNodeSize", "7.0", known, [1, 2, 3, 4]],
    ["storedCookie", "7.0", known, [0, 40_001, 40_012, 40_022, 40_042]],
    ["threadsPerCore", "8.0", "", [1, 2]],
  ])("an unknown %s on ESXi %s (%j) is reported with values for each effect on 4 vCPUs: %j", (name, release, more, values) => {
    expect(tried(`numvcpus = "4"\n${more}`, `2x3x2@${release}`, name)).toEqual(values);
  });
  test("a rule may try all values of a setting that has few, if the vCPUs are known", () => {
    const spec = vmOf('virtualHW.version = "20"\nnumvcpus = "4"');
    const values = (name: SettingName, one = spec) => allValuesOf(name, one, undefined);
    expect([values("coresPerSocket"), values("cpuHotAdd")]).toEqual([
      ["auto", 1, 2, 4],
      [false, true],
    ]);
    expect([values("maxVcpusPerVnumaNode"), values("coresPerSocket", without(spec, ["vcpus"]))]).toEqual([undefined, undefined]);
    const coresPerSocket: Setting<never> = { state: "unknown", reason: "?", range: spec.range, not: ["auto", 2] };
    expect(values("coresPerSocket", { ...spec, settings: { ...spec.settings, coresPerSocket } })).toEqual([1, 4]);
  });
  test.each(TOPOLOGY_SETTINGS.filter((name) => name !== "vcpus" && name !== "hardwareVersion"))(
    "an unknown %s may be absent, which one of its values stands for",
    (name) => {
      for (const [text, host] of [
        ['virtualHW.version = "20"\nnumvcpus = "12"', "2x10x2@8.0"],
        ['virtualHW.version = "10"\nnumvcpus = "12"\nvcpu.hotadd = "TRUE"\nnuma.autosize.cookie = "120001"', "2x10x2@7.0"],
        ['virtualHW.version = "10"\nnumvcpus = "12"\nnuma.autosize.vcpu.maxPerVirtualNode = "4"', "2x10x2@6.0"],
      ] as const) {
        const whole = vmOf(text);
        if (whole.settings[name].state !== "absent") continue;
        const real = deriveTopology(whole, requireHost(host));
        const result = possibleTopologies(without(whole, [name]), requireHost(host));
        expect(real.ok && result.ok && result.completions().map(({ topology }) => topology)).toContainEqual(real.ok && real.topology);
      }
    },
  );
  test("too many combinations are not tried to the end", () => {
    const names = ["maxVcpusPerPhysicalNode", "maxVcpusPerClient"] as const;
    expect(short('virtualHW.version = "7"\nnumvcpus = "9"', "2x64x2@7.0", names)).toBe("unknown-value");
    expect(short('virtualHW.version = "7"\nnumvcpus = "9"', "2x4x2@7.0", ["maxVcpusPerClient"])).toBe("no-power-on");
    const tiny = possibleTopologies(without(vmOf(vm(1)), names), requireHost("2x64x2@7.0"));
    expect(tiny).toMatchObject({ ok: true, isComplete: false });
    expect(tiny.ok && tiny.cases).toHaveLength(1);
  });
  test("each release has the layouts of the newest listed one that is not later", () => {
    expect(RELEASE_NAMES.map((name) => formatEsxi(parseEsxi(name) ?? esxi(0, 0)))).toEqual(RELEASE_NAMES);
    const at = (text: string, release: EsxiVersion) => {
      const result = deriveTopology(vmOf(text), { ...requireHost("2x4x2"), esxi: release });
      if (!result.ok) return result.because;
      const { coresPerSocket, vnumaNodes, numaClients, certainty } = result.topology;
      return [coresPerSocket, vnumaNodes, numaClients, certainty];
    };
    for (const name of ["4.0", "4.1", "5.0", "5.1", "5.5", "6.0", "6.5 GA", "6.5 U3", "6.7 GA", "6.7 U2", "7.0", "8.0", "9.0"]) {
      const release = requireHost(`2x4x2@${name}`).esxi as EsxiVersion;
      const listed = RELEASES.find((one) => atLeast(release, one));
      if (!listed) throw new Error(`no release of the list is before ${name}`);
      for (const hardware of HARDWARE_VERSIONS)
        for (const vcpus of [4, 8, 12]) {
          const text = `virtualHW.version = "${hardware}"\nnumvcpus = "${vcpus}"`;
          expect([name, text, at(text, listed)]).toEqual([name, text, at(text, release)]);
        }
    }
  });
  test("more layouts than the limit are reported as more", () => {
    const result = possibleTopologies(
      without(vmOf(vm(120)), ["maxVcpusPerVnumaNode", "maxVcpusPerPhysicalNode", "coresPerSocket", "cpuHotAdd"]),
      requireHost("2x64x2@7.0"),
    );
    expect(result).toMatchObject({ ok: true, isComplete: false });
    expect(result.ok && result.cases.length).toBeLessThanOrEqual(64);
  });
});

const OPEN = [
  "coresPerSocket",
  "hardwareVersion",
  "cpuHotAdd",
  "preferHt",
  "coresPerNumaNode",
  "maxVcpusPerVnumaNode",
  "maxVcpusPerPhysicalNode",
  "vnumaMinVcpus",
  "followCoresPerSocket",
  "numaConsolidate",
  "numaAutosizeOnce",
  "exposeVnumaOnHotAdd",
  "threadsPerCore",
] as const satisfies readonly SettingName[];

const COUNTS = Array.from({ length: 48 }, (_, i) => i + 1);

/** A host, and a VM that mostly starts on it: of a hardware version that it runs, with no more vCPUs than that has. */
const anyStart = anyHost.chain((host) =>
  fc
    .constantFrom(...HARDWARE_VERSIONS.filter((version) => host.esxi && runs(host.esxi, version)))
    .chain((hardware) =>
      fc.constantFrom(...COUNTS.filter((vcpus) => !excess("vcpus", vcpus, hardware))).map((vcpus) => ({ hardware, vcpus })),
    )
    .chain(({ hardware, vcpus }) => vmOn(host, hardware, vcpus).map((text) => ({ host, text }))),
);

function vmOn(host: HostModel, hardware: number, vcpus: number): fc.Arbitrary<string> {
  const some = <T>(key: string, values: readonly T[]) =>
    fc.option(fc.constantFrom("", ...values.map((value) => `${key} = "${value}"`)), { nil: "" });
  const sizes = divisors(vcpus);
  const cores = sizes.filter((size) => !excess("coresPerSocket", size, hardware));
  return fc
    .constantFrom(...cores)
    .chain((core) =>
      fc.tuple(
        fc.constantFrom("", `cpuid.coresPerSocket = "${core}"`),
        some("vcpu.hotadd", ["TRUE", "FALSE"]),
        some("numa.vcpu.preferHT", ["TRUE", "FALSE"]),
        some("numa.vcpu.min", [4, 9, 12]),
        some("numa.consolidate", ["TRUE", "FALSE"]),
        some("numa.vcpu.followcorespersocket", [0, 1]),
        some("numa.allowHotadd", ["TRUE", "FALSE"]),
        some("numa.autosize.once", ["TRUE", "FALSE"]),
        some("numa.vcpu.maxPerVirtualNode", sizes),
        some("numa.vcpu.maxPerMachineNode", [coresPerNode(host)]),
        some(
          "numa.vcpu.coresPerNode",
          sizes.filter((size) => size % core === 0 || core % size === 0),
        ),
        some(
          "cpuid.numSMT",
          [1, 2].filter((threads) => threads <= host.threadsPerCore && vcpus % threads === 0),
        ),
      ),
    )
    .map((lines) => [`numvcpus = "${vcpus}"`, `virtualHW.version = "${hardware}"`, ...lines].join("\n"));
}

/** `POSSIBLE_RUNS=100000` makes the long run of it. */
const RUNS = Number(process.env.POSSIBLE_RUNS ?? 60);

test("the true layout is among the possible ones, and a finding that holds for all of them is true", () => {
  const seen = { starts: 0, layouts: 0, findings: 0 };
  const hidden = fc.subarray([...OPEN], { minLength: 1, maxLength: 4 });
  const unstated = fc.boolean();
  fc.assert(
    fc.property(anyStart, hidden, unstated, ({ host, text }, names, isUnstated) => {
      const whole = vmOf(text);
      const real = deriveTopology(whole, host);
      if (!real.ok) return;
      seen.starts++;
      const partial = without(whole, names);
      const { esxi: _, ...rest } = host;
      const shown: HostModel = isUnstated ? rest : host;
      const result = possibleTopologies(partial, shown);
      // More ways to complete it than are tried.
      if (!result.ok) return expect(result.because).toBe("unknown-value");
      if (!result.isComplete) return;
      seen.layouts++;
      const key = ({ coresPerSocket, vnumaNodes, numaClients }: typeof real.topology) =>
        JSON.stringify([coresPerSocket, vnumaNodes, numaClients]);
      expect(result.cases.map(({ topology }) => key(topology))).toContain(key(real.topology));
      // Rules that ask for no layout take a host of no stated release for one of the newest.
      if (isUnstated || !canExist(whole, host)) return;
      const found = (vm: VmSpec, on: HostModel) => lintParsed({ vms: [vm], problems: [] }, { target: { host: on } }).diagnostics;
      const ofWhole = new Set(found(whole, host).map(({ ruleId }) => ruleId));
      for (const { ruleId, messageId, holds, message } of found(partial, shown)) {
        // "Only one layout is good" is about the set of layouts. The whole VM has one.
        if (holds || (ruleId === "numa/no-good-layout" && messageId === "one")) continue;
        seen.findings++;
        // A rule about the cause may report it instead.
        const same = [ruleId, ...(rules.find(({ id }) => id === ruleId)?.unless ?? [])];
        expect(
          same.some((id) => ofWhole.has(id)),
          `${ruleId}: ${message}\n${text}\n${names} on ${JSON.stringify(host)}`,
        ).toBe(true);
      }
    }),
    { numRuns: RUNS },
  );
  expect(seen.starts).toBeGreaterThan(RUNS * 0.9);
  expect(seen.layouts).toBeGreaterThan(RUNS / 2);
  expect(seen.findings).toBeGreaterThan(RUNS / 50);
}, 3_600_000);
