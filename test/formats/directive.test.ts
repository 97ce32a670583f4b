import { lint } from "@vmlint/core";
import { parseConfig } from "@vmlint/core/config";
import { parseVmx, targetOf } from "@vmlint/core/program";
import { yaml } from "@vmlint/core/yaml";
import { describe, expect, test } from "vitest";

const workload = (text: string, config = "{}") => {
  const read = parseConfig(config, "vmlint.yaml");
  const { vms } = lint(text, { target: (vm) => targetOf(read)(vm, () => "a.vmx") });
  return vms[0]?.target.workload;
};
const problems = (comment: string) => parseVmx(`# vmlint: ${comment}\nnumvcpus = "4"`).problems.map(({ data }) => data);

describe("a vmlint: comment declares a workload", () => {
  test("with all its facts", () => {
    const comment =
      "workload=MSSQL edition=standard version=2022 licensing=core update=11 maxdop=0 costThreshold=50 concurrency=64 profile=oltp environment=tier-1 data=scsi1:0,scsi1:1 log=SCSI2:0 faultTolerance=TRUE";
    expect(workload(`# vmlint: ${comment}\nnumvcpus = "4"`)).toEqual({
      kind: "mssql",
      edition: "standard",
      version: "2022",
      licensing: "core",
      update: 11,
      maxdop: 0,
      costThreshold: 50,
      concurrency: 64,
      profile: "oltp",
      environment: "tier-1",
      data: ["scsi1:0", "scsi1:1"],
      log: ["scsi2:0"],
      faultTolerance: true,
    });
    expect(problems(comment)).toEqual([]);
  });

  test("without a kind it adds to the one around it, and alone it is none", () => {
    const text = `# vmlint: data=scsi1:0 maxdop=4\nnumvcpus = "4"`;
    expect(workload(text, "workload: { kind: oracle, maxdop: 8 }")).toEqual({ kind: "oracle", maxdop: 4, data: ["scsi1:0"] });
    expect(workload(text)).toBeUndefined();
  });

  test("with a kind it stands for itself", () => {
    expect(workload(`# vmlint: workload=oracle\nnumvcpus = "4"`, "workload: { kind: mssql, maxdop: 8 }")).toEqual({ kind: "oracle" });
  });

  test.each([
    ["maxdop=-1", "a whole number of 0 or more"],
    ["maxdop=four", "a whole number of 0 or more"],
    ["concurrency=0", "a positive whole number"],
    ["data=disk1", "disks such as scsi1:0,scsi1:1"],
    ["log=scsi1:0,", "disks such as scsi1:0,scsi1:1"],
    ["faultTolerance=on", "true or false"],
  ])("%s is refused", (comment, allowed) => {
    const [word, value] = comment.split("=");
    expect(problems(comment)).toEqual([{ word, value, allowed: [allowed] }]);
    const [found] = lint(`# vmlint: ${comment}\nnumvcpus = "4"`).diagnostics;
    expect(found?.message).toBe(`${word} cannot be "${value}". It is ${allowed}.`);
  });
});

test.each<[string, object[]]>([
  ["workload=mssql workload=latency", [{ word: "workload", first: "mssql", last: "latency" }]],
  ["host=lab host=Lab", [{ word: "host", first: "lab", last: "Lab" }]],
  ["workload=mssql workload=MSSQL", []],
  ["workload=mssql\n# vmlint: workload=latency", []],
])("# vmlint: %s: contradicting words in one comment are reported", (comment, expected) => {
  expect(problems(comment)).toEqual(expected);
  expect(workload(`# vmlint: ${comment}\nnumvcpus = "4"`)?.kind).toBe(/workload=(\w+)$/.exec(comment)?.[1]?.toLowerCase());
});

describe("an incomplete vmlint: comment", () => {
  const messages = (comment: string) => lint(`${comment}\nnumvcpus = "4"`).diagnostics.map(({ message }) => message);
  const without = (word: string, example: string) => `${word} has no value: write it without a space, such as ${word}=${example}.`;

  test.each([
    ["host", "4x10x2@8.0"],
    ["workload", "mssql"],
    ["maxdop", "8"],
    ["concurrency", "8"],
    ["data", "scsi1:0"],
    ["faultTolerance", "true"],
  ])("%s without a value gets advice, and the advice is valid", (word, example) => {
    expect(messages(`# vmlint: ${word}`)).toEqual([without(word, example)]);
    expect(messages(`# vmlint: ${word}= edition=web`)).toEqual([without(word, example)]);
    expect(messages(`# vmlint: ${word}=${example}`)).toEqual([]);
  });

  test("spaces around = are one mistake", () => {
    expect(messages("# vmlint: workload = mssql")).toEqual([without("workload", "mssql")]);
  });

  test.each([
    ["HOST=r640", "HOST", "host"],
    ["workload: mssql=", "workload:", "workload"],
  ])("%s gets the similar word as a suggestion", (comment, word, nearest) => {
    expect(messages(`# vmlint: ${comment}`)[0]).toContain(
      `"${word}" is not a keyword of a vmlint comment. Did you mean ${nearest}=...? It takes`,
    );
  });

  test("an empty comment gets a list of its words, at its place", () => {
    for (const comment of ["# vmlint:", "#vmlint: "]) {
      const [found, ...others] = lint(`${comment}\nnumvcpus = "4"`).diagnostics;
      expect([found?.messageId, found?.range, others]).toEqual(["empty", [0, comment.trim().length], []]);
    }
  });
});

describe("a VM spec declares the same", () => {
  const spec = (facts: string, more = "vcpus: 4") =>
    yaml.parse(`apiVersion: vmlint.dev/v1\nkind: VirtualMachine\nworkload: ${facts}\nspec:\n  ${more}\n`);

  test("lists and flags too", () => {
    const { vms, problems: found } = spec(
      '{ kind: hana, environment: production, data: ["scsi1:0", "scsi1:1"], faultTolerance: false, maxdop: 0 }',
    );
    expect(found).toEqual([]);
    expect([...(vms[0]?.directive ?? [])].map(([word, { value }]) => [word, value])).toEqual([
      ["workload", "hana"],
      ["maxdop", "0"],
      ["environment", "production"],
      ["data", "scsi1:0,scsi1:1"],
      ["faultTolerance", "false"],
    ]);
  });

  test("mistakes are named", () => {
    expect(spec("{ kind: mssql, concurrency: none }").problems).toMatchObject([
      { ruleId: "spec/directive", messageId: "value", data: { word: "concurrency", value: "none" } },
    ]);
    expect(spec("{ kind: mssql, maxdopp: 4 }").problems).toMatchObject([{ ruleId: "spec/unknown-key", data: { nearest: "maxdop" } }]);
  });

  test("disks have a provisioning type and filters; passthrough devices are listed", () => {
    const { vms, problems: found } = spec(
      "{ kind: mssql }",
      'disks: [{ bus: "scsi0:0", provisioning: Eager, ioFilters: [cache] }, { bus: "scsi0:1" }, { bus: "scsi0:2", provisioning: "{{ p }}" }]\n  passthrough: [{ id: pciPassthru0 }, {}]',
    );
    expect(found).toEqual([]);
    expect(vms[0]?.devices()).toMatchObject({
      disks: [
        { id: "scsi0:0", provisioning: { state: "known", value: "eager" }, ioFilters: ["cache"] },
        { id: "scsi0:1", provisioning: { state: "absent" }, ioFilters: [] },
        { id: "scsi0:2", provisioning: { state: "unknown" } },
      ],
      passthrough: [{ id: "pciPassthru0" }, { id: "passthrough 2" }],
    });
  });
});

test("a .vmx lists the devices it passes through, each at its key", () => {
  const text = `numvcpus = "4"\npciPassthru0.present = "TRUE"\npciPassthru1.present = "FALSE"\npciPassthru2.present = "TRUE"`;
  const devices = parseVmx(text).vms[0]?.devices();
  expect(devices?.passthrough?.map(({ id, range }) => [id, text.slice(...range)])).toEqual([
    ["pciPassthru0", "pciPassthru0.present"],
    ["pciPassthru2", "pciPassthru2.present"],
  ]);
  expect(devices).toMatchObject({ otherControllers: [], disks: [], nics: [] });
});
