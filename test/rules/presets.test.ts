import { lint, requireHost, rules } from "@vmlint/core";
import { parseConfig } from "@vmlint/core/config";
import { isIn, PRESETS, targetOf } from "@vmlint/core/program";
import { describe, expect, test } from "vitest";

const inPreset = (preset: (typeof PRESETS)[number]) => rules.filter((rule) => isIn(rule, preset)).map(({ id }) => id);

describe("presets", () => {
  test("each by level has all of the one before it, and the last has every rule that is not opt-in, or names it", () => {
    const [recommended, strict, all] = [inPreset("recommended"), inPreset("strict"), inPreset("all")];
    expect(strict).toEqual(expect.arrayContaining(recommended));
    expect(strict.length).toBeGreaterThan(recommended.length);
    expect(all.length).toBeGreaterThan(strict.length);
    expect(all).toEqual(rules.filter(({ optIn, presets = [] }) => !optIn || presets.includes("strict")).map(({ id }) => id));
  });

  test.each([
    ["numa/wide-uneven", ["recommended", "strict", "all"]],
    // A note with one more severe message.
    ["host/overcommit", ["recommended", "strict", "all"]],
    ["numa/expose-hotadd-dead", ["strict", "all"]],
    ["host/unbalanced-mix", ["all"]],
    // about one workload
    ["mssql/standard-sockets", ["recommended", "strict", "all", "mssql"]],
    ["mssql/cost-threshold", ["all", "mssql"]],
    ["hana/mem-reservation", ["recommended", "strict", "all", "hana"]],
    // about several
    ["storage/single-controller", ["strict", "all", "mssql", "oracle", "hana"]],
    ["net/e1000", ["recommended", "strict", "all", "mssql", "oracle", "hana", "latency", "imdg"]],
    // This rule lists its own preset.
    ["mssql/maxdop", ["recommended", "strict", "all", "mssql"]],
    ["ft/latency", ["recommended", "strict", "all", "ft"]],
    // Presets by severity include every parser rule.
    ["vmx/unreadable", ["recommended", "strict", "all"]],
    // Opt-in, unless its own list names a preset.
    ["suppression/no-reason", ["strict", "all"]],
  ])("%s is in %j", (id, expected) => {
    const [rule] = rules.filter((candidate) => candidate.id === id);
    expect(rule && PRESETS.filter((preset) => isIn(rule, preset))).toEqual(expected);
  });

  test("no preset is empty, except the one for turning off guesses", () => {
    expect(inPreset("no-guesses")).toEqual([]);
    for (const preset of PRESETS.filter((one) => one !== "no-guesses")) expect(inPreset(preset), preset).not.toEqual([]);
  });
});

describe("extends: of a configuration", () => {
  const vmx = `numvcpus = "8"\nsched.cpu.latencySensitivity = "low"`;
  const found = (config: string) => {
    const read = parseConfig(`workload: { kind: mssql, costThreshold: 5 }\n${config}`, "vmlint.yaml");
    return lint(vmx, { target: (vm) => targetOf(read)(vm, () => "a.vmx") }).diagnostics.map(
      ({ ruleId, severity }) => `${severity} ${ruleId}`,
    );
  };
  test.each([
    ["", []],
    ["extends: [recommended]", []],
    ["extends: [strict]", ["info latency/low-medium-no-effect"]],
    ["extends: [all]", ["hint mssql/cost-threshold", "info latency/low-medium-no-effect"]],
    ["extends: [recommended, mssql]", ["hint mssql/cost-threshold"]],
    ["extends: [recommended, oracle]", []],
    ["extends: [recommended, latency]", ["info latency/low-medium-no-effect"]],
    // `rules:` enables a rule in every preset.
    ["rules: { mssql/cost-threshold: warning }", ["warning mssql/cost-threshold"]],
    ["extends: [all]\nrules: { mssql/cost-threshold: off }", ["info latency/low-medium-no-effect"]],
  ])("%j", (config, expected) => {
    expect(found(config)).toEqual(expected);
  });

  test("a preset that does not exist is refused", () => {
    expect(() => parseConfig("extends: [sql]", "vmlint.yaml")).toThrow(
      `vmlint.yaml:1:11: extends.0 must be one of ${PRESETS.join(", ")}, root, or a file such as ./base.yaml.`,
    );
  });

  test("without a configuration the library runs every rule", () => {
    const { diagnostics } = lint(vmx, { target: { host: requireHost("r640") } });
    expect(diagnostics.map(({ ruleId }) => ruleId)).toContain("latency/low-medium-no-effect");
  });
});
