import { type Rule, requireHost, rules, type Target, type VmSpec } from "@vmlint/core";
import { expect, test } from "vitest";
import { checkHosts } from "../../packages/core/src/lint/check-hosts.ts";
import type { HostedVm } from "../../packages/core/src/lint/hosted-vms.ts";
import { vmOf } from "../support/sample-vm.ts";

const ID = "host/hyperthreading-off";
const [host, other] = [requireHost("r640"), requireHost("r930")];

/** A rule that finds each host, and counts its VMs. */
const counting: Rule = {
  ...(rules.find(({ id }) => id === ID) as Rule),
  checkHostItself: (facts) => [{ messageId: "off", severity: "warning", message: `${facts.host.name} ${facts.vmCount()}`, data: {} }],
};

type Placed = readonly [path: string, name: string, target?: Partial<HostedVm["target"]>, more?: Partial<VmSpec>];

function found(vms: readonly Placed[], listed: Parameters<typeof checkHosts>[0]["listed"] = []) {
  const failed: string[] = [];
  const all = checkHosts({
    rules: [counting, { ...counting, id: "acme/vm", over: "vm" }],
    listed,
    vms: vms.map(([path, name, target, more]) => ({
      path,
      vm: { spec: { ...vmOf('numvcpus = "2"'), name, range: [3, 4], ...more }, target: { host, ...target } },
    })),
    namesOf: (some) => some.map(({ spec }) => spec.name),
    guarded: (_, path, check) => {
      failed.push(path);
      check();
    },
  });
  return [...all].map(({ path, diagnostic: { message, severity, range, cell, vms: names, cluster } }) => ({
    said: `${path} ${severity}: ${message} (${names?.join()})`,
    range,
    ...(cell && { row: cell.row }),
    ...(cluster !== undefined && { cluster }),
  }));
}

const said = (...given: Parameters<typeof found>) => found(...given).map((one) => one.said);
const off: Target["severities"] = { [ID]: "off" };

test("a finding about a host is said once, with all its VMs, in the file of the first", () => {
  expect(
    said([
      ["a", "x"],
      ["b", "y"],
      ["b", "z", { host: other }],
    ]),
  ).toEqual(["a warning: r640 2 (x,y)", "b warning: r930 1 (z)"]);
  expect(
    said([
      ["a", "x", { machine: "m" }],
      ["a", "y", { machine: "n" }],
    ]),
  ).toEqual(["a warning: r640 1 (x)", "a warning: r640 1 (y)"]);
  expect(said([["a", "x", { onAnyHost: "esx01" }]])).toEqual([]);
});

test("a rule runs on a host if it is on for a VM there; a host without VMs has the configuration of its file, or of any", () => {
  expect(
    said([
      ["a", "x", { severities: off }],
      ["a", "y"],
    ]),
  ).toEqual(["a warning: r640 2 (x,y)"]);
  expect(said([["a", "x", { severities: off }]])).toEqual([]);
  const listed = [{ host: other, machine: "n", path: "b" }];
  const elsewhere = ["a", "x", { severities: off, machine: "m" }] as const;
  const beside = ["b", "y", { severities: { [ID]: "error" }, machine: "m" }] as const;
  expect(said([elsewhere, beside], listed)).toContain("b error: r930 0 ()");
  expect(said([elsewhere], listed)).toEqual([]);
  expect(said([], listed)).toEqual(["b warning: r930 0 ()"]);
});

test("a finding is at the cell that lists the host, at the start of the file, or at its first VM", () => {
  const cell = { sheet: "vHost", row: 5, column: 1, title: "Host", value: "r640" };
  const one = { host, machine: "m", path: "b", cluster: "prod" };
  const placed: Placed = ["a", "x", { machine: "m" }, { cellAt: ([at]) => ({ ...cell, row: at }) }];
  const where = (...given: Parameters<typeof found>) => found(...given).map(({ said: _, ...place }) => place);
  expect(where([placed], [{ ...one, at: { range: [7, 8], cell: { ...cell, path: "hosts.csv" } } }])).toEqual([
    { range: [7, 8], row: 5, cluster: "prod" },
  ]);
  expect(where([placed], [one])).toEqual([{ range: [0, 0], cluster: "prod" }]);
  expect(where([placed])).toEqual([{ range: [3, 4], row: 3 }]);
});
