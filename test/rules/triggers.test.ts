import { defineRule, lint, openWorkspace, type Rule, rules, WORKLOAD_KINDS, type Workload } from "@vmlint/core";
import { rulesOf } from "@vmlint/core/plugins";
import { EMPTY_CONFIG, targetOf } from "@vmlint/core/program";
import fc from "fast-check";
import { expect, test } from "vitest";
import { vmChecker, withoutAdvice } from "../../packages/core/src/lint/check-vm.ts";
import { NO_SETTINGS } from "../../packages/core/src/model/spec.ts";
import { anyHost, anyVmx } from "../support/arbitraries.ts";
import { PAGE } from "../support/plugin-page.ts";
import { vmOf } from "../support/sample-vm.ts";

const anyWorkload: fc.Arbitrary<Workload | undefined> = fc.option(
  fc.record(
    {
      kind: fc.constantFrom(...WORKLOAD_KINDS),
      edition: fc.constantFrom("enterprise", "standard", "web", "express", "bi", "developer"),
      version: fc.constantFrom("2008r2", "2012", "2014", "2016", "2017", "2019", "2022", "2025"),
      licensing: fc.constantFrom("core", "server-cal"),
      maxdop: fc.constantFrom(0, 1, 8),
      costThreshold: fc.constantFrom(5, 50),
      environment: fc.constantFrom("tier-1", "production", "test"),
      profile: fc.constantFrom("oltp", "warehouse"),
      data: fc.constant(["scsi0:1"]),
      log: fc.constant(["scsi0:2"]),
      faultTolerance: fc.boolean(),
    },
    { requiredKeys: ["kind"] },
  ),
  { nil: undefined },
);

/** A VM that states nothing. */
const EMPTY = { ...vmOf('config.version = "8"'), settings: NO_SETTINGS, scsiControllers: [] };

/** The same rules without triggers, so that they run on every VM. A rule that has only triggers keeps them. */
const withoutTriggers = rules.map((rule): Rule => (hasOnlyTriggers(rule) ? rule : { ...rule, on: undefined }));

function hasOnlyTriggers(rule: Rule): boolean {
  return rule.applies(EMPTY, undefined) === true;
}

/** Settings and devices that `anyVmx` does not produce. */
const MORE = [
  'guestOS = "windows9-64"',
  'guestOS = "windows2019srv-64"',
  'guestOS = "rhel8-64"',
  'memSize = "3072"',
  'memSize = "600001"',
  'mem.hotadd = "TRUE"',
  'sched.cpu.latencySensitivity = "high"',
  'sched.cpu.latencySensitivity = "low"',
  'sched.cpu.min = "9000"',
  'sched.cpu.max = "100"',
  'sched.mem.min = "4096"',
  'sched.mem.max = "512"',
  'sched.mem.pin = "TRUE"',
  'sched.mem.affinity = "0"',
  'vcpu.maxPerMachineNode = "4"',
  'scsi0.present = "TRUE"\nscsi0.virtualDev = "buslogic"\nscsi0:7.present = "TRUE"\nscsi0:7.fileName = "a.vmdk"',
  'scsi1.present = "TRUE"\nscsi1.virtualDev = "lsilogic"\nscsi1:0.present = "TRUE"\nscsi1:0.fileName = "b.vmdk"',
  'ethernet0.present = "TRUE"\nethernet0.virtualDev = "e1000"',
];

test("a VM without the triggers of a rule has no finding of this rule", () => {
  fc.assert(
    fc.property(anyVmx, fc.subarray(MORE), anyHost, anyWorkload, (settings, more, host, workload) => {
      const text = [settings, ...more].join("\n");
      const target = { ...targetOf(EMPTY_CONFIG, host)(vmOf(text), () => "a.vmx"), selects: () => true, ...(workload && { workload }) };
      const [triggered, all] = [rules, withoutTriggers].map((some) => lint(text, { target, rules: some }));
      expect(triggered?.diagnostics).toEqual(all?.diagnostics);
      expect(triggered?.skipped).toEqual(all?.skipped);
    }),
  );
});

test("a rule that finds nothing without a look at the workload finds nothing with any workload", () => {
  const check = vmChecker(rules, withoutAdvice);
  fc.assert(
    fc.property(anyVmx, fc.subarray(MORE), anyHost, fc.constantFrom(...WORKLOAD_KINDS), (settings, more, host, kind) => {
      const spec = vmOf([settings, ...more].join("\n"));
      const target = { ...targetOf(EMPTY_CONFIG, host)(spec, () => "a.vmx"), selects: () => true };
      const silent = new Set<Rule>();
      expect([...check({ spec, target }, { count: 0, silent })]).toBeDefined();
      const again = [...check({ spec, target: { ...target, workload: { kind } } })];
      expect(again.filter(({ ruleId }) => [...silent].some(({ id }) => id === ruleId))).toEqual([]);
    }),
  );
});

test("a rule that never applies to an empty VM declares what it runs on", () => {
  const kinds: readonly (Workload | undefined)[] = [undefined, ...WORKLOAD_KINDS.map((kind) => ({ kind, faultTolerance: true }) as const)];
  const facts = ["tier-1", "production", "test"].flatMap((environment) => kinds.map((one) => one && ({ ...one, environment } as Workload)));
  const silent = rules.filter(
    ({ over, on, applies }) => over === "vm" && on === undefined && facts.every((workload) => applies(EMPTY, workload) === false),
  );
  // It needs the disks of data and log, which only an owner names.
  expect(silent.map(({ id }) => id)).toEqual(["storage/data-log-same-controller"]);
});

test.each([1, 3, 4, 6, 20])("a plugin whose `applies` reads the VM's name works for %i files", (count) => {
  const rule = defineRule({
    id: "acme/named",
    ...PAGE,
    severity: "warning",
    docsUrl: "https://acme.example/named",
    for: "any",
    messages: { found: () => "found" },
    // As JavaScript may write it.
    applies: (_, vm) => (vm as unknown as { readonly name: string }).name.startsWith("sql"),
    *check({ vm }) {
      yield { messageId: "found", at: vm.range };
    },
  });
  const plugins = rulesOf([{ name: "acme", exports: { rules: [rule] } }], (_, __, error) => expect.fail(String(error)));
  const found = Array.from({ length: count }, (_, i) => lint(`displayName = "sql${i}"\nnumvcpus = "2"\n`, { rules: plugins }).diagnostics);
  expect(found.map(({ length }) => length)).toEqual(Array.from({ length: count }, () => 1));
});

test("a built-in rule that throws is skipped with its error, and all other rules run", () => {
  const broken: Rule = {
    ...(rules.find(({ id }) => id === "cpu/cps-divides") as Rule),
    check: () => {
      throw new Error("broken");
    },
  };
  const { diagnostics, skipped } = lint('numvcpus = "4"\ncpuid.coresPerSocket = "3"\nsched.cpu.latencySensitivity = "low"\n', {
    rules: rules.map((rule) => (rule.id === broken.id ? broken : rule)),
  });
  expect(skipped).toContainEqual({ ruleId: broken.id, reason: "rule-failed", fault: expect.stringContaining("broken") });
  expect(diagnostics.map(({ ruleId }) => ruleId)).toContain("latency/low-medium-no-effect");
});

test("a built-in rule over several VMs that throws is skipped with its error", async () => {
  const broken = rules.map(
    (rule): Rule =>
      rule.over === "host"
        ? {
            ...rule,
            checkHost: () => {
              throw new Error("broken");
            },
          }
        : rule,
  );
  const text = 'virtualHW.version = "19"\nnumvcpus = "24"\nmemSize = "4096"\n';
  const workspace = openWorkspace({ files: { "a.vmx": text, "b.vmx": text }, host: "2x10x2@8.0", together: true, rules: broken });
  const { skipped, vms } = await workspace.check();
  expect(vms).toHaveLength(2);
  expect(skipped).toContainEqual(expect.objectContaining({ ruleId: "host/overcommit", fault: expect.stringContaining("broken") }));
});
