import { expect, test } from "vitest";
import { misspelt, TUNING_FAMILIES, TUNING_KEYS } from "../../packages/core/src/formats/misspelt.ts";
import { KEY_DOCS, keyDoc } from "../../packages/core/src/formats/vmx/key-docs.ts";
import { VMX_KEYS } from "../../packages/core/src/formats/vmx/keys.ts";

test.each([
  ["one letter wrong", "numa.vcpu.minn", "numa.vcpu.min"],
  ["two letters wrong", "numa.vcpu.prefferhtt", "numa.vcpu.preferHT"],
  ["three letters wrong: it may be another key", "numa.vcpu.prefferhttt", undefined],
  ["known, in lower case", "sched.cpu.latencysensitivity", undefined],
  ["a vCPU's own affinity", "sched.vcpu3.affinity", undefined],
  ["a CPUID mask", "cpuid.80000001.ecx.amd", undefined],
])("%s", (_, key, meant) => expect(misspelt(key)).toBe(meant));

test("keys of settings and documented keys are never slips", () => {
  for (const [key] of Object.values(VMX_KEYS)) {
    expect(misspelt(key.toLowerCase()), key).toBeUndefined();
    expect(keyDoc(key), key).toBeDefined();
  }
});

test("known keys of three families have an explanation, and explained keys are known", () => {
  const explained = KEY_DOCS.map(({ key }) => key).filter((key) => TUNING_FAMILIES.some((family) => key.startsWith(family)));
  expect([...TUNING_KEYS].sort()).toEqual(explained.filter((key) => !key.includes("<N>")).sort());
  // Keys with a number match a pattern.
  for (const key of explained.filter((name) => name.includes("<N>"))) {
    expect(misspelt(key.toLowerCase().replace("<n>", "0").replace("<m>", "1")), key).toBeUndefined();
  }
});
