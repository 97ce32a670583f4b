import type { HostModel } from "@vmlint/core";
import { esxi } from "@vmlint/core/program";
import fc from "fast-check";

/** Hosts of every shape and release that vmlint models. */
export const anyHost: fc.Arbitrary<HostModel> = fc
  .record({
    sockets: fc.constantFrom(1, 2, 4),
    coresPerNode: fc.integer({ min: 1, max: 64 }),
    nodesPerSocket: fc.constantFrom(1, 2, 4),
    threadsPerCore: fc.constantFrom(1, 2),
    version: fc.constantFrom(
      esxi(4, 1),
      esxi(5, 0),
      esxi(5, 5),
      esxi(6, 0),
      esxi(6, 5),
      esxi(6, 7, 2),
      esxi(7, 0),
      esxi(8, 0),
      esxi(8, 0, 2),
      esxi(9, 0),
    ),
  })
  .map(({ sockets, coresPerNode, nodesPerSocket, threadsPerCore, version }) => ({
    name: "any",
    sockets,
    coresPerSocket: coresPerNode * nodesPerSocket,
    threadsPerCore,
    numaNodes: sockets * nodesPerSocket,
    esxi: version,
  }));

const setting = (key: string, value: fc.Arbitrary<unknown>) =>
  fc.option(
    value.map((v) => `${key} = "${v}"`),
    { nil: undefined },
  );
const bool = fc.constantFrom("TRUE", "FALSE");
const vcpus = fc.integer({ min: 1, max: 1000 });

/** The text of a .vmx with any of the settings a topology depends on. */
export const anyVmx = vcpus.chain((count) =>
  fc
    .tuple(
      setting("virtualHW.version", fc.constantFrom(4, 7, 8, 10, 11, 13, 14, 17, 19, 20, 21, 22)),
      setting("cpuid.coresPerSocket", fc.constantFrom(...divisors(count), 3, 5)),
      setting("numa.vcpu.coresPerNode", fc.constantFrom(0, ...divisors(count))),
      setting("numa.vcpu.maxPerVirtualNode", fc.integer({ min: 1, max: 64 })),
      setting("numa.vcpu.maxPerMachineNode", fc.integer({ min: 1, max: 64 })),
      setting("numa.vcpu.min", fc.integer({ min: 1, max: 16 })),
      setting("numa.vcpu.preferHT", bool),
      setting("numa.vcpu.followcorespersocket", fc.constantFrom(0, 1)),
      setting("numa.consolidate", bool),
      setting("numa.autosize.once", bool),
      setting("numa.autosize.cookie", fc.constantFrom(count * 10_000 + 1, 80_001)),
      setting("numa.autosize.vcpu.maxPerVirtualNode", fc.integer({ min: 1, max: 64 })),
      setting("numa.nodeAffinity", fc.constantFrom("0", "0,1", "7")),
      setting("vcpu.hotadd", bool),
      setting("numa.allowHotadd", bool),
      setting("cpuid.numSMT", fc.constantFrom(1, 2)),
      setting("sched.cpu.affinity", fc.constantFrom("all", "0-7", "0,2,4,6", "900")),
    )
    .map((lines) => [`numvcpus = "${count}"`, ...lines.filter((line) => line !== undefined)].join("\n")),
);

function divisors(count: number): number[] {
  return Array.from({ length: count }, (_, i) => i + 1).filter((size) => count % size === 0);
}

/** The text of a YAML file of VM specs with any of those settings, in a list or alone. */
export const anySpecs = fc
  .array(
    vcpus.chain((count) => fc.record({ count: fc.constant(count), direct: directSettings(count), advanced: advancedSettings })),
    {
      minLength: 1,
      maxLength: 3,
    },
  )
  .map((vms) => {
    const items = vms.map(({ count, direct, advanced }, i) => [
      `metadata: { name: vm-${i} } # \u65e5\u672c`,
      "spec:",
      `  vcpus: ${count}`,
      ...direct.filter((line) => line !== undefined).map((line) => `  ${line}`),
      ...(advanced.length > 0 ? ["  advanced:", ...advanced.map((line) => `    ${line}`)] : []),
    ]);
    const header = "apiVersion: vmlint.dev/v1\nkind: VirtualMachine";
    if (items.length === 1) return [header, ...(items[0] ?? []), ""].join("\n");
    return [`${header}List`, "items:", ...items.flatMap((lines) => lines.map((line, i) => `${i === 0 ? "  - " : "    "}${line}`)), ""].join(
      "\n",
    );
  });

const yamlSetting = (key: string, value: fc.Arbitrary<unknown>) =>
  fc.option(
    value.map((v) => `${key}: ${v}`),
    { nil: undefined },
  );

const directSettings = (count: number) =>
  fc.tuple(
    yamlSetting("hardwareVersion", fc.constantFrom(8, 13, 19, 20, 21)),
    yamlSetting("coresPerSocket", fc.constantFrom("auto", ...divisors(count), 3, 5)),
    yamlSetting("coresPerNumaNode", fc.constantFrom(0, ...divisors(count))),
    yamlSetting("memoryMiB", fc.integer({ min: 1, max: 1 << 20 })),
    yamlSetting("cpuHotAdd", fc.boolean()),
    yamlSetting("latencySensitivity", fc.constantFrom("low", "normal", "medium", "high")),
    yamlSetting("cpuReservationMHz", fc.integer({ min: 0, max: 100_000 })),
    yamlSetting("threadsPerCore", fc.constantFrom(1, 2)),
  );

const advancedSettings = fc.subarray(['numa.vcpu.preferHT: "TRUE"', 'numa.vcpu.min: "4"', "numa.consolidate: false"]);
