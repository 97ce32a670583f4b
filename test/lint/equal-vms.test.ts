import { defineRule } from "@vmlint/core";
import fc from "fast-check";
import { expect, test } from "vitest";
import { requireHost } from "../../packages/core/src/config/config.ts";
import { textOfBytes } from "../../packages/core/src/formats/archive.ts";
import { rvtools } from "../../packages/core/src/formats/rvtools/rvtools.ts";
import { clusterChecker } from "../../packages/core/src/lint/check-on-cluster.ts";
import { type CountingChecker, sharingChecker } from "../../packages/core/src/lint/equal-vms.ts";
import { lintText } from "../../packages/core/src/lint/lint-project.ts";
import type { LintedVm, Target } from "../../packages/core/src/lint/target.ts";
import type { Rule } from "../../packages/core/src/rules/define.ts";
import { rules } from "../../packages/core/src/rules/index.ts";
import { guessWorkload } from "../../packages/core/src/workloads/guess.ts";
import { estate } from "../support/estate.ts";
import { PAGE } from "../support/plugin-page.ts";
import { type Sheets, workbook } from "../support/write-workbook.ts";

/** Cells that VMs of one kind may differ in. Most VMs keep theirs, so that many are equal. */
const CHANGES: readonly (readonly [sheet: string, title: string, values: readonly (string | number | boolean)[]])[] = [
  ["vInfo", "CPUs", [1, 8, 12, 24, 40]],
  ["vInfo", "Memory", [900_000, 300_000]],
  ["vInfo", "Powerstate", ["poweredOn", "poweredOff"]],
  ["vInfo", "Latency Sensitivity", ["high", "high", "", "odd", "1"]],
  ["vInfo", "OS according to the configuration file", ["Microsoft Windows Server 2022 (64-bit)", "Unknown"]],
  ["vCPU", "Cores p/s", [1, 12]],
  ["vCPU", "Hot Add", [true]],
  ["vCPU", "Limit", [2000]],
  ["vMemory", "Ballooned", [512]],
  ["vMemory", "Reservation", [4096]],
  ["vDisk", "Controller", ["LSI Logic SAS", "VMware paravirtual SCSI"]],
  ["vNetwork", "Adapter", ["E1000"]],
];

const anyChanges = fc.array(fc.tuple(fc.nat(83), fc.constantFrom(...CHANGES), fc.nat(4)), { minLength: 20, maxLength: 40 });

function changed(sheets: Sheets, changes: readonly (readonly [number, (typeof CHANGES)[number], number])[]): Sheets {
  const copy = Object.fromEntries(Object.entries(sheets).map(([name, rows]) => [name, rows.map((row) => [...row])]));
  for (const [row, [sheet, title, values], value] of changes) {
    const cells = copy[sheet]?.[row + 1];
    const at = copy[sheet]?.[0]?.indexOf(title) ?? -1;
    if (cells && at >= 0) cells[at] = values[value % values.length] ?? "";
  }
  return copy;
}

const big = { ...requireHost("2x16x2:512@7.0"), name: 'a "big" one', powerPolicy: "Balanced" as const };
const hosts = [big, { ...big, name: "esx09" }, requireHost("2x12x2:256@8.0")];

const severities = { "cpu/hot-add": "error" } as const;

/** Targets without a host, or on three hosts: two differ in their names only. The hosts have two clusters, or none. */
function targetOf(vm: Parameters<typeof guessWorkload>[0]): Target {
  const number = Number(vm.name.slice(-3));
  const guess = guessWorkload(vm, []);
  const otherHosts = number < 42 ? hosts.slice(2) : number < 63 ? [{ ...big, name: "esx10", numaNodes: 4 }] : undefined;
  const kind = number % 13 === 5 ? "mssql" : number % 13 === 9 ? "latency" : undefined;
  return {
    host: [hosts[2], hosts[1], hosts[0], undefined][number % 4],
    othersMayRun: true,
    ...(otherHosts && { otherHosts, cluster: "prod" }),
    ...(kind ? { workload: { kind } } : guess && { guess }),
    ...(number % 11 === 0 && { severities, selects: isOften }),
  };
}

const isOften = ({ optIn }: Rule) => !optIn;

/** A rule of a plugin, which names the host of some VMs, and reports some at places between their facts. */
const plugin = defineRule({
  id: "acme/odd",
  ...PAGE,
  severity: "warning",
  reads: ["vcpus"],
  messages: { any: ({ on }: { on: string }) => `it has few vCPUs${on}` },
  *check({ vm: { vcpus, range }, host }) {
    const [start, end] = range;
    const messageId = "any";
    if (vcpus?.value === 1) yield { messageId, data: { on: ` on ${host?.name}` }, at: range };
    if (vcpus?.value === 2) yield { messageId, data: { on: "" }, at: [start + 1, end] };
    if (vcpus?.value === 4) yield { messageId, data: { on: "" }, at: vcpus.range, related: [{ message: "near", range: [start, end + 1] }] };
    if (vcpus?.value === 8) yield { messageId, data: { on: "" }, at: range, related: [{ message: `of ${host?.name}`, range }] };
  },
});

const SHEETS = estate({ vms: 84 });

test("an equal VM has the findings that it has alone", () => {
  const check = clusterChecker([...rules, plugin]);
  fc.assert(
    fc.property(anyChanges, (changes) => {
      const { vms } = lintText(textOfBytes(workbook(changed(SHEETS, changes))), { format: rvtools, rules: [], target: targetOf });
      let alone = 0;
      const shares = sharingChecker((vm, ran) => {
        alone++;
        return check(vm, ran);
      });
      const resultsOf = (checker: CountingChecker, vm: LintedVm) => {
        const ran = { count: 0 };
        return [[...checker(vm, ran)], ran];
      };
      expect(vms.map((vm) => resultsOf(shares, vm))).toEqual(vms.map((vm) => resultsOf(check, vm)));
      expect(alone).toBeLessThan(vms.length);
    }),
    { numRuns: 10 },
  );
});
