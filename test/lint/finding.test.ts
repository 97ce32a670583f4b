import { type Diagnostic, lint, rules, type Target } from "@vmlint/core";
import fc from "fast-check";
import { expect, test } from "vitest";
import { byPlace, docsUrl, hostIn, inCell, isSilent, page, pageOrCommand, shownSeverity } from "../../packages/core/src/lint/finding.ts";
import { isNotIn } from "../../packages/core/src/lint/new-findings.ts";
import type { Cell } from "../../packages/core/src/model/cell.ts";
import { vmOf } from "../support/sample-vm.ts";

const [found] = lint('numvcpus = "2"\nsched.cpu.affinity = "0"').diagnostics as readonly [Diagnostic];
const ruleOf = (id: string) => {
  const rule = rules.find((one) => one.id === id);
  if (!rule) throw new Error(`no rule ${id}`);
  return rule;
};

test.each<[id: string, target: Target, isSilent: boolean]>([
  ["affinity/any", {}, false],
  ["affinity/any", { severities: { "affinity/any": "off" } }, true],
  ["affinity/any", { severities: { "affinity/any": "error" }, selects: () => false }, false],
  ["affinity/any", { selects: () => false }, true],
  ["affinity/any", { workload: { kind: "hana" } }, false],
  ["mssql/soft-numa", { selects: () => true }, false],
  ["mssql/soft-numa", { selects: () => true, workload: { kind: "mssql" } }, false],
  ["mssql/soft-numa", { selects: () => true, workload: { kind: "hana" } }, true],
])("%s with %o is silent: %s", (id, target, expected) => {
  expect(isSilent(ruleOf(id), target)).toBe(expected);
});

test("a configured severity replaces that of the rule; off leaves it to the rules that ask for the finding", () => {
  const shown = (severities?: Target["severities"]) => shownSeverity(ruleOf("affinity/any"), "hint", severities ? { severities } : {});
  expect([shown(), shown({ "affinity/any": "error" }), shown({ "affinity/any": "off" })]).toEqual(["hint", "error", "hint"]);
});

test("a finding names its host, its cluster and what is assumed of the host", () => {
  const host = { name: "esx1", sockets: 2, coresPerSocket: 8, numaNodes: 2, threadsPerCore: 2 } as const;
  expect(hostIn()).toStrictEqual({ host: null });
  expect(hostIn({ host })).toStrictEqual({ host: "esx1" });
  expect(hostIn({ host: { ...host, assumed: ["2 threads"] }, cluster: "prod" })).toEqual({
    host: "esx1",
    cluster: "prod",
    assumedOfHost: ["2 threads"],
  });
});

test("each place of a finding in a table has its cell, and in the file of another sheet it is at the row of the VM", () => {
  const plain = vmOf('numvcpus = "2"');
  const related = [0, 10, 20].map((at) => ({ message: `at ${at}`, range: [at, at + 1] as const, ...(at === 20 && { path: "b.vmx" }) }));
  const given = (at: number): Diagnostic => ({ ...found, range: [at, at + 1], related });
  expect(inCell(given(0), undefined)).toEqual(given(0));
  expect(inCell(given(0), plain)).toEqual(given(0));

  const cell = (path?: string): Cell => ({
    sheet: "vCPU",
    row: 3,
    column: 2,
    title: "CPUs",
    value: "2",
    ...(path !== undefined && { path }),
  });
  const cells = new Map([
    [10, cell()],
    [20, cell()],
    [30, cell("vCPU.csv")],
  ]);
  const vm = { ...plain, range: [7, 9] as const, cellAt: ([at]: readonly [number, number]) => cells.get(at) };
  const places = [related[0], { ...related[1], cell: cell() }, related[2]];
  expect(inCell(given(0), vm)).toStrictEqual({ ...given(0), related: places });
  expect(inCell(given(10), vm)).toStrictEqual({ ...given(10), cell: cell(), related: places });
  expect(inCell(given(30), vm)).toStrictEqual({ ...given(30), cell: cell("vCPU.csv"), range: [7, 9], related: places });
});

test("a finding says that nothing hides it only if its rule does", () => {
  const rule = ruleOf("affinity/any");
  expect([page(rule), page({ ...rule, ignorable: false })]).toStrictEqual([
    { docsUrl: docsUrl(rule.id) },
    { docsUrl: docsUrl(rule.id), ignorable: false },
  ]);
});

test("a rule has a page or a command that prints it", () => {
  expect(docsUrl("affinity/any")).toMatch(/^(?:https:.*\/affinity\/any)?$/);
  expect(pageOrCommand("affinity/any", "")).toBe("vmlint explain affinity/any");
  expect(pageOrCommand("affinity/any", "https://acme.example/any")).toBe("https://acme.example/any");
});

test("findings are in the order of their places, then of their rules", () => {
  const any = fc
    .record({ ruleId: fc.constantFrom("a/a", "a/b", "b/a"), from: fc.nat(2), to: fc.constantFrom(3, 4) })
    .map(({ ruleId, from, to }): Diagnostic => ({ ...found, ruleId, range: [from, to] }));
  fc.assert(
    fc.property(any, any, (one, other) => {
      const [first, second] = [one, other].map(({ ruleId, range }) => `${range[0]} ${ruleId}`) as [string, string];
      expect(Math.sign(byPlace(one, other))).toBe(first < second ? -1 : first > second ? 1 : 0);
    }),
  );
});

test("a finding is new where no other one has its rule, its message and its severity", () => {
  const change: Partial<Diagnostic> = { message: "with other numbers", range: [5, 6] };
  const isNew = (more: Partial<Diagnostic>): boolean => isNotIn([{ ...found, ...change }])({ ...found, ...more });
  expect([{}, { ruleId: "a/b" }, { messageId: "other" }, { severity: "hint" as const }].map(isNew)).toEqual([false, true, true, true]);
  expect(isNotIn([])(found)).toBe(true);
});
