import { defineRule, type Range, type Rule, type VmSpec } from "@vmlint/core";
import { expect, test } from "vitest";
import { lintProject, lintRead } from "../../packages/core/src/lint/lint-project.ts";
import { Sources } from "../../packages/core/src/model/files.ts";
import type { Problem } from "../../packages/core/src/model/problem.ts";
import { PAGE } from "../support/plugin-page.ts";
import { vmOf } from "../support/sample-vm.ts";

/** A rule with an unsafe fix for each VM, and a second, safe one for VMs of 8 vCPUs or more. */
const rule: Rule = defineRule({
  ...PAGE,
  id: "acme/any",
  severity: "warning",
  reads: ["vcpus"],
  messages: { any: ({ vcpus }: { vcpus: number }) => `It has ${vcpus}.` },
  *check({ vm: { vcpus: stated, range: at } }) {
    const vcpus = stated?.value ?? 1;
    const changes = [{ setting: "vcpus", value: 2 } as const];
    const unsafe = { title: vcpus === 6 ? "Set two" : "Set 2", safety: "unsafe" as const, changes };
    const fixes = vcpus < 8 ? [unsafe] : [{ title: "Keep 2", safety: "safe" as const, changes }, unsafe];
    yield { messageId: "any", data: { vcpus }, at, related: [{ message: `of ${vcpus}`, range: [5, 6] }], fixes };
  },
});
const TEXT: Rule = defineRule({ ...PAGE, id: "acme/text", severity: "hint", over: "text", messages: { any: () => "Text." } });

const sources = new Sources();
for (const path of ["m", "a", "b"]) sources.add(path, "0123456789");

interface Vm {
  readonly name?: string;
  readonly path?: string;
  readonly range?: Range;
  readonly vcpus?: number;
  readonly edit?: Range;
  readonly newText?: string;
  /** The place of a problem of the VM. */
  readonly odd?: Range;
}

const problemAt = (range: Range): Problem => ({ ruleId: TEXT.id, messageId: "any", data: {}, range });

function check(vms: readonly Vm[], users = 1, problems: readonly Range[] = []) {
  const paths = new Map<VmSpec, string>();
  const specs = vms.map(({ name = "x", path = "a", range = [13, 14], vcpus = 4, edit = range, newText = "2", odd }) => {
    const spec: VmSpec = {
      ...vmOf(`numvcpus = "${vcpus}"`),
      name,
      range,
      edit: () => [{ range: edit, newText }],
      problems: odd ? [problemAt(odd)] : [],
    };
    paths.set(spec, path);
    return spec;
  });
  return lintProject(
    {
      vms: specs,
      problems: problems.map(problemAt),
      sources,
      pathOf: (spec) => paths.get(spec) ?? "",
      countUsers: () => users,
      isSecret: (path) => path === "b",
    },
    { rules: [rule, TEXT], severitiesOf: (path) => (path === "b" ? { [TEXT.id]: "error" } : {}) },
  );
}

const found = (...given: Parameters<typeof check>) => check(...given).flatMap(({ diagnostics }) => diagnostics);

test("each VM, finding and problem is in its own file, with the texts of other files that it leads to", () => {
  const files = check([{}, { path: "b", range: [24, 25] }], 1, [[23, 24]]);
  const shown = files.map(({ path, text, vms, diagnostics, otherTexts, isSecret, ran }) => ({
    path,
    text,
    vms: vms.map(({ spec, locate }) => [spec.name, locate?.(spec.range), locate?.([1, 2])]),
    found: diagnostics.map(({ message, range, related, fixes, severity }) => [
      message,
      range,
      related,
      fixes.map(({ edits }) => edits),
      severity,
    ]),
    otherTexts,
    isSecret,
    ran,
  }));
  const related = [{ message: "of 4", path: "m", range: [5, 6] }];
  const of = (path: string, at: Range) => ({
    path,
    text: "0123456789",
    vms: [["x", { range: at }, { path: "m", range: [1, 2] }]],
    otherTexts: new Map([["m", "0123456789"]]),
    ran: 1,
    found: [["It has 4.", at, related, [[{ range: at, newText: "2" }]], "warning"]],
  });
  expect(shown[0]).toEqual({ ...of("a", [2, 3]), isSecret: undefined });
  const { found: own } = of("b", [2, 3]);
  expect(shown[1]).toEqual({ ...of("b", [2, 3]), isSecret: true, found: [["Text.", [1, 2], [], [], "hint"], ...own] });
  const [inModule] = found([{ range: [1, 2] }]);
  expect(inModule).toMatchObject({ range: [1, 2], vmPath: "a" });
  expect(found([{}])[0]?.vmPath).toBeUndefined();
  const [module] = check([{ path: "m", range: [1, 2] }]);
  expect([module?.path, module?.otherTexts, module?.withheld]).toEqual(["m", undefined, []]);
});

test("a problem of a file without VMs has its severity there, and no VM", () => {
  const [a, b] = check([], 1, [
    [12, 13],
    [23, 24],
  ]);
  expect([a, b].map((file) => file?.diagnostics.map(({ severity, vm, vmPath }) => [severity, vm, vmPath]))).toEqual([
    [["hint", null, undefined]],
    [["error", null, undefined]],
  ]);
});

test("VMs with findings at one place have one, which names them and what differs", () => {
  const of = { message: "of 4", path: "m", range: [5, 6] };
  const [shared, ...none] = found([{}, { name: "y" }, { name: "z", vcpus: 6 }]);
  expect(none).toEqual([]);
  expect(shared).toMatchObject({ message: "It has 4.", vms: ["x", "y", "z"] });
  expect(shared?.related).toEqual([of, { message: "z: It has 6.", range: [2, 3] }]);
  const [two] = found([{}, { name: "z", vcpus: 6 }]);
  expect([two?.vms, two?.related]).toEqual([["x", "z"], shared?.related]);
  const [one] = found([{}, { vcpus: 6 }]);
  expect(one?.vms).toBeUndefined();
  expect(one?.related).toEqual([of, { ...of, message: "of 6" }, { message: "It has 6.", range: [2, 3] }]);
  expect(found([{}, { range: [15, 16] }]).map(({ range, vms }) => [range, vms])).toEqual([
    [[2, 3], undefined],
    [[4, 5], undefined],
  ]);
});

test.each<[string, readonly Vm[], number, readonly string[], readonly (string | undefined)[]]>([
  ["one VM uses", [{}], 1, ["Set 2"], []],
  ["another VM uses, too", [{}], 2, [], ["unsafe"]],
  ["two VMs use that need it", [{}, { name: "y" }], 2, ["Set 2"], []],
  ["a third VM uses, too", [{}, { name: "y" }], 3, [], ["unsafe"]],
  ["two VMs use that need fixes of other titles", [{}, { name: "y", vcpus: 6 }], 2, [], ["unsafe"]],
  ["two VMs use that need other texts", [{}, { name: "y", newText: "3" }], 2, [], ["unsafe"]],
  ["only one VM uses of two with other fixes", [{}, { name: "y", newText: "3" }], 1, [], []],
  ["has a safe way", [{ vcpus: 8 }], 1, ["Keep 2", "Set 2"], []],
  ["has a safe way, which is shared", [{ vcpus: 8 }], 2, [], ["safe"]],
  ["is in another file", [{ edit: [1, 2] }], 2, [], ["unsafe in m"]],
])("a fix of a value that %s", (_, vms, users, fixes, withheld) => {
  const [file] = check(vms, users);
  expect(file?.diagnostics[0]?.fixes.map(({ title }) => title)).toEqual(fixes);
  expect(file?.withheld?.map(({ safety, path }) => (path === undefined ? safety : `${safety} in ${path}`))).toEqual(withheld);
});

test("a safe fix that two VMs do not share is withheld, whatever unsafe fix remains", () => {
  const safeAt = (name: string, vcpus: number): Vm => ({ name, vcpus });
  const [file] = check([safeAt("x", 8), safeAt("y", 4)], 2);
  expect(file?.diagnostics[0]?.fixes.map(({ title }) => title)).toEqual(["Set 2"]);
  expect(file?.withheld?.map(({ safety }) => safety)).toEqual(["safe"]);
});

test("a problem that VMs of another file share has no VM, and so no file of one", () => {
  const about = (...vms: readonly Vm[]) => found(vms).flatMap(({ ruleId, vm, vmPath }) => (ruleId === TEXT.id ? [[vm, vmPath]] : []));
  expect(about({ odd: [1, 2] })).toEqual([["x", "a"]]);
  expect(about({ odd: [1, 2] }, { name: "y", odd: [1, 2] })).toEqual([[null, undefined]]);
});

test("VMs of one text share its places, and a text has no list of withheld fixes without one", () => {
  const vms = ["x", "y"].map(
    (name): VmSpec => ({ ...vmOf('numvcpus = "4"'), name, range: [2, 3], edit: () => [{ range: [2, 3], newText: "2" }] }),
  );
  const read = (users: number) => {
    const [file] = lintRead({ vms, problems: [], countUsers: () => users }, { path: "a", text: "0123456789" }, { rules: [rule] });
    return file;
  };
  expect(read(2)?.diagnostics).toMatchObject([{ vms: ["x", "y"], fixes: [{ title: "Set 2" }] }]);
  expect(read(2)).not.toHaveProperty("withheld");
  expect(read(2)?.diagnostics[0]).not.toHaveProperty("vmPath");
  expect(read(3)?.withheld).toMatchObject([{ safety: "unsafe" }]);
});
