import { defineRule, deriveTopology, lintVm, requireHost } from "@vmlint/core";
import { possibleTopologies } from "@vmlint/core/program";
import { expect, test } from "vitest";
import { vmOf } from "../support/sample-vm.ts";

const HOST = "2x20x2:768@8.0";
const VM = vmOf('virtualHW.version = "19"\nnumvcpus = "48"');

test.each([
  ["other", deriveTopology],
  ["kvm", deriveTopology],
  ["other", possibleTopologies],
  ["kvm", possibleTopologies],
] as const)("a VM of another hypervisor (%s) has no layout, and the result gives the reason", (platform, answer) => {
  const result = answer({ ...VM, platform }, requireHost(HOST));
  expect(result).toMatchObject({ ok: false, because: "other-platform" });
  expect(!result.ok && result.reasons.map(({ text }) => text)).toEqual([
    "this VM is for another hypervisor than ESXi, whose layout vmlint does not know",
  ]);
});

test.each(["esxi", "desktop", "unknown"] as const)("one for %s has", (platform) => {
  expect(deriveTopology({ ...VM, platform }, requireHost(HOST)).ok).toBe(true);
});

test("rules are for ESXi unless they say otherwise", () => {
  const plain = { vcpus: 48, coresPerSocket: 5, hardwareVersion: 19, latencySensitivity: "low" } as const;
  const { findings, skipped } = lintVm({ ...plain, platform: "other" }, { host: HOST });
  expect(findings).toEqual([]);
  const onDesktop = lintVm({ ...plain, platform: "desktop" }, { host: HOST }).findings;
  expect(onDesktop.map(({ ruleId }) => ruleId)).toEqual(["vmx/too-large-for-desktop", "cpu/cps-divides"]);
  expect(skipped.filter(({ reason }) => reason === "other-platform").length).toBeGreaterThan(3);
});

test("a plugin's rule counts, too", () => {
  const rule = (more: object) =>
    defineRule({
      ...{ id: "acme/one", since: "1.0.0", severity: "warning", summary: "", why: "", whenNot: "", evidence: null, sources: [], good: [] },
      ...more,
      reads: ["vcpus"],
      messages: { some: () => "It has vCPUs." },
      bad: [],
      *check({ vm: { vcpus, range } }) {
        yield { messageId: "some", at: vcpus?.range ?? range };
      },
    });
  const found = (more: object) => lintVm({ vcpus: 4, platform: "other" }, { rules: [rule(more)] });
  expect(found({})).toEqual({ findings: [], skipped: [{ ruleId: "acme/one", reason: "other-platform" }] });
  expect(found({ for: "any" }).findings.map(({ message }) => message)).toEqual(["It has vCPUs."]);
});
