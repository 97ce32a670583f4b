import { type Rule, requireHost, type SettingName, type Target, type VmSpec } from "@vmlint/core";
import { expect, test } from "vitest";
import { OF_TEMPLATE } from "../../packages/core/src/formats/inherited.ts";
import type { Skip } from "../../packages/core/src/model/diagnostic.ts";
import { mistyped, type Setting, unknown } from "../../packages/core/src/model/source.ts";
import { unsetReason } from "../../packages/core/src/model/unset-variable.ts";
import { lintWith, ruleThat } from "../support/lint-with.ts";
import { vmOf } from "../support/sample-vm.ts";

const SMALL = vmOf('numvcpus = "2"');
const LARGE = vmOf('numvcpus = "8"');
const EXPORTED: VmSpec = { ...SMALL, exportHosts: "export them with RVTools" };
const HOST = requireHost("2x12x2:256@8.0");
const OTHER_HOST = { ...requireHost("2x8x2:128@7.0"), name: HOST.name };
const AT = [0, 1] as const;

const withUnknown = (vm: VmSpec, more: Partial<Record<SettingName, Setting<never>>>): VmSpec => ({
  ...vm,
  settings: { ...vm.settings, ...more },
});
const open = unknown("a data source has it", AT);
const inherited = unknown(OF_TEMPLATE, AT);
const unset = (name: string, ...foundIn: readonly string[]) => unknown(unsetReason(name, foundIn), AT);

type Row = readonly [vm: VmSpec, target: Target, skip: Omit<Skip, "ruleId" | "reason">];

/** The skipped checks of VMs that one rule skips, one after another. */
const TABLES: Readonly<Record<string, readonly [rule: Rule, rows: readonly Row[]]>> = {
  "no-host": [
    ruleThat(() => [], { needs: ["host"], for: "any" }),
    [
      [SMALL, {}, { input: { hostHint: expect.stringMatching(/^--host /), fits: true } }],
      [LARGE, {}, { input: { hostHint: expect.stringMatching(/^--host /), fits: false } }],
      [withUnknown(SMALL, { vcpus: open }), {}, { input: { hostHint: expect.stringMatching(/^--host /) } }],
      [EXPORTED, {}, { input: { hostHint: expect.stringMatching(/^--host /), exportHosts: "export them with RVTools", fits: true } }],
      [{ ...SMALL, platform: "kvm" }, {}, { input: { hostHint: expect.stringContaining("virsh") } }],
    ],
  ],
  "no-esxi-version": [
    ruleThat(() => [{ skip: "no-esxi-version" }]),
    [
      [SMALL, { host: HOST }, { input: { host: HOST } }],
      [SMALL, { host: OTHER_HOST }, { input: { host: OTHER_HOST } }],
      [EXPORTED, { host: HOST }, { input: { host: HOST } }],
      [EXPORTED, { host: HOST, hostSource: "inventory" }, { input: { host: HOST, exportHosts: "export them with RVTools" } }],
      [SMALL, { host: HOST, hostSource: "inventory" }, { input: { host: HOST } }],
      [SMALL, {}, { input: {} }],
    ],
  ],
  "host-incomplete": [
    ruleThat(({ vcpus }) => [{ skip: "host-incomplete", lacks: [vcpus === 2 ? "memoryGiB" : "mhz"] }], { reads: ["vcpus"] }),
    [
      [SMALL, { host: HOST }, { lacks: ["memoryGiB"], input: { host: HOST } }],
      [LARGE, { host: HOST }, { lacks: ["mhz"], input: { host: HOST } }],
    ],
  ],
  "workload-incomplete": [
    ruleThat(({ vcpus }) => [{ skip: "workload-incomplete", ...(vcpus === 2 && { lacks: ["edition"] as const }) }], { reads: ["vcpus"] }),
    [
      [SMALL, {}, { lacks: ["edition"] }],
      [LARGE, {}, {}],
      [LARGE, { workload: { kind: "mssql" } }, { input: { workload: { kind: "mssql" } } }],
      [LARGE, { workload: { kind: "mssql", version: "2019" } }, { input: { workload: { kind: "mssql", version: "2019" } } }],
      [
        vmOf('# vmlint: workload=mssql\nnumvcpus = "8"'),
        { workload: { kind: "mssql" } },
        { input: { workload: { kind: "mssql" }, isCommented: true } },
      ],
    ],
  ],
  "unknown-value": [
    ruleThat(() => [], { reads: ["guestOs", "memoryMiB"] }),
    [
      [withUnknown(SMALL, { guestOs: open }), {}, { needs: ["guestOs"], input: { cause: "open" } }],
      [withUnknown(SMALL, { guestOs: open, memoryMiB: inherited }), {}, { needs: ["guestOs", "memoryMiB"], input: { cause: "template" } }],
      [
        withUnknown({ ...SMALL, clonedFrom: "rhel" }, { memoryMiB: inherited }),
        {},
        { needs: ["memoryMiB"], input: { cause: "template", template: "rhel" } },
      ],
      [withUnknown({ ...SMALL, clonedFrom: "rhel" }, { memoryMiB: open }), {}, { needs: ["memoryMiB"], input: { cause: "open" } }],
      [withUnknown(EXPORTED, { memoryMiB: open }), {}, { needs: ["memoryMiB"], input: { cause: "export" } }],
      [withUnknown(EXPORTED, { memoryMiB: mistyped("a number", AT) }), {}, { needs: ["memoryMiB"], input: { cause: "mistyped" } }],
      [
        withUnknown(SMALL, { guestOs: unset("os", "a.tfvars"), memoryMiB: unset("size") }),
        {},
        {
          needs: ["guestOs", "memoryMiB"],
          unset: [
            { name: "var.os", foundIn: ["a.tfvars"] },
            { name: "var.size", foundIn: [] },
          ],
          input: { cause: "open" },
        },
      ],
      [
        withUnknown(SMALL, { guestOs: unset("os"), memoryMiB: unset("os") }),
        {},
        { needs: ["guestOs", "memoryMiB"], unset: [{ name: "var.os", foundIn: [] }], input: { cause: "open" } },
      ],
      [withUnknown({ ...SMALL, changes: true }, { memoryMiB: open }), {}, { needs: ["memoryMiB"], input: { cause: "existing" } }],
      [withUnknown({ ...SMALL, hasUnknownCount: true }, { memoryMiB: open }), {}, { needs: ["memoryMiB"], input: { cause: "count" } }],
    ],
  ],
  "placement-unknown": [ruleThat(() => [{ skip: "placement-unknown" }]), [[SMALL, { host: HOST }, {}]]],
};

test.each(Object.entries(TABLES))("a check that is skipped for %s names its reasons, whatever VM came before", (reason, [rule, rows]) => {
  const all = [rule];
  for (const [vm, target, more] of [...rows, ...rows])
    expect(lintWith(vm, all, target).skips).toStrictEqual([{ ruleId: "acme/any", reason, ...more }]);
});

test("a layout depends on settings that its rule does not read", () => {
  const skips = (rule: Rule) => lintWith(withUnknown(SMALL, { vcpus: open, guestOs: open }), rule, { host: HOST }).skips;
  expect(skips(ruleThat(() => [], { reads: ["guestOs"], needs: ["topology"] }))).toMatchObject([{ needs: ["guestOs", "vcpus"] }]);
  expect(skips(ruleThat(() => [{ skip: "unknown-value" }]))).toStrictEqual([{ ruleId: "acme/any", reason: "unknown-value" }]);
});
