import { type HostModel, requireHost } from "@vmlint/core";
import { hostFromCpu } from "@vmlint/core/cpus";
import { esxi, possibleTopologies } from "@vmlint/core/program";
import { expect, test, vi } from "vitest";
import * as derive from "../../packages/core/src/platforms/esxi/derive.ts";
import { vmOf } from "../support/sample-vm.ts";

vi.mock("../../packages/core/src/platforms/esxi/derive.ts", { spy: true });

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

/** Two of each of the processors that are most common in public host lists, as their firmware shows them by default. */
const COMMON = [
  ...["E5-2680 v4", "E5-2690 v4", "E5-2699 v4", "Gold 6130", "Gold 6148", "Gold 6230", "Gold 6248", "Gold 6248R", "Gold 6338"],
  ...["Gold 6348", "Gold 6430", "Platinum 8280", "Platinum 8480+", "EPYC 7502", "EPYC 7763", "EPYC 9354", "EPYC 9654"],
].map((name) => {
  const result = hostFromCpu(`2x ${name}`);
  if ("reason" in result) throw new Error(result.reason);
  return result.host;
});

test.each([
  ["7.0", 17, 1],
  ["8.0", 20, 0.45],
  ["9.0", 22, 0.45],
])("sources decide the nodes and clients of default VMs on the common processors with ESXi %s", (release, hardware, sureSockets) => {
  const isSure = (certainty: string) => certainty === "documented" || certainty === "derived";
  const counts = { all: 0, decided: 0, sockets: 0 };
  for (const host of COMMON)
    for (let vcpus = 1; vcpus <= 64; vcpus++) {
      const result = possibleTopologies(vmOf(`virtualHW.version = "${hardware}"\nnumvcpus = "${vcpus}"`), {
        ...host,
        esxi: esxi(Number(release[0]), 0),
      });
      if (!result.ok) throw new Error(result.because);
      const { vnumaNodes, numaClients, sockets } = result.certainties;
      const isDecided = isSure(vnumaNodes) && isSure(numaClients);
      if (vcpus % 2 === 0 && vcpus <= host.sockets * host.coresPerSocket) expect(isDecided, `${vcpus} on ${host.name}`).toBe(true);
      counts.all++;
      if (isDecided) counts.decided++;
      if (isSure(sockets)) counts.sockets++;
      // No source shows one core per socket where ESXi chooses.
      if (release !== "7.0" && vcpus > 1) expect(result.cases.map(({ topology }) => topology.coresPerSocket)).not.toContain(1);
    }
  expect(counts.decided / counts.all).toBeGreaterThanOrEqual(0.95);
  expect(counts.sockets / counts.all).toBeGreaterThanOrEqual(sureSockets);
});

test.each<[string, string, string]>([
  ["CPU hot add, with which no source rules it out", 'vcpu.hotadd = "TRUE"', "2x24x2@8.0"],
  ["its own setting", 'cpuid.coresPerSocket = "1"', "2x24x2@8.0"],
])("one core per socket is listed for %s", (_, more, host) => {
  const result = possibleTopologies(vmOf(text(16, more)), requireHost(host));
  expect(result.ok && result.cases.map(({ topology }) => topology.coresPerSocket)).toContain(1);
});
