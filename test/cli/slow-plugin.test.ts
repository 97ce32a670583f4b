import { rulesOf } from "@vmlint/core/plugins";
import { expect, test } from "vitest";
import { secondsAtOnce } from "../../packages/cli/src/run/budget.ts";
import { runRule } from "../../packages/cli/src/run/running-rule.ts";
import { eachInTime, inTime } from "../../packages/cli/src/run/time-limit.ts";

test("a plugin rule that never ends is dropped, told once, and the rest of the run is checked", () => {
  const told: string[] = [];
  let calls = 0;
  const rule = {
    id: "acme/endless",
    severity: "warning",
    summary: "never ends",
    messages: { never: "never" },
    check: () => {
      calls++;
      for (;;);
    },
  };
  const [endless] = rulesOf(
    [{ name: "./rules.js", exports: { rules: [rule] } }],
    ({ id }, name, error) => told.push(`${id} of ${name}: ${error}`),
    (one, name, check) => runRule(`rule ${one.id} of plugin ${name}`, check),
  );
  const check = () => endless?.check({ vm: { settings: {} } } as never);
  const slow: string[] = [];
  const results = eachInTime(0.05, ["a.vmx", "b.vmx", "c.vmx"], {
    use: (path) => [path, check()],
    tooSlow: (path) => slow.push(path),
  });
  const failed = [{ skip: "rule-failed" }];
  expect([...results]).toEqual(["a.vmx", "b.vmx", "c.vmx"].map((path) => [path, failed]));
  expect([inTime(0.05, check), calls, slow]).toEqual([failed, 1, []]);
  expect(told).toEqual(["acme/endless of ./rules.js: Error: it took too long and was stopped"]);

  // Code of vmlint that is too slow later is not blamed on the rule.
  expect(() =>
    inTime(0.05, () => {
      for (;;);
    }),
  ).toThrow("its check took more than 0.05 seconds");
});

test.each([
  ["on an idle machine", [0.5], 180],
  ["as much longer as work waits for a processor", [3], 270],
  ["but less than a run", [40], 540],
  ["on Windows, which counts no load", [0], 180],
])("a file may take 180 s %s", (_, load, seconds) => expect(secondsAtOnce(load, 2)).toBe(seconds));
