import { deriveTopology, esxi, type HostModel, possibleTopologies, type SettingName } from "@vmlint/core";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { vmOf } from "../support/sample-vm.ts";
import { MOST_OPEN_VCPUS, missingLayouts, type OpenVm, SMALL_HOSTS, valuesFor } from "./invariants.ts";

const anyVm: fc.Arbitrary<OpenVm> = fc
  .record({ host: fc.constantFrom(...SMALL_HOSTS), vcpus: fc.integer({ min: 1, max: MOST_OPEN_VCPUS }) })
  .chain(({ host, vcpus }) => {
    const values = valuesFor(vcpus);
    const names = Object.keys(values) as SettingName[];
    const settings = Object.fromEntries(names.map((name) => [name, fc.constantFrom(...(values[name] ?? []))]));
    return fc.record({
      host: fc.constant(host),
      vcpus: fc.constant(vcpus),
      stated: fc.record({ ...settings, hardwareVersion: fc.constantFrom(8, 11) }, { requiredKeys: [] }),
      open: fc.subarray(names, { maxLength: 2 }),
    });
  });

test("the list of layouts is what each value of the open settings and each answer to each question make (npm run modelcheck takes all pairs)", () => {
  let compared = 0;
  fc.assert(
    fc.property(anyVm, (vm) => {
      const missing = missingLayouts(vm);
      expect(missing ?? []).toEqual([]);
      if (missing) compared++;
    }),
    { numRuns: 300 },
  );
  expect(compared).toBeGreaterThan(100);
});

describe("questions that were answered one by one are crossed", () => {
  const layouts = (text: string, host: HostModel) => {
    const result = possibleTopologies(vmOf(text), host);
    return result.ok && [...new Set(result.cases.map(({ topology: t }) => `${t.vnumaNodes.join("+")} on ${t.numaClients.join("+")}`))];
  };
  const host = (sockets: number, cores: number, release = esxi(8, 0)): HostModel => ({
    name: "",
    sockets,
    coresPerSocket: cores,
    threadsPerCore: 2,
    numaNodes: sockets,
    esxi: release,
  });
  test("hot add and the smaller of three clients", () => {
    expect(layouts('numvcpus = "22"\nvcpu.hotadd = "TRUE"\nnuma.allowHotadd = "TRUE"', host(4, 10))).toEqual([
      "8+8+6 on 8+8+6",
      "22 on 8+8+6",
      "8+7+7 on 8+7+7",
      "22 on 8+7+7",
    ]);
  });
  test("hot add and a size that does not divide", () => {
    const text = 'virtualHW.version = "19"\nnumvcpus = "20"\nvcpu.hotadd = "TRUE"\nnuma.vcpu.maxPerVirtualNode = "8"';
    expect(layouts(text, host(4, 10, esxi(7, 0)))).toEqual(["8+8+4 on 8+8+4", "20 on 8+8+4", "7+7+6 on 7+7+6", "20 on 7+7+6"]);
  });
  test("followCoresPerSocket fills clients as 6.0 does", () => {
    const text = (more: string) => `virtualHW.version = "11"\nnumvcpus = "50"\n${more}`;
    const [old = ""] = layouts(text(""), host(4, 10, esxi(6, 0))) || [];
    for (const release of [esxi(6, 5), esxi(7, 0)])
      expect(layouts(text('numa.vcpu.followcorespersocket = "1"'), host(4, 10, release))).toContain(old);
  });
});

test("more answers than are listed make a set incomplete", () => {
  const wide: HostModel = { name: "", sockets: 32, coresPerSocket: 8, threadsPerCore: 2, numaNodes: 32, esxi: esxi(8, 0) };
  const text = 'virtualHW.version = "20"\nnumvcpus = "128"\nnuma.consolidate = "FALSE"\nnuma.autosize = "TRUE"\nvcpu.hotadd = "TRUE"';
  const result = possibleTopologies(vmOf(text), wide);
  expect(deriveTopology(vmOf(text), wide).ok).toBe(true);
  expect(result).toMatchObject({ ok: true, isComplete: false });
  expect(result.ok && result.cases).toHaveLength(64);
});
