import { describe, expect, test } from "vitest";
import { FACT_TYPES, SETTING_TYPES } from "../../packages/cli/src/plugins/yaml-names.ts";
import { readerOf } from "../../packages/core/src/formats/vmx/keys.ts";
import { deriveTopology, requireHost } from "../../packages/core/src/index.ts";
import type { SettingName } from "../../packages/core/src/model/spec.ts";
import { NO_SETTINGS } from "../../packages/core/src/program.ts";
import { vmlint } from "../support/cli.ts";
import { folder } from "../support/folder.ts";
import { vmOf } from "../support/sample-vm.ts";

const vm = (vcpus: number, more = "") => `virtualHW.version = "20"\nmemSize = "65536"\nnumvcpus = "${vcpus}"\n${more}`;
const rule = (more: Readonly<Record<string, string>> = {}) =>
  JSON.stringify({
    rules: [
      {
        id: "acme/memory-heavy",
        severity: "warning",
        summary: "more memory for each vCPU than our hosts have",
        when: "memoryMiB / vcpus > 16384",
        message: "{memoryMiB / 1024} GiB for {vcpus} vCPUs is {memoryMiB / vcpus / 1024} for each. Our hosts have 16.",
        ...more,
      },
    ],
  });
const FILES = { "few.vmx": vm(2), "many.vmx": vm(8), "silent.vmx": 'virtualHW.version = "20"\nnumvcpus = "2"\n' };
const run = (files: Readonly<Record<string, string>>, ...args: readonly string[]) =>
  vmlint(folder({ ...FILES, ...files }), ["--plugin", "./rules.yaml", "--format", "compact", ...args]);

describe("rules without code", () => {
  test("a condition in CEL finds a VM, at a setting that it names, with a computed message", () => {
    const { code, out, err } = run({ "rules.yaml": rule() });
    const message = "64 GiB for 2 vCPUs is 32 for each. Our hosts have 16.";
    expect([code, out, err]).toEqual([1, `few.vmx:2:12: warning acme/memory-heavy: ${message}\n`, ""]);
    expect(run({ "rules.yaml": rule({ at: "vcpus" }) }).out).toContain("few.vmx:3:13: warning");
  });

  test("an unknown setting makes a skipped check, an absent one makes none", () => {
    const { out, err } = run({ "rules.yaml": rule(), "few.vmx": vm(2).replace('"2"', '"${cpus}"') }, "--stats");
    expect(out).not.toContain("acme/memory-heavy");
    expect(err).toContain("acme/memory-heavy");
  });

  test("a condition can use the host, the topology and the workload", () => {
    const uneven = rule({
      when: "size(topology.vnumaNodes) > 1 && host.sockets == 2 && vcpus > 2",
      message: "{size(topology.vnumaNodes)} nodes",
    });
    expect(run({ "rules.yaml": uneven, "many.vmx": vm(24) }, "--host", "2x16x1:256@8.0").out).toContain(
      "many.vmx:3:13: warning acme/memory-heavy: 2 nodes",
    );
    const sql = rule({ when: 'workload.kind == "mssql" && vcpus < 4', message: "SQL Server needs 4 vCPUs." });
    expect(run({ "rules.yaml": sql }, "--workload", "mssql").out).toContain("few.vmx:3:13: warning acme/memory-heavy: SQL Server needs 4");
  });

  test("a condition can loop over a list with its own variable", () => {
    const small = rule({ when: "topology.vnumaNodes.exists(node, node < 13)", at: "vcpus", message: "A node is small." });
    const files = { "rules.yaml": small, "many.vmx": vm(24) };
    expect(run(files, "--host", "2x16x1:256@8.0").out).toContain("many.vmx:3:13: warning acme/memory-heavy: A node is small.");
  });

  test("severity, suppression, explain and the list of rules work as for any rule", () => {
    const cwd = folder({
      "few.vmx": `# vmlint-disable-file acme/memory-heavy\n${vm(2)}`,
      "rules.yaml": rule({ docs: "They run out of memory." }),
    });
    expect(vmlint(cwd, ["--plugin", "./rules.yaml"]).code).toBe(0);
    expect(vmlint(cwd, ["--plugin", "./rules.yaml", "explain", "acme/memory-heavy"]).out).toContain("They run out of memory.");
    expect(vmlint(cwd, ["--plugin", "./rules.yaml", "rules"]).out).toContain("acme/memory-heavy");
  });

  const examples = (more: object) => rule({ ...(more as Readonly<Record<string, string>>) });
  const BAD = { vmx: vm(2), message: "64 GiB for 2 vCPUs is 32 for each. Our hosts have 16." };

  test("test-rules checks the examples of a rule", () => {
    const cwd = folder({ "rules.yaml": examples({ bad: [BAD, { vmx: vm(3) }], good: [{ vmx: vm(8) }] }) });
    const { code, out, err } = vmlint(cwd, ["--plugin", "./rules.yaml", "test-rules"]);
    expect([code, out, err]).toEqual([0, "acme/memory-heavy: 2 bad, 1 good\n", ""]);
    expect(vmlint(cwd, ["--plugin", "./rules.yaml", "explain", "acme/memory-heavy"]).out).toContain("bad example 1");
  });

  test.each([
    ["a bad example without a finding", { bad: [{ ...BAD, vmx: vm(8) }] }, "acme/memory-heavy: bad example 1 has no finding."],
    ["another message", { bad: [{ ...BAD, message: "Too much." }] }, `has the message "${BAD.message}".`],
    ["a good example with a finding", { good: [{ title: "two", vmx: vm(2) }] }, "acme/memory-heavy: two has a finding: 64 GiB for 2"],
    ["an unknown host", { good: [{ vmx: vm(8), host: "nowhere" }] }, 'acme/memory-heavy: good example 1: There is no host "nowhere"'],
    ["an unknown workload", { good: [{ vmx: vm(8), workload: "msql" }] }, 'rule "acme/memory-heavy": '],
    ["a condition that fails", { when: "vcpus / (vcpus - 8) > 1", good: [{ vmx: vm(8) }] }, "A rule failed on its examples."],
  ])("test-rules reports %s", (_, more, message) => {
    const cwd = folder({ "rules.yaml": examples(more) });
    const { code, err } = vmlint(cwd, ["--plugin", "./rules.yaml", "test-rules"]);
    expect([code, err]).toEqual([2, expect.stringContaining(message)]);
  });

  test("test-rules needs a plugin", () => {
    expect(vmlint(folder({}), ["test-rules"])).toMatchObject({ code: 2, err: expect.stringContaining("--plugin ./rules.yaml test-rules") });
  });

  test.each([
    ["no YAML", "rules: [", "plugin rules.yaml is not YAML"],
    ["no list", "rule: 1", 'rules.yaml:1: there is no key "rule". Did you mean "rules"?'],
    ["a misspelt key", rule({ wehn: "true" }), 'rules.yaml:1: there is no key "rules.0.wehn". Did you mean "when"?'],
    ["a condition that is no text", rule({ when: 5 as unknown as string }), "rules.yaml:1: rules.0.when is missing or not a text."],
    ["a list", "[]", "rules.yaml:1: it is not a mapping with a list of rules."],
    ["a wrong condition", rule({ when: "vcpus >" }), 'rules.yaml:1: rule "acme/memory-heavy": "vcpus >" is not a valid CEL expression: '],
    ["no place", rule({ when: "true", message: "m" }), "it points at no setting: add at: with the name of a setting."],
    ["an id of vmlint", rule({ id: "numa/mine" }), "has a prefix of vmlint's rules"],
    ["no severity", rule({ severity: "grave" }), 'its severity is not valid: "grave"'],
  ])("%s is an error with exit code 2", (_, text, message) => {
    expect(run({ "rules.yaml": text })).toMatchObject({ code: 2, out: "", err: expect.stringContaining(message) });
  });

  test("a condition that fails on a VM skips its rule, and the run reports it", () => {
    const { code, err } = run({ "rules.yaml": rule({ when: "vcpus / (vcpus - 2) > 1" }) });
    expect([code, err]).toEqual([2, expect.stringContaining("rule acme/memory-heavy failed. This is a bug in its plugin rules.yaml")]);
  });

  const lines = (condition: string, message = "m") =>
    `rules:\n  - id: acme/a\n    severity: info\n    summary: s\n    when: ${condition}\n    message: "${message}"\n    at: vcpus\n`;

  test.each<[condition: string, line: number, problem: string]>([
    ["vcpu > 2", 5, 'Unknown variable: vcpu. Did you mean "vcpus"?'],
    ["|-\n      vcpus > 2 &&\n      memory > 4", 7, 'Unknown variable: memory. Did you mean "memoryMiB"'],
    ["vm.vcpus > 2", 5, "Unknown variable: vm. Write a setting without vm."],
    ["host.socket > 2", 5, 'No such key: socket. Did you mean "sockets"?'],
    ["has(host.socket) && vcpus > 2", 5, 'No such key: socket. Did you mean "sockets"?'],
    ["host['socket'] > 2", 5, 'No such key: socket. Did you mean "sockets"?'],
    ["topology.nodes.exists(n, n < 3)", 5, 'No such key: nodes. Did you mean "vnumaNodes"'],
    ["host.esxi.majr > 7", 5, 'No such key: majr. Did you mean "major"?'],
    ["topology.pinning.core > 7", 5, 'No such key: core. Did you mean "cores"?'],
    ["workload.knd == 'mssql'", 5, 'No such key: knd. Did you mean "kind"?'],
    ["vcpus > 'many'", 5, "no such overload: int > string."],
    ["cpuHotAdd == 1", 5, "no such overload: bool == int."],
    ["coresPerSocket > '8'", 5, "no such overload: int > string."],
    ["coresPerSocket == 'automatic'", 5, "no such overload: int == string."],
    ["host.memoryGiB > 'big'", 5, "no such overload: double > string."],
    ["topology.vnumaNodes.exists(n, n == 'x')", 5, "no such overload: int == string."],
    ["guestOs.startWith('win')", 5, "'string.startWith(string)'. Did you mean \"startsWith\"?"],
    ["vcpus + 1", 5, '"vcpus + 1" is int, not a condition.'],
  ])("%s is refused as it loads, with its line and the nearest name", (condition, line, problem) => {
    const { code, out, err } = run({ "rules.yaml": lines(condition) });
    expect([code, out]).toEqual([2, ""]);
    expect(err).toContain(`rules.yaml:${line}: rule "acme/a": `);
    expect(err).toContain(problem);
  });

  test("a wrong message and place are refused, too", () => {
    expect(run({ "rules.yaml": lines("vcpus > 2", "{vcpu}") }).err).toContain('rules.yaml:6: rule "acme/a": "vcpu" is not a valid');
    expect(run({ "rules.yaml": lines("vcpus > 2").replace("at: vcpus", "at: vcpu") }).err).toContain(
      'rules.yaml:7: rule "acme/a": there is no setting "vcpu". Did you mean "vcpus"?',
    );
  });

  test.each([
    "coresPerSocket == 'auto' || coresPerSocket > 1",
    "cpuAffinity != 'all' && size(cpuAffinity) > 1",
    "host.memoryGiB / vcpus > 2 && host.memoryGiB / 2.0 > 1",
    "host.mhz > 2000",
    "has(host.esxi.update) || vcpus > 1",
    "topology.usableVcpus < 3 || topology.pinning.cores > 1",
    "workload.kind in ['mssql', 'oracle'] && workload.version != '2019'",
  ])("%s runs, also where a host or VM has no such fact", (condition) => {
    const { code, err } = run({ "rules.yaml": lines(condition) }, "--host", "2x16x1:256@8.0", "--workload", "mssql");
    expect([err, code]).toEqual(["", expect.any(Number)]);
    expect(code).toBeLessThan(2);
  });

  test("every setting, and every fact of a VM on its host, has the type that its value has", () => {
    expect(Object.keys(SETTING_TYPES).sort()).toEqual(Object.keys(NO_SETTINGS).sort());
    for (const [name, type] of Object.entries(SETTING_TYPES)) {
      const read = ["8", "TRUE", "0,1", "high"]
        .map((text) => readerOf(name as SettingName)(text, [0, 1]))
        .find(({ state }) => state === "known");
      expect([name, read && "value" in read && celOf(read.value)]).toEqual([name, type.split(" or ")[0]]);
    }
    const host = requireHost("2x16x2:256@8.0");
    const read = deriveTopology(vmOf(`${vm(24)}sched.cpu.affinity = "0-47"\n`), host);
    if (!read.ok) throw new Error("no topology");
    expect(misfits({ ...host, mhz: 2400.5 }, FACT_TYPES.host)).toEqual([]);
    expect(misfits(read.topology, FACT_TYPES.topology)).toEqual(["reasons"]);
  });
});

const celOf = (value: unknown): string =>
  Array.isArray(value)
    ? `list<${celOf(value[0])}>`
    : typeof value === "number"
      ? "int"
      : typeof value === "boolean"
        ? "bool"
        : typeof value;

/** The names of parts without a type, or of another type. */
const misfits = (value: object, types: object): readonly string[] =>
  Object.entries(value).flatMap(([name, part]) => {
    const type = (types as Readonly<Record<string, unknown>>)[name];
    if (part === null || (Array.isArray(part) && part.length === 0 && type !== undefined)) return [];
    if (typeof type === "object" && type !== null) return misfits(part, type).map((each) => `${name}.${each}`);
    return type === celOf(part) || (type === "double" && celOf(part) === "int") ? [] : [name];
  });
