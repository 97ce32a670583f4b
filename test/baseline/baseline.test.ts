import { type Diagnostic, type FileResult, lint } from "@vmlint/core";
import {
  applyBaseline,
  type BaselineEntry,
  formatBaseline,
  isWholeJson,
  parseBaseline,
  prunedBaseline,
  updatedBaseline,
} from "@vmlint/core/baseline";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

const file = (path: string, text: string): FileResult => {
  const { diagnostics, skipped, vms } = lint(text);
  return { path, text, diagnostics, skipped, hostedVms: [], vmCount: vms.length };
};
const pathOf = ({ path }: FileResult) => path;
const always = () => true;
const options = (entries: readonly BaselineEntry[], ran = always as (path: string, rule: string) => boolean) => ({ entries, pathOf, ran });
const shown = (files: readonly FileResult[]) => files.flatMap(({ diagnostics }) => diagnostics.map(({ ruleId }) => ruleId));
const of = (...files: FileResult[]) => updatedBaseline(files, options([]));

const BAD = 'displayName = "a"\nnumvcpus = "four"\nnonsense\n';

describe("a baseline", () => {
  test("hides what it was made of, wherever that has moved to", () => {
    const known = of(file("a.vmx", BAD));
    for (const text of [BAD, `# a line more\n\n${BAD}`, BAD.replaceAll("\n", "\r\n"), BAD.replace("nonsense", "  nonsense ")]) {
      const { files, stale } = applyBaseline([file("a.vmx", text)], options(known));
      expect([shown(files), stale, files[0]?.suppressed?.map(({ by }) => by)]).toEqual([[], [], ["baseline", "baseline"]]);
    }
  });

  test.each([
    ["another value", file("a.vmx", BAD.replace("four", "five"))],
    ["another VM", file("a.vmx", BAD.replace('"a"', '"b"'))],
    ["another file", file("b.vmx", BAD)],
  ])("%s is another finding, and the old one is stale", (_, changed) => {
    const { files, stale } = applyBaseline([changed], options(of(file("a.vmx", BAD))));
    expect(shown(files)).toContain("vmx/type");
    expect(stale.map(({ rule, value }) => [rule, value])).toContainEqual(["vmx/type", "four"]);
  });

  test("counts equal findings: one more is shown, one less is stale", () => {
    const known = of(file("a.vmx", "nonsense\nnumvcpus = 1\nnonsense\n"));
    expect(known).toMatchObject([{ rule: "vmx/malformed-line", value: "nonsense", count: 2 }]);
    const by = (lines: number) => applyBaseline([file("a.vmx", `numvcpus = 1\n${"nonsense\n".repeat(lines)}`)], options(known));
    expect([shown(by(3).files), by(3).stale]).toEqual([["vmx/malformed-line"], []]);
    expect([shown(by(1).files), by(1).stale]).toEqual([[], [{ ...known[0], count: 1 }]]);
    expect(prunedBaseline(known, by(1).stale)).toEqual([{ ...known[0], count: 1 }]);
    expect(prunedBaseline(known, by(0).stale)).toEqual([]);
  });

  test("an entry outside of the checked files is neither stale nor removed", () => {
    const known = of(file("a.vmx", BAD));
    const ran = (path: string, rule: string) => path === "b.vmx" || rule === "vmx/malformed-line";
    const clean = file("a.vmx", 'displayName = "a"\nnumvcpus = "4"\n');
    expect(applyBaseline([clean], options(known, ran)).stale.map(({ rule }) => rule)).toEqual(["vmx/malformed-line"]);
    expect(updatedBaseline([clean], options(known, ran)).map(({ rule }) => rule)).toEqual(["vmx/type"]);
  });

  test("findings are not added to the entries of a file, even if part of it was not checked", () => {
    const known = of(file("a.vmx", BAD));
    const never = options(known, () => false);
    expect(updatedBaseline([file("a.vmx", BAD)], never)).toEqual(known);
    const more = known.map((one) => ({ ...one, count: 3 }));
    expect(updatedBaseline([file("a.vmx", BAD)], { ...never, entries: more })).toEqual(more);
    expect(updatedBaseline([file("a.vmx", `${BAD}nonsense\n`)], never).map(({ count }) => count)).toEqual([2, 1]);
  });

  /** A file with a finding about each of some sets of VMs, all at one place. */
  const about = (...places: readonly (readonly string[])[]): FileResult => {
    const alone = file("a.vmx", "nonsense\nnumvcpus = 1\n");
    const [finding] = alone.diagnostics as [Diagnostic];
    return { ...alone, diagnostics: places.map((vms) => ({ ...finding, vm: vms[0] ?? null, ...(vms.length > 1 && { vms }) })) };
  };

  test("an entry for a finding about several VMs matches each of the VMs", () => {
    const known = of(about(["b", "c"]));
    expect(formatBaseline(known)).toContain('"vm": "b", "others": ["c"], "rule": "vmx/malformed-line", "value": "nonsense" }');
    for (const vms of [["b", "c"], ["c"], ["b"], ["a", "b", "c"], ["c", "d"]]) {
      const { files, stale } = applyBaseline([about(vms)], options(known));
      expect([shown(files), stale]).toEqual([[], []]);
    }
    for (const places of [[["a"]], [["b"], ["c"]]]) expect(shown(applyBaseline([about(...places)], options(known)).files)).toHaveLength(1);
    expect(applyBaseline([about()], options(known)).stale).toEqual(known);
    expect(prunedBaseline(known, known)).toEqual([]);
    expect(
      updatedBaseline(
        [about(["c", "d"])],
        options(known, () => false),
      ),
    ).toEqual(of(about(["c", "d"])));
  });

  test("hides all findings it was written from, in any order, even if findings share VMs", () => {
    const sets = fc.array(fc.subarray(["a", "b", "c"], { minLength: 1 }), { maxLength: 6 });
    const both = sets.chain((found) => fc.tuple(fc.constant(found), fc.shuffledSubarray(found, { minLength: found.length })));
    fc.assert(
      fc.property(both, ([found, again]) => {
        const { files, stale } = applyBaseline([about(...again)], options(of(about(...found))));
        expect([shown(files), stale]).toEqual([[], []]);
      }),
    );
  });

  test("a finding about several VMs matches one entry after VMs are added or removed", () => {
    const alone = file("a.vmx", "nonsense\nnumvcpus = 1\n");
    const [finding] = alone.diagnostics as [Diagnostic];
    const among = (...vms: readonly number[]): FileResult => ({
      ...alone,
      diagnostics: vms.map((count) => ({ ...finding, among: count })),
    });
    const sizes = (known: readonly BaselineEntry[]) => known.map(({ vms }) => vms);
    const never = (...vms: readonly number[]) => options(of(among(...vms)), () => false);
    expect(sizes(updatedBaseline([among(3)], never(4)))).toEqual([3]);
    expect(sizes(updatedBaseline([among(5)], never(4)))).toEqual([5]);
    expect(sizes(updatedBaseline([among(2)], never(4, 2000)))).toEqual([2, 2000]);
    expect(formatBaseline(of(among(10, 9, 1, 1))).match(/"nonsense".*/g)).toEqual([
      '"nonsense", "count": 2 },',
      '"nonsense", "vms": 9 },',
      '"nonsense", "vms": 10 }',
    ]);
    expect(shown(applyBaseline([among(3, 2)], never(2000, 3)).files)).toEqual([]);
    expect(shown(applyBaseline([among(2, 4)], never(3)).files)).toHaveLength(1);
  });
});

const anyKnown = fc.record({
  path: fc.string(),
  vm: fc.option(fc.string()),
  others: fc.array(fc.string()),
  rule: fc.constantFrom("vmx/type", "numa/wide-uneven", "gone/rule"),
  value: fc.string(),
  vms: fc.integer({ min: 1, max: 3 }),
  count: fc.integer({ min: 1, max: 9 }),
});

describe("its file", () => {
  test("reads back unchanged, is sorted, and has one finding per line", () => {
    fc.assert(
      fc.property(fc.array(anyKnown), (known) => {
        const text = formatBaseline(known);
        const read = parseBaseline(text, "b.json");
        expect(formatBaseline(read)).toBe(text);
        expect(formatBaseline([...known].reverse())).toBe(text);
        expect(text.split("\n").filter((line) => line.startsWith("    {"))).toHaveLength(read.length);
        const total = (list: readonly BaselineEntry[]) => list.reduce((sum, { count }) => sum + count, 0);
        expect(total(read)).toBe(total(known));
      }),
    );
  });

  test("reads both sides of a merge conflict in any order, and keeps common lines once", () => {
    fc.assert(
      fc.property(fc.array(anyKnown, { minLength: 1 }), fc.array(anyKnown, { minLength: 1 }), (ours, theirs) => {
        const linesOf = (known: readonly BaselineEntry[]) =>
          formatBaseline(known)
            .split("\n")
            .filter((line) => line.startsWith("    {"));
        const of = (lines: readonly string[]) => ["{", '  "schemaVersion": 1,', '  "findings": [', ...lines, "  ]", "}", ""].join("\n");
        const read = (lines: readonly string[]) => formatBaseline(parseBaseline(of(lines), "b.json"));
        const [a, b] = [linesOf(ours), linesOf(theirs)];
        expect(read([...a, ...a])).toBe(formatBaseline(ours));
        expect(read([...a, ...b])).toBe(read([...b, ...a]));
        expect(read([...a.slice(0, -1), ...b, `${a.at(-1)},`])).toBe(read([...a, ...b]));
      }),
    );
  });

  test.each([
    [
      '{\n  "schemaVersion": 1,\n<<<<<<< ours\n',
      "b.json:3: This is a merge conflict: keep the lines of both sides; then vmlint --prune-baseline removes stale entries.",
    ],
    ['{ "schemaVersion": 2 }', 'b.json:1: A baseline needs "schemaVersion": 1; another version of vmlint wrote this one.'],
    ['{ "schemaVersion": 1 }', 'b.json:1: A baseline needs a list of "findings".'],
    [
      '{\n  "schemaVersion": 1,\n  "findings": [\n    { "path": "a" }\n  ]\n}',
      'b.json:4: Entry 1 of "findings" must have path, rule and value as text.',
    ],
    ["{\n]", "b.json:2: This is not JSON."],
    ["", "b.json:1: This is not JSON."],
    ["[]", 'b.json:1: A baseline needs "schemaVersion": 1'],
    ["null", 'b.json:1: A baseline needs "schemaVersion": 1'],
  ])("%j is refused", (text, message) => {
    expect(() => parseBaseline(text, "b.json")).toThrow(message);
  });

  test.each([
    ["<<<<<<< ours\n{}", "b.json:1: This is a merge conflict"],
    ['{\n  "schemaVersion": 1,\n  "findings": [\n', "b.json:4: This is not JSON."],
  ])("%j is refused at its line", (text, message) => {
    expect(() => parseBaseline(text, "b.json")).toThrow(message);
  });

  test.each([
    { path: 1 },
    { rule: undefined },
    { value: null },
    { vm: 3 },
    { others: "b" },
    { others: ["b", 1] },
    { vms: 0 },
    { vms: 1.5 },
    { vms: "2" },
    { count: 0 },
    { count: -1 },
    { count: "1" },
  ])("an entry with %j is refused, and the entry before it is not", (wrong) => {
    const good = { path: "a.vmx", vm: null, others: ["b"], rule: "vmx/type", value: "four", vms: 1, count: 1 };
    const text = (entry: object) => JSON.stringify({ schemaVersion: 1, findings: [good, entry] });
    expect(parseBaseline(text(good), "b.json")).toEqual([good]);
    expect(() => parseBaseline(text({ ...good, ...wrong }), "b.json")).toThrow('Entry 2 of "findings"');
  });

  test("an entry omits defaults", () => {
    const entry = { path: "a.vmx", vm: "a", rule: "vmx/type", value: "four" };
    const text = formatBaseline([
      { ...entry, vms: 1, count: 1 },
      { ...entry, others: ["b"], vms: 2, count: 2 },
    ]);
    expect(text.split("\n").slice(3, 5)).toEqual([
      '    { "path": "a.vmx", "vm": "a", "rule": "vmx/type", "value": "four" },',
      '    { "path": "a.vmx", "vm": "a", "others": ["b"], "rule": "vmx/type", "value": "four", "vms": 2, "count": 2 }',
    ]);
    expect([isWholeJson(text), isWholeJson(text.replace("},", "}"))]).toEqual([true, false]);
  });

  test("any text is read or refused with its place", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.json(),
          fc.json().map((findings) => `{"schemaVersion":1,"findings":${findings}}`),
        ),
        (text) => {
          try {
            parseBaseline(text, "b.json");
          } catch (error) {
            expect([(error as Error).name, (error as Error).message]).toEqual(["VmlintError", expect.stringMatching(/^b\.json:\d+: /)]);
          }
        },
      ),
    );
  });
});

test("two baselines of a merge hide their common findings, and pruning adds nothing", () => {
  const lines = fc.array(fc.constantFrom("nonsense", "rubbish", 'numvcpus = "x"', 'memSize = "y"', 'memSize = "4"', ""));
  fc.assert(
    fc.property(lines, lines, (before, after) => {
      const [old, now] = [before, after].map((text) => file("a.vmx", `displayName = "a"\n${text.join("\n")}`)) as [FileResult, FileResult];
      const known = of(old);
      const { files, stale } = applyBaseline([now], options(known));
      const count = (found: readonly Diagnostic[]) => found.length;
      const total = (list: readonly BaselineEntry[]) => list.reduce((sum, one) => sum + one.count, 0);
      const [hidden, left] = [files[0]?.suppressed?.length ?? 0, count(files[0]?.diagnostics ?? [])];
      expect([hidden + left, hidden + total(stale)]).toEqual([count(now.diagnostics), count(old.diagnostics)]);
      const pruned = prunedBaseline(known, stale);
      expect(total(pruned)).toBe(hidden);
      expect(applyBaseline([now], options(pruned))).toMatchObject({ stale: [], files: [{ diagnostics: { length: left } }] });
      expect(formatBaseline(of(now))).toBe(formatBaseline(updatedBaseline([now], options(known))));
    }),
  );
});
