import { describe, expect, test } from "vitest";
import { vmlint } from "../support/cli.ts";
import { folder } from "../support/folder.ts";

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
    ["a condition that fails", { when: "vcpus > 'many'", good: [{ vmx: vm(8) }] }, "A rule failed on its examples."],
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
    ["no list", "rule: 1", 'rules.yaml: there is no key "rule".'],
    ["a misspelt key", rule({ wehn: "true" }), 'rules.yaml: there is no key "rules.0.wehn".'],
    ["a condition that is no text", rule({ when: 5 as unknown as string }), "rules.yaml: rules.0.when is missing or not a text."],
    ["a list", "[]", "rules.yaml: it is not a mapping with a list of rules."],
    ["a wrong condition", rule({ when: "vcpus >" }), 'rules.yaml: rule "acme/memory-heavy": "vcpus >" is not a valid CEL expression: '],
    [
      "a misspelt setting",
      rule({ when: "vcpu > 2" }),
      'rules.yaml: rule "acme/memory-heavy": "vcpu > 2" is not a valid CEL expression: Unknown variable: vcpu.',
    ],
    ["no place", rule({ when: "true", message: "m" }), "it points at no setting: add at: with the name of a setting."],
    ["an id of vmlint", rule({ id: "numa/mine" }), "has a prefix of vmlint's rules"],
    ["no severity", rule({ severity: "grave" }), 'its severity is not valid: "grave"'],
  ])("%s is an error with exit code 2", (_, text, message) => {
    expect(run({ "rules.yaml": text })).toMatchObject({ code: 2, out: "", err: expect.stringContaining(message) });
  });

  test("a condition that fails on a VM skips its rule, and the run reports it", () => {
    const { code, err } = run({ "rules.yaml": rule({ when: "vcpus > 'many'" }) });
    expect([code, err]).toEqual([2, expect.stringContaining("rule acme/memory-heavy failed. This is a bug in its plugin rules.yaml")]);
  });
});
