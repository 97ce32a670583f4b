import { rulesOf } from "@vmlint/core/plugins";
import { expect, test } from "vitest";
import { secondsAtOnce } from "../../packages/cli/src/budget.ts";
import { orFault, tellFaults } from "../../packages/cli/src/fault.ts";
import type { Io } from "../../packages/cli/src/io.ts";
import { runRule } from "../../packages/cli/src/running-rule.ts";
import { inTime } from "../../packages/cli/src/time-limit.ts";

const [endless] = rulesOf(
  [
    {
      name: "./rules.js",
      exports: {
        rules: [
          {
            id: "acme/endless",
            severity: "warning",
            summary: "never ends",
            messages: { never: "never" },
            check: () => {
              for (;;);
            },
          },
        ],
      },
    },
  ],
  () => {},
  (rule, name, check) => runRule(`rule ${rule.id} of plugin ${name}`, check),
);

test("a plugin rule that never ends is named, and is no bug in vmlint", () => {
  const check = () => inTime(0.05, () => endless?.check({ vm: { settings: {} } } as never));
  const stopped = "rule acme/endless of plugin ./rules.js took more than 0.05 seconds";
  expect(check).toThrow(expect.objectContaining({ name: "TooSlow", message: stopped }));

  const faults = new Map<string, string>();
  const told: string[] = [];
  const io = { cwd: "/w", err: (text: string) => told.push(text) } as unknown as Io;
  orFault(["/w/a.vmx"], faults, check);
  expect(tellFaults(faults, io)).toBe(false);
  expect(told).toEqual([`vmlint: a.vmx is not checked: ${stopped}.\n`]);

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
