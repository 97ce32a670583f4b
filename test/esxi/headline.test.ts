import { type HostModel, possibleTopologies, requireHost } from "@vmlint/core";
import { expect, test, vi } from "vitest";
import * as derive from "../../packages/core/src/esxi/derive.ts";
import { vmOf } from "../support/sample-vm.ts";

vi.mock("../../packages/core/src/esxi/derive.ts", { spy: true });

const SIZES = [1, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 28, 32, 36, 40, 48, 64];

const SHAPES: readonly ((vcpus: number) => string)[] = [
  () => "",
  () => 'cpuid.coresPerSocket = "1"',
  (vcpus) => `cpuid.coresPerSocket = "${vcpus}"`,
  (vcpus) => `cpuid.coresPerSocket = "${vcpus % 2 === 0 ? vcpus / 2 : 1}"`,
  () => 'vcpu.hotadd = "TRUE"',
  () => 'numa.vcpu.preferHT = "TRUE"',
];

const text = (vcpus: number, more: string) => `virtualHW.version = "20"\nnumvcpus = "${vcpus}"\n${more}`;

/** Returns the share of VMs with a fact that has neither a value nor a list of possible ones. */
function unknownShare(host: HostModel): number {
  const certainties = SIZES.flatMap((vcpus) =>
    SHAPES.map((shape) => {
      const result = possibleTopologies(vmOf(text(vcpus, shape(vcpus))), host);
      return result.ok ? Object.values(result.certainties) : [result.because];
    }),
  );
  return certainties.filter((all) => all.includes("unknown") || all.includes("unknown-value")).length / certainties.length;
}

test.each([
  ["2 x 20 cores", requireHost("2x20x2@8.0")],
  ["2 x 32 cores in two nodes each", requireHost("2x32x2/2@8.0")],
  ["2 EPYC 7763", { ...requireHost("2x64x2@8.0"), coresPerL3: 8 }],
  ["2 EPYC 9654", { ...requireHost("2x96x2@9.0"), coresPerL3: 8 }],
])("fewer than 5 % of 19 sizes in 6 shapes are unknown on %s", (_, host) => {
  expect(unknownShare(host)).toBeLessThan(0.05);
});

test("a VM with nothing open is derived once", () => {
  const derived = vi.mocked(derive.answerOf);
  const calls = (work: () => unknown) => {
    derived.mockClear();
    work();
    return derived.mock.calls.length;
  };
  const host = requireHost("2x20x2@8.0");
  const vm = vmOf(text(24, 'cpuid.coresPerSocket = "12"'));
  expect(calls(() => possibleTopologies(vm, host))).toBe(1);
});

test("whole sockets are derived from 6.5 on, each release with its own source", () => {
  const layouts = (release: string, hardware: number) => {
    const result = possibleTopologies(
      vmOf(`virtualHW.version = "${hardware}"\nnumvcpus = "30"\ncpuid.coresPerSocket = "6"`),
      requireHost(`2x20x2@${release}`),
    );
    if (!result.ok) return result.because;
    const { certainties, cases } = result;
    const sources = cases[0].topology.reasons.filter(({ text }) => text.includes("whole sockets")).map(({ source }) => source?.key);
    return [certainties.numaClients, ...cases.map(({ topology }) => topology.numaClients.join("+")), ...sources];
  };
  for (const release of ["6.5", "6.7", "7.0"]) expect(layouts(release, 13)).toEqual(["derived", "18+12", "denneman-2021-12"]);
  for (const release of ["8.0", "9.0"]) expect(layouts(release, 20)).toEqual(["derived", "18+12", "denneman-2022-10"]);
});
