import { type HostModel, rules } from "@vmlint/core";
import { lintText, parseEsxi, parseVmx } from "@vmlint/core/program";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { classHosts } from "../../packages/core/src/hosts/node-classes.ts";
import { isDivided } from "../../packages/core/src/lint/without-host.ts";
import { coresOf, coresPerNode } from "../../packages/core/src/model/host.ts";

const ofHosts = rules.filter(({ over, needs }) => over === "vm" && needs.some((need) => need !== "workload"));

const line = (key: string, ...values: readonly unknown[]) =>
  fc.option(
    fc.constantFrom(...values).map((value) => `${key} = "${value}"`),
    { nil: undefined, freq: 3 },
  );

/** A VM of some vCPUs. `sizes` are the values of settings that divide it. */
const vmOfSize = (vcpus: number, sizes: readonly number[] = [1, 2, 8, 24, vcpus]) =>
  fc
    .tuple(
      line("virtualHW.version", 8, 10, 11, 13, 14, 17, 19, 20, 21, 22),
      line("cpuid.coresPerSocket", 1, 2, vcpus),
      line("numa.vcpu.coresPerNode", 0, ...sizes),
      line("numa.vcpu.maxPerVirtualNode", 64, ...sizes),
      line("numa.vcpu.maxPerMachineNode", ...sizes),
      line("numa.vcpu.maxPerClient", ...sizes),
      line("numa.vcpu.min", 1, 2, 9, 200),
      line("numa.vcpu.preferHT", "TRUE", "FALSE"),
      line("numa.vcpu.followcorespersocket", 0, 1),
      line("numa.autosize", "TRUE"),
      line("numa.autosize.once", "TRUE", "FALSE"),
      line("numa.autosize.cookie", vcpus * 10_000 + 1, 80_001, 20_012),
      line("numa.autosize.vcpu.maxPerVirtualNode", ...sizes),
      line("numa.nodeAffinity", "0", "0,1", "7"),
      line("numa.consolidate", "TRUE", "FALSE"),
      line("vcpu.hotadd", "TRUE"),
      line("cpuid.numSMT", 1, 2),
      line("cpuid.maxVCPUs", 2, 8, 64),
      line("sched.cpu.affinity", "all", "0", "0,1", "0-7", "900", "9000"),
      line("sched.cpu.latencySensitivity", "high"),
      line("sched.mem.affinity", "0"),
      line("memSize", 1024, 65_536, 1_048_576),
      line("guestOS", "windows2019srv-64", "ubuntu-64", "windows9-64"),
    )
    .map((lines) => [`numvcpus = "${vcpus}"`, ...lines.filter((one) => one !== undefined)].join("\n"));

const anyVm = fc
  .oneof(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 5, max: 8 }), fc.constantFrom(12, 256, 600))
  .chain((vcpus) => vmOfSize(vcpus));

const anyTarget = fc.record({
  esxi: fc.constantFrom(undefined, "6.0", "6.5", "6.7u2", "7.0", "8.0", "9.0"),
  kind: fc.constantFrom(undefined, "general", "hana", "mssql", "oracle", "imdg", "vdi", "latency"),
  cluster: fc.subarray([...classHosts()], { maxLength: 1 }),
});

/** A host of each class, release and memory, and a VM that has a core of one of its nodes, or of the host, for each vCPU. */
const anyThatFits = (part: "node" | "host") =>
  fc
    .tuple(
      fc.constantFrom(...classHosts()),
      fc.constantFrom("5.5", "6.0", "6.5", "6.7u2", "7.0", "8.0", "9.0"),
      fc.constantFrom(4, 64, 4096),
    )
    .chain(([host, esxi, memoryGiB]) => {
      const most = part === "node" ? coresPerNode(host) : coresOf(host);
      const release = parseEsxi(esxi);
      return fc
        .oneof(fc.integer({ min: 1, max: most }), fc.constantFrom(most, Math.ceil(most / 2)))
        .chain((vcpus) => vmOfSize(vcpus, [vcpus, vcpus + 1, 2 * vcpus]))
        .map((text) => ({ host: { ...host, memoryMiB: memoryGiB * 1024, ...(release && { esxi: release }) }, text }));
    });

describe.each(["node", "host"] as const)("a rule that finds something only on VMs wider than a %s", (part) => {
  const declaring = ofHosts.filter(({ onlyWiderThan }) => onlyWiderThan === part);
  test(`finds nothing on a VM that fits (${declaring.length} rules)`, () => {
    let fitting = 0;
    fc.assert(
      fc.property(anyThatFits(part), anyTarget, ({ host, text }, { kind }) => {
        const [vm] = parseVmx(text).vms;
        if (!vm || isDivided(vm)) return;
        fitting++;
        const { diagnostics } = lintText(text, {
          target: { ...(kind && { workload: { kind } }), selects: () => true, host },
          rules: declaring,
        });
        expect(diagnostics.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([]);
      }),
      { numRuns: 2_000 },
    );
    expect(fitting).toBeGreaterThan(200);
  });
});

describe("a VM without a host", () => {
  test("has the findings that it has on every class of hosts, and no check ran that finds something on one", () => {
    fc.assert(
      fc.property(anyVm, anyTarget, (text, { esxi, kind, cluster }) => {
        const target = { ...(kind && { workload: { kind } }), selects: () => true } as const;
        const plain = lintText(text, { target, rules: ofHosts });
        const found = new Set(plain.diagnostics.map(({ ruleId }) => ruleId));
        const skipped = new Set(plain.skipped.map(({ ruleId }) => ruleId));
        const release = parseEsxi(esxi ?? "") ?? undefined;
        const released = (host: HostModel): HostModel => ({ ...host, ...(release && { esxi: release }) });
        for (const host of classHosts()) {
          const { diagnostics, skipped: open } = lintText(text, {
            target: { ...target, host: released(host), otherHosts: cluster.map(released) },
            rules: ofHosts,
          });
          const on = new Set(diagnostics.map(({ ruleId }) => ruleId));
          // A VM that does not start on a release is no case of it.
          const openOn = new Set(open.map(({ ruleId }) => ruleId));
          for (const ruleId of found)
            if (!on.has(ruleId) && !openOn.has(ruleId)) throw new Error(`${ruleId} is not found on ${host.name}@${esxi}`);
          for (const ruleId of on)
            if (!found.has(ruleId) && !skipped.has(ruleId)) throw new Error(`${ruleId} is found on ${host.name}@${esxi}, in ${text}`);
        }
      }),
      { numRuns: 40 },
    );
  });

  test("has the same checks, whatever VM was checked before", () => {
    // Above the vCPUs of each VM, so that only the shape differs.
    let minimum = 1000;
    const checksOf = (text: string, least: number) =>
      lintText(`${text}\nnuma.vcpu.min = "${least}"`, { target: { selects: () => true }, rules: ofHosts }).skipped.map(
        ({ ruleId }) => ruleId,
      );
    fc.assert(
      fc.property(
        fc.integer({ min: 2, max: 8 }).chain((vcpus) => vmOfSize(vcpus)),
        (text) => {
          const lines = text.split("\n").filter((one) => !one.startsWith("numa.vcpu.min"));
          const [vcpus, ...others] = lines;
          for (const other of others) {
            minimum += 2;
            checksOf(`${vcpus}\n${other}`, minimum);
            expect(checksOf(`${vcpus}`, minimum), other).toEqual(checksOf(`${vcpus}`, minimum + 1));
          }
        },
      ),
      { numRuns: 8 },
    );
  });

  test("of 2 vCPUs needs its host for its memory and its release only", () => {
    const { skipped } = lintText('virtualHW.version = "19"\nnumvcpus = "2"\nmemSize = "8192"\ncpuid.coresPerSocket = "2"');
    expect(skipped.filter(({ reason }) => reason === "no-host").map(({ ruleId }) => ruleId)).toEqual([
      "host/hardware-behind",
      "host/too-old",
      "mem/exceeds-host",
      "numa/llc-boundary",
      "numa/mem-exceeds-node",
    ]);
  });

  test("has a finding that no host changes", () => {
    const { diagnostics } = lintText('numvcpus = "2"\nsched.cpu.affinity = "0"');
    expect(diagnostics.map(({ ruleId, host, fixes }) => [ruleId, host, ...fixes.map(({ title }) => title)])).toEqual([
      ["affinity/too-few", null, "Remove the affinity"],
    ]);
  });
});
